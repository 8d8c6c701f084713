/* Say that the private note is not saved while it is not. htmx saves it after a pause, and shows that it is saved.
 *
 * After a failure, the note is sent again, later each time. While the page is left, it is sent without waiting: the
 * next page sends it once more, because only an answer has the version of what is stored.
 */
"use strict";
(() => {
  const FIRST_RETRY = 5_000, LONGEST_RETRY = 60_000; // ms
  const note = document.getElementById("note");
  const state = document.getElementById("note-state");
  const unanswered = new Set(); // the texts that the site may have stored although this page got no answer
  let pause = FIRST_RETRY;
  let timer = null;

  const showUnsaved = () => { state.textContent = note.dataset.unsaved; };
  const save = () => note && !Person.isAway() && Fields.isEdited(note) && htmx.trigger(note, "retry");

  note?.addEventListener("input", showUnsaved);
  note?.addEventListener("htmx:beforeRequest", () => unanswered.add(note.value.trim()));
  note?.addEventListener("htmx:afterRequest", ({ detail }) => {
    const { status } = detail.xhr;
    clearTimeout(timer);
    if (detail.successful) {
      pause = FIRST_RETRY;
      unanswered.clear();
    }
    if (detail.successful || status === 400 || status === 409) return;
    timer = setTimeout(save, pause);
    pause = Math.min(2 * pause, LONGEST_RETRY);
  });

  // A conflict only with what this page has sent before is none.
  state?.addEventListener("htmx:afterSettle", () => {
    const stored = state.querySelector("q")?.textContent;
    if (unanswered.delete(stored)) state.querySelector("button").click();
  });

  // A restored draft. htmx listens from this event on.
  document.addEventListener("DOMContentLoaded", () => {
    if (!note || !Fields.isEdited(note)) return;
    showUnsaved();
    save();
  });
  window.addEventListener("online", save);
  document.addEventListener("person:back", save);
  window.addEventListener("pagehide", () => {
    if (!note || !Fields.isEdited(note)) return;
    unanswered.add(note.value.trim());
    const headers = { ...JSON.parse(document.body.getAttribute("hx-headers")), "HX-Request": "true" };
    // The network can fail, or the answer come too late for anybody.
    fetch(note.form.action, { method: "POST", body: new URLSearchParams(new FormData(note.form)), headers, keepalive: true })
      .catch(() => {});
  });

  // The scripts of the board listen for events of the board only.
  const talk = document.querySelector(".talk");
  for (const name of ["htmx:beforeSwap", "htmx:afterSwap", "htmx:afterSettle", "htmx:sendError", "htmx:timeout"]) {
    talk?.addEventListener(name, (event) => event.stopPropagation());
  }
})();
