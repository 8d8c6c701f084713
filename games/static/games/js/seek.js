/* Show for how long the page has looked for people. Say when it closes, so that nobody is seated with a person who has
 * left. The search waits on for a reload of the page, or in another tab.
 */
"use strict";
(() => {
  window.addEventListener("pagehide", () => {
    const form = document.getElementById("leave-search");
    if (form) navigator.sendBeacon(form.action, new FormData(form));
  });
  setInterval(() => {
    const shown = document.querySelector("[data-since]");
    if (!shown) return;
    shown.start ??= performance.now() - 1_000 * shown.dataset.since;
    const seconds = Math.floor((performance.now() - shown.start) / 1_000);
    shown.textContent = `${Math.floor(seconds / 60)}:${`${seconds % 60}`.padStart(2, "0")}`;
  }, 1_000);
  // The page may be shown again from the browser's memory.
  window.addEventListener("pageshow", (event) => { if (event.persisted) location.reload(); });
})();
