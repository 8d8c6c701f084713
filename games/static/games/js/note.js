/* Say that the private note is not saved while it is not. htmx saves it after a pause, and shows that it is saved. */
"use strict";
(() => {
  const note = document.getElementById("note");
  const state = document.getElementById("note-state");
  note?.addEventListener("input", () => { state.textContent = note.dataset.unsaved; });

  // The scripts of the board listen for events of the board only.
  const talk = document.querySelector(".talk");
  for (const name of ["htmx:beforeSwap", "htmx:afterSwap", "htmx:afterSettle", "htmx:sendError", "htmx:timeout"]) {
    talk?.addEventListener(name, (event) => event.stopPropagation());
  }
})();
