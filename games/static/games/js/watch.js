/* Replay what happened since the player's last turn, one action after another.
 *
 * The link #watch opens the board after that turn. Then the next action follows after a pause, until the present.
 * Any click or key stops the replay.
 */
"use strict";
(() => {
  const PAUSE = 1400; // ms for each action: its animation, and time to look at it
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
    if (next) next.click();
    isWatching = next !== null; // The click above stopped the replay, as any click does.
  }
})();
