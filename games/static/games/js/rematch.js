/* Redirect players who wait on the board of a finished game to its rematch when it starts. A hidden tab waits until its
 * player looks at it, because the page of a game marks the player as present.
 */
"use strict";
(() => {
  const rematch = () => document.querySelector("[data-rematch]");
  const waits = () => rematch()?.dataset.rematch === "waits";
  let waited = waits();

  function lead() {
    if (document.visibilityState === "visible") location.assign(rematch().href);
  }

  document.addEventListener("htmx:afterSettle", () => {
    if (waited && rematch()?.dataset.rematch === "starts") {
      document.title = document.getElementById("live").dataset.started;
      document.dispatchEvent(new Event("live:started"));
      document.addEventListener("visibilitychange", lead);
      lead();
    }
    waited = waits();
  });
})();
