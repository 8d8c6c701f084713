/* What just happened is seen to happen: when a new board takes the place of the old one, whatever carries data-move
 * goes from where it was to where it is now; tiles fly above everything, discs and the marker go round (data-angle),
 * and what is new comes up in its place. The new board is there at once: the motion is a picture on top of it.
 */
"use strict";
(() => {
  const TRAVEL = 320; // ms
  const APART = 90; // ms between two discs that drop
  const EASE = "cubic-bezier(.3, .1, .2, 1)";
  const still = matchMedia("(prefers-reduced-motion: reduce)");
  let before = null;
  let sky = null; // where clones fly

  document.addEventListener("htmx:beforeSwap", ({ detail }) => {
    const game = document.getElementById("game");
    before = !still.matches && game && detail.target === game ? look(game) : null;
  });

  document.addEventListener("htmx:afterSwap", () => {
    const game = document.getElementById("game");
    if (!before || !game || game === before.game) return;
    const old = before;
    before = null;
    if (sky) sky.remove();
    sky = null;
    const now = look(game);
    if (now.shown === old.shown) return;
    now.parts.forEach((part, name) => move(name, old.parts.get(name), part, now.shown > old.shown));
    drop([...now.discs].filter(([name]) => !old.discs.has(name)).map(([, disc]) => disc));
    emerge([...now.parts].filter(([name, { onWheel }]) => onWheel && !old.parts.has(name)).map(([, part]) => part.element));
  });

  function look(game) {
    const parts = new Map();
    const discs = new Map();
    for (const element of game.querySelectorAll("[data-move]")) {
      const { move, angle } = element.dataset;
      parts.set(move, { element, angle, onWheel: element.closest(".wheel") !== null, box: element.getBoundingClientRect() });
      element.querySelectorAll(".tile__disc")
        .forEach((disc) => discs.set(`${move} ${disc.getAttribute("x")} ${disc.getAttribute("y")}`, disc));
    }
    // A tile on trial needs no flight: it lies where it will lie.
    const chosen = game.querySelector("[data-tile].is-chosen");
    if (chosen && game.querySelector("#display .is-trial")) parts.get(chosen.dataset.move).onWheel = false;
    return { game, parts, discs, shown: Number(game.dataset.shown) };
  }

  function move(name, from, to, isForward) {
    if (!from) return;
    if (to.angle !== undefined && to.angle !== from.angle) return turn(to, from.angle, isForward);
    const { left, top, width } = from.box;
    const gone = Math.hypot(left - to.box.left, top - to.box.top) > 2 || Math.abs(width - to.box.width) > 2;
    if (name.startsWith("tile-") && gone && from.onWheel !== to.onWheel) fly(from, to);
  }

  function turn({ element, angle }, start, isForward) {
    const on = (angle - start + 360) % 360;
    const by = isForward ? on : on - 360;
    element.animate([{ transform: `rotate(${-by}deg)` }, { transform: "none" }], { duration: TRAVEL, easing: EASE });
  }

  function fly(from, to) {
    const picture = to.element.querySelector(".tile__art").cloneNode(true);
    const { left, top, width, height } = to.box;
    Object.assign(picture.style, { position: "absolute", left: `${left}px`, top: `${top}px`, width: `${width}px`, height: `${height}px` });
    picture.querySelectorAll(".tile__disc").forEach((disc) => disc.remove());
    if (!sky) {
      sky = document.createElement("div");
      sky.className = "sky";
      sky.setAttribute("aria-hidden", "true");
      document.body.append(sky);
    }
    sky.append(picture);
    const start = `translate(${from.box.left - left}px, ${from.box.top - top}px) scale(${from.box.width / width})`;
    const options = { duration: TRAVEL, easing: EASE };
    picture.animate([{ transform: start, transformOrigin: "0 0" }, { transform: "none", transformOrigin: "0 0" }], options)
      .finished.then(() => picture.remove(), () => {});
    to.element.animate([{ opacity: 0 }, { opacity: 0 }], options);
  }

  function drop(discs) {
    discs.forEach((disc, nth) => {
      disc.style.transformBox = "fill-box";
      disc.style.transformOrigin = "center";
      const from = { opacity: 0, transform: "scale(2)" };
      disc.animate([from, { opacity: 1, transform: "none" }], {
        duration: 200, delay: TRAVEL - 120 + nth * APART, easing: "ease-in", fill: "backwards",
      });
    });
  }

  function emerge(tiles) {
    tiles.forEach((tile, nth) => {
      const from = { opacity: 0, transform: "scale(.6)" };
      tile.animate([from, {}], { duration: 220, delay: nth * 16, easing: EASE, fill: "backwards" });
    });
  }
})();
