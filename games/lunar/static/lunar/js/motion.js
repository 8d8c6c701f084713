/* Animate the change from the old board to the new one: cards go to the table, and a trick to its winner.
 *
 * The new board is complete before the animation starts; pictures above the page are all that moves. What happens
 * while a complete trick is shown waits for its end.
 */
"use strict";
(() => {
  const TRAVEL = 320; // ms
  const NEXT = 140; // ms between two cards that go to the table
  const LOOK = 1400; // ms in which a complete trick can be read: who played what, and which pair wins
  const EASE = "cubic-bezier(.3, .1, .2, 1)";
  const reducedMotion = matchMedia("(prefers-reduced-motion: reduce)");
  let before = null;
  let layer = null; // an element above the page that holds the pictures that move
  let busyUntil = 0; // when the tricks that are shown have left the table

  document.addEventListener("htmx:beforeSwap", ({ detail }) => {
    const game = document.getElementById("game");
    before = !reducedMotion.matches && game && detail.target === game && document.getElementById("felt") ? measure(game) : null;
  });

  document.addEventListener("htmx:afterSwap", ({ detail }) => {
    const game = document.getElementById("game");
    if (!before || !game || detail.target !== before.game || !document.getElementById("felt")) return;
    const old = before;
    before = null;
    const now = measure(game);
    if (now.shown < old.shown) return clear();
    const isWon = now.last && now.last !== old.last && !document.querySelector(".trick__place.has-won"); // In the past, a trick stays.
    if (isWon) showTrick(old, now, remaining());
    const wait = remaining();
    if (wait) for (const place of document.querySelectorAll(".trick__place, .trick__won")) hide(place, wait); // The order is that of the next trick.
    const added = isWon ? now.played : now.played.filter((card) => !old.played.some((one) => isSame(one, card)));
    added.forEach((card, nth) => bring(card, old, wait + nth * NEXT));
    for (const [id] of now.sky) if (!old.sky.has(id)) appear(id, wait);
  });

  const remaining = () => Math.max(busyUntil - performance.now(), 0);

  function clear() {
    layer?.remove();
    layer = null;
    busyUntil = 0;
  }

  function measure(game) {
    const boxes = (selector, key) => new Map([...game.querySelectorAll(selector)].map((one) => [key(one), one.getBoundingClientRect()]));
    return {
      game,
      shown: Number(game.dataset.shown),
      last: document.getElementById("last-trick")?.dataset.number,
      played: [...game.querySelectorAll(".trick__place[data-played]")].map(cardOf),
      slots: boxes(".trick__card", (slot) => slot.closest("li").id),
      seats: boxes(".seat", (seat) => seat.className.match(/seat--(\w+)/)[1]),
      sky: boxes(".sky .card[data-card]", (card) => card.id),
      trial: game.querySelector(".is-trial:is(.trick__card)")?.closest("li").id,
      chosen: game.querySelector(".card.is-chosen .card__art")?.getBoundingClientRect(),
    };
  }

  function cardOf(place, nth) {
    return { order: nth + 1, place: place.dataset.place, symbol: place.dataset.played, element: place.querySelector(".trick__card") };
  }

  const isSame = (one, other) => one.order === other.order && one.symbol === other.symbol && one.place === other.place;

  /** After a wait, show the trick that has just ended in its old places, and take it to its winner. */
  function showTrick(old, now, wait) {
    const details = document.getElementById("last-trick");
    const cards = [...details.querySelectorAll(".last__cards li")].map((one, nth) => ({ ...cardOf(one, nth), art: one.querySelector(".card__art"), name: one.querySelector("small"), hasWon: one.matches(".has-won") }));
    const slots = now.slots.size ? now.slots : old.slots;
    const to = now.seats.get(details.dataset.winner);
    const missing = cards.filter((card) => !old.played.some((one) => isSame(one, card)));
    if (!slots.size || !to || cards.length > slots.size) return;
    const arrived = TRAVEL + Math.max(missing.length - 1, 0) * NEXT;
    const slotOf = (card) => [...slots].find(([id]) => document.getElementById(id)?.dataset.place === card.place && now.seats.size === 4)?.[1] ?? slots.get(`trick-${card.order}`);
    for (const card of cards) {
      const box = slotOf(card);
      const nth = missing.indexOf(card);
      const from = nth < 0 || isTried(card, old) ? box : originOf(card, old);
      const picture = place(card.art, box);
      const total = arrived + LOOK + TRAVEL;
      const at = (ms) => Math.min(ms / total, 1);
      const start = nth < 0 ? 0 : nth * NEXT;
      picture.animate([
        { transform: between(from, box), opacity: nth > 0 || wait ? 0 : 1, offset: 0 },
        { transform: between(from, box), opacity: 1, offset: at(start), easing: EASE },
        { transform: "none", opacity: 1, offset: at(start + TRAVEL) },
        { transform: "none", opacity: 1, offset: at(arrived + LOOK), easing: EASE },
        { transform: `${between(to, box)} scale(.6)`, opacity: 0, offset: 1 },
      ], { duration: total, delay: wait, fill: "both" }).finished.then(() => picture.remove(), () => {});
      if (card.hasWon) glow(picture, wait + arrived);
      label(card.name, box, wait + at(start + TRAVEL) * total, arrived + LOOK - start - TRAVEL);
    }
    busyUntil = performance.now() + wait + arrived + LOOK + TRAVEL / 2;
  }

  /** Frame a picture of the pair that wins. */
  function glow(picture, delay) {
    const none = "0 0 0 0 transparent";
    const gold = "0 0 0 3px #191f42, 0 0 0 6px #f2c866, 0 0 18px 7px rgb(242 200 102 / .6)";
    picture.animate([{ boxShadow: none }, { boxShadow: gold }], { duration: 180, delay, fill: "forwards" });
  }

  /** Show below a card of the trick whose it is, while it can be read. */
  function label(name, { left, top, width, height }, delay, duration) {
    const text = name.cloneNode(true);
    text.className = "flight-name";
    Object.assign(text.style, { left: `${left + width / 2}px`, top: `${top + height}px` });
    layer.append(text);
    text.animate([{ opacity: 0 }, { opacity: 1, offset: 0.1 }, { opacity: 1, offset: 0.95 }, { opacity: 0 }], { duration, delay, fill: "both" })
      .finished.then(() => text.remove(), () => {});
  }

  /** Let a card of the trick fly from the hand of its player to its place. */
  function bring(card, old, wait) {
    if (isTried(card, old)) return;
    const box = card.element.getBoundingClientRect();
    const picture = place(card.element.querySelector(".card__art"), box);
    const from = originOf(card, old);
    const start = { transform: between(from, box), opacity: 1 };
    picture.animate([{ ...start, opacity: wait ? 0 : 1 }, { ...start, offset: 0.01 }, { transform: "none", opacity: 1 }],
      { duration: TRAVEL, delay: wait, easing: EASE, fill: "both" }).finished.then(() => picture.remove(), () => {});
    hide(card.element.querySelector(".card__art"), wait + TRAVEL);
  }

  /** Whether a card was in its place already, because the viewer had chosen it. */
  const isTried = (card, old) => card.place === "south" && old.trial === `trick-${card.order}`;

  /** Return where a card comes from: the viewer's chosen card, or the seat of its player. */
  function originOf(card, old) {
    return card.place === "south" && old.chosen ? old.chosen : old.seats.get(card.place);
  }

  /** Return a picture of a card above the page, in this box. */
  function place(art, { left, top, width, height }) {
    if (!layer) {
      layer = document.createElement("div");
      layer.className = "flight-layer";
      layer.setAttribute("aria-hidden", "true");
      document.body.append(layer);
    }
    const picture = art.cloneNode(true);
    Object.assign(picture.style, { left: `${left}px`, top: `${top}px`, width: `${width}px`, height: `${height}px` });
    layer.append(picture);
    return picture;
  }

  /** Return the transform that moves a box to the middle of another one. */
  function between(from, box) {
    const x = from.left + from.width / 2 - box.left - box.width / 2;
    const y = from.top + from.height / 2 - box.top - box.height / 2;
    return `translate(${x}px, ${y}px)`;
  }

  function hide(element, duration) {
    element.animate([{ opacity: 0 }, { opacity: 0 }], { duration });
  }

  function appear(id, wait) {
    const card = document.getElementById(id);
    card.animate([{ opacity: 0, transform: "scale(.6)" }, {}], { duration: 220, delay: wait, easing: EASE, fill: "backwards" });
  }
})();
