/* Show the boards of actions that follow each other quickly, each while its motion lasts: the more wait, the less long.
 *
 * The newest board comes immediately where too many wait, to people who prefer reduced motion or look at another tab, and
 * after a press on the board or a key.
 */
"use strict";
const Boards = (() => {
  const MOTION = 320; // ms in which a title shows what one action changes
  const LONGEST = 1600; // ms
  const MOST = 7; // The server sends so many, with the newest one (MOST_BETWEEN in games/live.py).
  const isCalm = matchMedia("(prefers-reduced-motion: reduce)");
  /** Return the number of the action that a board shows. */
  const shownBy = (html) => Number(html.match(/ data-shown="([0-9]+)"/)?.[1]);
  const game = () => document.getElementById("game");
  const isSeen = () => !isCalm.matches && !document.hidden;

  let waiting = []; // boards, the newest last
  let pause = MOTION; // ms for which the page shows a board before the next one
  let nextAt = 0; // when the motion of the shown board ends
  let timer = 0;
  let showNow = null; // shows a board

  /** Show these boards after those that wait, the newest last. `show` returns whether it has shown a board. */
  function add(boards, show) {
    const last = waiting.length ? shownBy(waiting.at(-1)) : Number(game().dataset.shown);
    waiting.push(...boards.filter((one, nth) => nth === boards.length - 1 || shownBy(one) > last));
    showNow = show;
    if (!isSeen() || waiting.length > MOST) jump();
    else wait();
  }

  function wait() {
    clearTimeout(timer);
    const rest = nextAt - performance.now();
    if (rest > 0) timer = setTimeout(next, rest);
    else next();
  }

  function next() {
    pause = Math.min(MOTION, LONGEST / waiting.length);
    const board = waiting.shift();
    if (!showNow(board)) waiting = [];
    if (waiting.length) wait();
  }

  /** Forget the boards that wait, because the page shows a newer one. */
  function clear() {
    clearTimeout(timer);
    waiting = [];
  }

  /** Show the newest board. */
  function jump() {
    if (!waiting.length) return;
    clearTimeout(timer);
    waiting.splice(0, waiting.length - 1);
    next();
  }

  document.addEventListener("htmx:beforeSwap", () => { shown = game()?.dataset.shown; });
  document.addEventListener("htmx:afterSwap", () => { if (game()?.dataset.shown !== shown) nextAt = performance.now() + pause; });
  let shown = null;

  addEventListener("pointerdown", ({ target }) => { if (target.closest("#game") && !target.closest("#bar")) jump(); }, { capture: true });
  addEventListener("keydown", ({ target }) => { if (!target.matches(Fields.TYPED)) jump(); }, { capture: true });
  document.addEventListener("visibilitychange", jump);

  return { add, clear, isSeen, pause: () => pause, areWaiting: () => waiting.length > 0 };
})();
