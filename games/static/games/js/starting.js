/* Redirect players to the game that they wait for when it starts: a rematch, or one with people whom they look for. A
 * hidden tab waits until its player looks at it, because the page of a game marks the player as present.
 */
"use strict";
(() => {
  const next = () => document.querySelector("[data-starts]");
  const waits = () => next()?.dataset.starts === "waits";
  let waited = waits();

  function lead() {
    if (document.visibilityState === "visible") location.assign(next().href);
  }

  document.addEventListener("htmx:afterSettle", () => {
    if (waited && next()?.dataset.starts === "now") {
      document.title = document.getElementById("live").dataset.started;
      document.dispatchEvent(new Event("live:started"));
      document.addEventListener("visibilitychange", lead);
      lead();
    }
    waited = waits();
  });
})();
