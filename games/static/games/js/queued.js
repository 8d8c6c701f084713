/* A press on a choice ([data-queues]) while a move is on its way counts on the board that follows, if it offers it too. */
"use strict";
(() => {
  const LASTS = 5000; // ms after which nobody means the press any more
  let queued = null; // the id of the choice, what the press was, and when

  document.addEventListener("click", (event) => {
    if (!document.querySelector("#choice.htmx-request")) return;
    // The second press of a double click was meant for the move itself, as one on the choice that is on its way.
    // With a key held, a link opens elsewhere.
    const isPlain = event.detail <= 1 && !event.metaKey && !event.ctrlKey && !event.shiftKey && !event.altKey;
    const choice = isPlain && event.target.closest("#game [data-queues]:not([aria-current])");
    if (choice) queued = { id: choice.id, detail: event.detail, at: performance.now() };
  }, { capture: true });

  for (const name of ["htmx:sendError", "htmx:timeout", "htmx:responseError"]) {
    document.addEventListener(name, () => { queued = null; });
  }

  document.addEventListener("htmx:afterSettle", () => {
    if (!queued) return;
    const { id, detail, at } = queued;
    queued = null;
    if (performance.now() - at > LASTS) return;
    // After the scripts of the title have read the new board. Only a press with `detail` is that of a pointer.
    setTimeout(() => {
      const choice = document.querySelector(`#game[data-turn=mine] #${CSS.escape(id)}[data-queues]`);
      choice?.dispatchEvent(new MouseEvent("click", { bubbles: true, cancelable: true, detail }));
    });
  });
})();
