/* Watching what happened since one's last turn: from the board of then, one action after the other until now. The
 * link leads to the board of then; each next one follows when the one before has been there for a while. Whatever else
 * the player does ends it.
 */
"use strict";
(() => {
  const PAUSE = 1400; // ms for each action: its motion, and a look at it
  let isWatching = false;
  let timer = null;

  document.addEventListener("click", (event) => {
    clearTimeout(timer);
    isWatching = event.target.closest("#watch") !== null;
  });
  document.addEventListener("keydown", () => {
    clearTimeout(timer);
    isWatching = false;
  });
  document.addEventListener("htmx:afterSettle", () => {
    clearTimeout(timer);
    if (isWatching) timer = setTimeout(step, PAUSE);
  });

  function step() {
    const next = document.querySelector("#next[href]");
    if (next) next.click(); // which ends the watching, as any click does
    isWatching = next !== null;
  }
})();
