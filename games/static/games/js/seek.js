/* Stop looking for people when the page closes, so that nobody is seated with a person who has left. */
"use strict";
(() => {
  let isLeaving = false; // for a page that the person has chosen, which stops the search itself
  document.addEventListener("submit", () => { isLeaving = true; });
  window.addEventListener("pagehide", () => {
    const form = document.getElementById("stop-seeking");
    if (form && !isLeaving) navigator.sendBeacon(form.action, new FormData(form));
  });
  // The page may be shown again from the browser's memory.
  window.addEventListener("pageshow", (event) => { if (event.persisted) location.reload(); });
})();
