/* Animate the change from the old board to the new one: cards go to the table, and a trick to its winner.
 *
 * The new board is complete before the animation starts; pictures above the page are all that moves. What happens
 * while a complete trick is shown waits for its end, or for a press on the table or the hand. At the end of a round, a game and a
 * lesson, the old page stays above the new one (held.js) until its last tricks and the result have been read.
 */
"use strict";
(() => {
  const TRAVEL = 320; // ms
  const NEXT = 140; // ms between two cards that go to the table
  const LOOK = 1400; // ms in which a complete trick can be read: who played what, and which pair wins
  const RESULT = 3600; // ms in which the result of a round can be read, if the viewer does not hold it
  const DEAL = 40; // ms between two cards that are dealt
  const COUNTS = ".standing > *, .track__fields, .track__sides"; // parts that count tricks, stars and points
  const EASE = "cubic-bezier(.3, .1, .2, 1)";
  const reducedMotion = matchMedia("(prefers-reduced-motion: reduce)");
  let before = null;
  let layer = null; // an element above the page that holds the pictures that move
  let busyUntil = 0; // when the tricks that are shown have left the table
  let filled = new Set(); // the ids of cards of the sky that come when the trick before them has left
  let timers = [];
  let isSkipping = false; // whether the press that has ended an animation goes on
  let late = []; // pairs: a part of the track as it was before a trick that is still shown, and the new one
  const running = new Set();

  document.addEventListener("htmx:beforeSwap", ({ detail }) => {
    count();
    const game = document.getElementById("game");
    const isSeen = !reducedMotion.matches && !document.hidden;
    const isOther = game && detail.target === game;
    before = isSeen && isOther && document.getElementById("felt") ? measure(game) : null;
    if (before && tableIn(detail.xhr.responseText) !== before.table) Object.assign(before, { copy: game.cloneNode(true), title: document.title });
    if (!isSeen && isOther) clear();
  });

  /** Return which table a board shows: another one for each round, after the game, and for each lesson. */
  const tableIn = (html) => html.match(/ data-table="([^"]*)"/)?.[1];

  document.addEventListener("htmx:afterSwap", ({ detail }) => {
    const game = document.getElementById("game");
    if (!before || !game || detail.target !== before.game || !document.getElementById("felt")) return;
    const old = before;
    before = null;
    const now = measure(game);
    const isOver = now.isOver && !old.isOver;
    // In the past, a trick stays on the table.
    const isPast = document.querySelector(".trick__place.has-won") && !isOver;
    const won = isPast ? [] : now.won.filter(({ count }) => count > old.count);
    const isEnd = won.length && old.copy && (detail.requestConfig.verb === "post" || isOver || document.getElementById("news"));
    // Who comes back to the page after several tricks sees how things are; so does who steps through lessons.
    const missed = Math.max(...now.won.map(({ count }) => count), now.count) - old.count;
    if ((old.copy && !isEnd) || now.shown < old.shown && !isEnd || missed > Math.max(won.length, 1)) return clear();
    // One trick at most waits for another one to be shown, where all play fast.
    if (won.length && remaining() > LOOK + 2 * TRAVEL) return Held.copy() ? undefined : clear();
    if (isEnd) Held.keep(old.copy, old.title);
    const { slots, seats } = isEnd ? measure(Held.copy()) : { slots: now.slots.size ? now.slots : old.slots, seats: now.seats };
    if (won.length && !isEnd) countLater(old.counts);
    won.forEach((trick, nth) => showTrick(trick, nth ? [] : old.played, old, { slots, seats }, remaining()));
    if (isEnd) showEnd(won, remaining());
    const wait = remaining();
    if (Held.copy()) return;
    if (wait) for (const place of document.querySelectorAll(".trick__place, .trick__won")) hide(place, wait); // Their order is already the next trick's.
    const added = won.length ? now.played : now.played.filter((card) => !old.played.some((one) => isSame(one, card)));
    added.forEach((card, nth) => bring(card, old, wait + nth * NEXT));
    filled = new Set([...now.sky.keys()].filter((id) => !old.sky.has(id) || (wait && filled.has(id))));
    for (const id of filled) appear(document.getElementById(id), wait);
  });

  /** Show the track as it was until the first trick that has ended lies on the table. */
  function countLater(counts) {
    document.querySelectorAll(COUNTS).forEach((part, nth) => {
      if (!counts[nth]) return;
      part.replaceWith(counts[nth]);
      late.push([counts[nth], part]);
    });
    timers.push(setTimeout(count, remaining() + TRAVEL));
  }

  function count() {
    for (const [shown, part] of late) shown.replaceWith(part);
    late = [];
  }

  const remaining = () => Math.max(busyUntil - performance.now(), 0);

  /** Show the board as it is, without what still moves. */
  function clear() {
    timers.forEach(clearTimeout);
    timers = [];
    count();
    for (const animation of running) animation.cancel();
    running.clear();
    layer?.remove();
    layer = null;
    busyUntil = 0;
    Held.end();
  }
  document.addEventListener("held:end", clear);

  // Who does not want to look at a trick any longer presses the table or a card, which the press chooses too: also one
  // of the sky that was hidden until then, which the browser sends no click.
  document.addEventListener("pointerdown", ({ target }) => {
    isSkipping = Boolean(layer && target.closest("#felt, #hand"));
    if (isSkipping) clear();
  });
  document.addEventListener("click", (event) => {
    const card = isSkipping && event.isTrusted && document.elementFromPoint(event.clientX, event.clientY)?.closest("#game [data-queues]");
    isSkipping = false;
    if (card && !card.contains(event.target)) Dragging.click(card);
  });

  function measure(root) {
    const felt = root.querySelector(".felt");
    const boxes = (selector, key) => new Map([...root.querySelectorAll(selector)].map((one) => [key(one), one.getBoundingClientRect()]));
    const seats = [...root.querySelectorAll(".seat")].map((seat) => [seat.className.match(/seat--(\w+)/)[1], seat.getBoundingClientRect()]);
    return {
      game: root,
      isOver: root.matches(".is-over"),
      shown: Number(root.dataset.shown),
      table: felt?.dataset.table,
      won: [...root.querySelectorAll(".last__cards")].map(trickOf),
      count: Number(felt?.dataset.count), // of tricks in the game so far
      counts: [...root.querySelectorAll(COUNTS)].map((part) => part.cloneNode(true)),
      played: [...root.querySelectorAll(".trick__place[data-played]")].map(cardOf),
      slots: new Map([...root.querySelectorAll(".trick__place")].map((one) => [`${one.dataset.order}`, { place: one.dataset.place, box: one.querySelector(".trick__card").getBoundingClientRect() }])),
      seats: new Map(seats.map(([place, box]) => [place, box.width ? box : edgeOf(felt, place)])),
      sky: boxes(".sky .card[data-card]", (card) => card.id),
      inSky: boxes(".sky .card__art", (art) => art.firstElementChild.getAttribute("href")),
      trial: root.querySelector(".is-trial:is(.trick__card)")?.closest("li").dataset.order,
      chosen: root.querySelector(".card.is-chosen .card__art")?.getBoundingClientRect(),
    };
  }

  /** Return the middle of an edge of the table, where it has no room for the seat. */
  function edgeOf(felt, place) {
    const { left, top, right, bottom } = felt.getBoundingClientRect();
    const [x, y] = { north: [0.5, 0], south: [0.5, 1], west: [0, 0.5], east: [1, 0.5] }[place];
    return new DOMRect(left + x * (right - left), top + y * (bottom - top));
  }

  function trickOf(list) {
    const cards = [...list.children].map((one) => ({ ...cardOf(one), art: one.querySelector(".card__art"), name: one.querySelector("small"), hasWon: one.matches(".has-won") }));
    const { count, winner, brief } = list.dataset;
    return { count: Number(count), winner, brief, cards };
  }

  function cardOf(place) {
    const { order, place: where, played } = place.dataset;
    return { order, place: where, symbol: played, isOfSky: "isOfSky" in place.dataset, element: place.querySelector(".trick__card") };
  }

  const isSame = (one, other) => one.order === other.order && one.symbol === other.symbol && one.place === other.place;

  /** Animate an element until `clear`. */
  function animate(element, frames, options) {
    const animation = element.animate(frames, options);
    running.add(animation);
    return animation.finished.then(() => running.delete(animation), () => {});
  }

  /** After a wait, show a trick that has ended, with those of its cards that lay there already, and take it to its winner. */
  function showTrick({ cards, winner }, played, old, { slots, seats }, wait) {
    const missing = cards.filter((card) => !played.some((one) => isSame(one, card)));
    const to = seats.get(winner);
    if (!slots.size || !to || cards.length > slots.size) return;
    const arrived = TRAVEL + Math.max(missing.length - 1, 0) * NEXT;
    const [first, next] = [...slots.values()].map(({ box }) => box);
    const pitch = first.top === next.top ? next.left - first.left : 0; // of places in a row
    const slotOf = (card) => ([...slots.values()].find(({ place }) => place === card.place && seats.size === 4) ?? slots.get(card.order)).box;
    for (const card of cards) {
      const box = slotOf(card);
      const nth = missing.indexOf(card);
      const from = nth < 0 || isTried(card, old) ? box : originOf(card, old);
      const picture = place(card.art, box);
      const total = arrived + LOOK + TRAVEL;
      const at = (ms) => Math.min(ms / total, 1);
      const start = nth < 0 ? 0 : nth * NEXT;
      animate(picture, [
        { transform: between(from, box), opacity: nth > 0 || wait ? 0 : 1, offset: 0 },
        { transform: between(from, box), opacity: 1, offset: at(start), easing: EASE },
        { transform: "none", opacity: 1, offset: at(start + TRAVEL) },
        { transform: "none", opacity: 1, offset: at(arrived + LOOK), easing: EASE },
        { transform: `${between(to, box)} scale(.6)`, opacity: 0, offset: 1 },
      ], { duration: total, delay: wait, fill: "both" }).then(() => picture.remove());
      if (card.hasWon) glow(picture, wait + arrived);
      const name = label(card.name, slots.size === seats.size ? card.place : "", box, wait + at(start + TRAVEL) * total, arrived + LOOK - start - TRAVEL);
      if (pitch) name.style.maxWidth = `${pitch - 4}px`;
    }
    busyUntil = performance.now() + wait + arrived + LOOK + TRAVEL / 2;
  }

  /** Say on the old page who wins each of its last tricks, and show the result of the round when they are gone. */
  function showEnd(won, wait) {
    const each = wait / won.length;
    won.forEach(({ brief }, nth) => timers.push(setTimeout(() => Held.say(brief), nth * each + TRAVEL)));
    const news = document.getElementById("news");
    timers.push(setTimeout(news ? showResult : clear, wait, news));
    if (!news) return;
    busyUntil += RESULT;
  }

  /** Let all of the old page show how the round has ended. */
  function showResult(news) {
    const { content } = news.querySelector("template");
    const middle = Held.copy().querySelector(".felt__middle");
    middle.style.minHeight = `${middle.offsetHeight}px`;
    middle.replaceChildren(news.cloneNode(true));
    Held.update({ ".standing": content.querySelectorAll(".standing"), ".track": content.querySelectorAll(".track") });
    for (const part of [".player__time", ".game__log"]) Held.update({ [part]: document.querySelectorAll(`#game ${part}`) });
    Held.say(news.querySelector("p").textContent);
    const shown = Held.copy().querySelector(".news");
    animate(shown, [{ opacity: 0, transform: "scale(.9)" }, {}], { duration: TRAVEL, easing: EASE });
    shown.querySelector("button").addEventListener("click", deal);
    const next = setTimeout(deal, RESULT);
    timers.push(next);
    Held.offer(shown, () => {
      clearTimeout(next);
      busyUntil = Infinity; // Tricks that end meanwhile are not shown.
    });
  }

  function deal() {
    clear();
    document.querySelectorAll("#hand .fan > li").forEach((card, nth) => {
      animate(card, [{ opacity: 0, translate: "0 -48px" }, { opacity: 1, translate: "0 0" }],
        { duration: TRAVEL, delay: nth * DEAL, easing: EASE, fill: "backwards" });
    });
  }

  /** Frame a picture of the pair that wins. */
  function glow(picture, delay) {
    const none = "0 0 0 0 transparent";
    const gold = "0 0 0 3px #191f42, 0 0 0 6px #f2c866, 0 0 18px 7px rgb(242 200 102 / .6)";
    animate(picture, [{ boxShadow: none }, { boxShadow: gold }], { duration: 180, delay, fill: "forwards" });
  }

  /** Show below a card of the trick whose it is, while it can be read; return the name. */
  function label(name, seat, { left, top, width, height }, delay, duration) {
    const text = name.cloneNode(true);
    text.className = `flight-name flight-name--${seat}`;
    const above = layer.getBoundingClientRect();
    Object.assign(text.style, { left: `${left + width / 2 - above.left}px`, top: `${top + height - above.top}px` });
    layer.append(text);
    animate(text, [{ opacity: 0 }, { opacity: 1, offset: 0.1 }, { opacity: 1, offset: 0.95 }, { opacity: 0 }], { duration, delay, fill: "both" })
      .then(() => text.remove());
    return text;
  }

  /** Let a card of the trick fly from the hand of its player to its place. */
  function bring(card, old, wait) {
    if (isTried(card, old)) return;
    const box = card.element.getBoundingClientRect();
    const picture = place(card.element.querySelector(".card__art"), box);
    const from = originOf(card, old);
    const start = { transform: between(from, box), opacity: 1 };
    animate(picture, [{ ...start, opacity: wait ? 0 : 1 }, { ...start, offset: 0.01 }, { transform: "none", opacity: 1 }],
      { duration: TRAVEL, delay: wait, easing: EASE, fill: "both" }).then(() => picture.remove());
    hide(card.element.querySelector(".card__art"), wait + TRAVEL);
  }

  /** Whether a card was in its place already, because the viewer had chosen it. */
  const isTried = (card, old) => card.place === "south" && old.trial === card.order;

  /** Return where a card comes from: the viewer's chosen card, the sky, or the seat of its player. */
  function originOf(card, old) {
    if (card.place === "south" && old.chosen) return old.chosen;
    return (card.isOfSky && old.inSky.get(`#${card.symbol}`)) || old.seats.get(card.place);
  }

  /** Return a picture of a card above the page, in this box. */
  function place(art, { left, top, width, height }) {
    if (!layer) {
      layer = document.createElement("div");
      layer.className = "flight-layer";
      layer.setAttribute("aria-hidden", "true");
      layer.style.top = `${scrollY}px`;
      document.body.append(layer);
    }
    const above = layer.getBoundingClientRect();
    const picture = art.cloneNode(true);
    const style = { left: left - above.left, top: top - above.top, width, height };
    for (const [name, value] of Object.entries(style)) picture.style[name] = `${value}px`;
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
    animate(element, [{ opacity: 0 }, { opacity: 0 }], { duration });
  }

  function appear(card, wait) {
    animate(card, [{ opacity: 0, visibility: "hidden", transform: "scale(.6)" }, {}], { duration: 220, delay: wait, easing: EASE, fill: "backwards" });
  }
})();
