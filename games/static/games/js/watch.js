/* Watching what happened since one's last turn: from the board of then, one action after the other until now. The
 * link leads to the board of then; whatever else the player does ends it.
 */
"use strict";
(() => {
  const PAUSE = 1400; // ms for each action: its motion, and a look at it
  let timer = null;

  document.addEventListener("click", (event) => {
    clearTimeout(timer);
    timer = event.target.closest("#watch") ? setTimeout(step, PAUSE) : null;
  });
  document.addEventListener("keydown", () => clearTimeout(timer));

  function step() {
    const next = document.querySelector("#next[href]");
    if (!next) return;
    next.click(); // which ends the watching, as any click does
    timer = setTimeout(step, PAUSE);
  }
})();
