/* A press on a choice ([data-queues]) while a move is on its way counts on the board that follows, if it offers it too. */
"use strict";
(() => {
  let queued = null; // the id of the choice and what the press was

  document.addEventListener("click", ({ target, detail }) => {
    if (!document.querySelector("#choice.htmx-request")) return;
    const choice = target.closest("#game [data-queues]");
    if (choice) queued = { id: choice.id, detail };
  }, { capture: true });

  document.addEventListener("htmx:afterSettle", () => {
    if (!queued) return;
    const { id, detail } = queued;
    queued = null;
    // After the scripts of the title have read the new board. Only a press with `detail` is that of a pointer.
    setTimeout(() => {
      const choice = document.querySelector(`#game[data-turn=mine] #${CSS.escape(id)}[data-queues]`);
      choice?.dispatchEvent(new MouseEvent("click", { bubbles: true, cancelable: true, detail }));
    });
  });
})();
