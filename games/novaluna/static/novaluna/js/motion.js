/* Animate the change from the old board to the new one.
 *
 * Each tile, and each element with data-move, moves from its old place to its new one: tiles fly above the page, discs
 * and the marker turn around the wheel (data-angle), and new tiles and discs appear in place. The wheel and the displays, which are
 * smaller where their player waits, grow or shrink. The new board is complete before the
 * animation starts; the animation only draws on top of it. Boards that come quickly follow each other (boards.js).
 */
"use strict";
(() => {
  const DISCS = ".tile__art > use[href^='#disc-']"; // without those that a choice would place
  const BOARDS = ".wheel, .stage";
  const DROP_INTERVAL = 90; // ms between two discs that drop
  const EASE = "cubic-bezier(.3, .1, .2, 1)";
  const reducedMotion = matchMedia("(prefers-reduced-motion: reduce)");
  let before = null;
  let travel = 0; // ms
  let flightLayer = null; // an element above the page that holds the copies of flying tiles

  document.addEventListener("htmx:beforeSwap", ({ detail }) => {
    const game = document.getElementById("game");
    before = !reducedMotion.matches && !document.hidden && game && detail.target === game ? measure(game) : null;
  });

  document.addEventListener("htmx:afterSwap", ({ detail }) => {
    const game = document.getElementById("game");
    if (!before || !game || detail.target !== before.game) return;
    const old = before;
    before = null;
    const now = measure(game);
    if (now.shown === old.shown) return;
    const isForward = now.shown > old.shown;
    travel = Boards.pause();
    now.boards.forEach((box, board) => resize(board, old.boards.get(board), box));
    now.parts.forEach((part, name) => move(name, old.parts.get(name), part, isForward));
    drop([...now.discs].filter(([name]) => !old.discs.has(name)).map(([, disc]) => disc));
    appear([...now.parts].filter(([name, { onWheel }]) => onWheel && !old.parts.has(name)).map(([, part]) => part.element));
  });

  function measure(game) {
    const parts = new Map();
    const discs = new Map();
    for (const element of game.querySelectorAll("[data-move], .tile:not(.cell)")) {
      const { angle } = element.dataset;
      const move = nameOf(element);
      parts.set(move, { element, angle, onWheel: element.closest(".wheel") !== null, box: element.getBoundingClientRect() });
      element.querySelectorAll(DISCS)
        .forEach((disc) => discs.set(`${move} ${disc.getAttribute("href")}`, disc));
    }
    // A tile on trial is already in its cell, so it does not fly there from the wheel.
    const chosen = game.querySelector("[data-tile].is-chosen");
    if (chosen && game.querySelector("#display .is-trial")) parts.get(nameOf(chosen)).onWheel = false;
    const boards = new Map([...game.querySelectorAll(BOARDS)].map((board) => [board, board.getBoundingClientRect()]));
    return { game, parts, boards, discs, shown: Number(game.dataset.shown) };
  }

  /** Return what an element shows: "tile-B4c", "disc-1" or "marker". */
  function nameOf(element) {
    return element.dataset.move || element.querySelector("use").getAttribute("href").slice(1);
  }

  function move(name, from, to, isForward) {
    if (!from) return;
    if (to.angle !== undefined && to.angle !== from.angle) return turn(to, from.angle, isForward);
    const { left, top, width } = from.box;
    const hasMoved = Math.hypot(left - to.box.left, top - to.box.top) > 2 || Math.abs(width - to.box.width) > 2;
    if (name.startsWith("tile-") && hasMoved && from.onWheel !== to.onWheel) fly(from, to);
  }

  function resize(board, from, to) {
    if (!from || Math.abs(from.width - to.width) <= 2) return;
    const start = `translate(${from.left - to.left}px, ${from.top - to.top}px) scale(${from.width / to.width})`;
    board.animate([{ transform: start, transformOrigin: "0 0" }, { transform: "none", transformOrigin: "0 0" }], { duration: travel, easing: EASE });
  }

  function turn({ element, angle }, startAngle, isForward) {
    const clockwise = (angle - startAngle + 360) % 360;
    const rotation = isForward ? clockwise : clockwise - 360;
    const options = { duration: travel, easing: EASE, composite: "add" };
    element.animate([{ transform: `rotate(${-rotation}deg)` }, { transform: "none" }], options);
  }

  function fly(from, to) {
    const picture = (to.element.querySelector(".tile__art") || to.element).cloneNode(true);
    const { left, top, width, height } = to.box;
    Object.assign(picture.style, { position: "absolute", left: `${left}px`, top: `${top}px`, width: `${width}px`, height: `${height}px` });
    picture.querySelectorAll(DISCS).forEach((disc) => disc.remove());
    if (!flightLayer) {
      flightLayer = document.createElement("div");
      flightLayer.className = "flight-layer";
      flightLayer.setAttribute("aria-hidden", "true");
      document.body.append(flightLayer);
    }
    flightLayer.append(picture);
    const start = `translate(${from.box.left - left}px, ${from.box.top - top}px) scale(${from.box.width / width})`;
    const options = { duration: travel, easing: EASE };
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
        duration: 200, delay: travel - 120 + nth * DROP_INTERVAL, easing: "ease-in", fill: "backwards",
      });
    });
  }

  function appear(tiles) {
    tiles.forEach((tile, nth) => {
      const from = { opacity: 0, transform: "scale(.6)" };
      tile.animate([from, {}], { duration: 220, delay: nth * 16, easing: EASE, fill: "backwards" });
    });
  }
})();
