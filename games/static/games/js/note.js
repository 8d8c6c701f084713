/* Say that the private note is not saved while it is not. htmx saves it after a pause, and shows that it is saved.
 *
 * After a failure, the note is sent again, later each time. While the page is left, it is sent without waiting.
 */
"use strict";
(() => {
  const FIRST_RETRY = 5_000; // ms
  const note = document.getElementById("note");
  const state = document.getElementById("note-state");
  let pause = FIRST_RETRY;
  const retry = () => Fields.isEdited(note) && htmx.trigger(note, "retry");

  note?.addEventListener("input", () => { state.textContent = note.dataset.unsaved; });
  note?.addEventListener("htmx:afterRequest", ({ detail }) => {
    const { status } = detail.xhr;
    if (detail.successful) pause = FIRST_RETRY;
    if (detail.successful || status === 400 || status === 409) return;
    setTimeout(() => Person.isAway() || retry(), pause);
    pause *= 2;
  });
  document.addEventListener("person:back", () => note && retry());
  window.addEventListener("pagehide", () => {
    if (!note || !Fields.isEdited(note)) return;
    const headers = { ...JSON.parse(document.body.getAttribute("hx-headers")), "HX-Request": "true" };
    fetch(note.form.action, { method: "POST", body: new URLSearchParams(new FormData(note.form)), headers, keepalive: true });
  });

  // The scripts of the board listen for events of the board only.
  const talk = document.querySelector(".talk");
  for (const name of ["htmx:beforeSwap", "htmx:afterSwap", "htmx:afterSettle", "htmx:sendError", "htmx:timeout"]) {
    talk?.addEventListener(name, (event) => event.stopPropagation());
  }
})();
