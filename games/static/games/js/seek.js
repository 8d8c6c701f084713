/* Show for how long the page has looked for people. Say when it closes, so that nobody is seated with a person who has
 * left. The search waits on for a reload of the page, or in another tab.
 */
"use strict";
(() => {
  const LONGEST = 60; // s, SEEK_TIME in games/models/seeks.py; without a connection, the page does not learn of the end
  window.addEventListener("pagehide", () => {
    const form = document.getElementById("leave-search");
    if (form) navigator.sendBeacon(form.action, new FormData(form));
  });
  setInterval(() => {
    const shown = document.querySelector("[data-since]");
    if (!shown) return;
    if (shown.since !== shown.dataset.since) {
      shown.since = shown.dataset.since;
      shown.start = performance.now() - 1_000 * shown.since;
    }
    const seconds = Math.min(Math.floor((performance.now() - shown.start) / 1_000), LONGEST);
    shown.textContent = `${Math.floor(seconds / 60)}:${`${seconds % 60}`.padStart(2, "0")}`;
  }, 1_000);
  // The control that had the focus may be gone.
  let hadFocus = false;
  document.addEventListener("htmx:beforeSwap", ({ detail }) => { hadFocus = detail.target.contains(document.activeElement); });
  document.addEventListener("htmx:afterSettle", () => {
    if (!hadFocus || document.activeElement !== document.body) return;
    document.querySelector("#seek a[data-starts], #seek-choice .btn").focus({ preventScroll: true });
  });
  // The page may be shown again from the browser's memory.
  window.addEventListener("pageshow", (event) => { if (event.persisted) location.reload(); });
})();
