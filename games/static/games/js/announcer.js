/* Say something to users of screen readers. A text that is said twice is spoken twice; those of one moment are spoken
 * together.
 */
"use strict";
const Announcer = (() => {
  const PAUSE = 100; // ms; screen readers say nothing when a text is replaced by the same one without a pause
  const unsaid = new Set();
  let timer = null;

  function say(text) {
    const region = document.getElementById("announcer");
    clearTimeout(timer);
    unsaid.add(text);
    region.textContent = "";
    timer = setTimeout(() => {
      region.textContent = [...unsaid].filter(Boolean).join(" ");
      unsaid.clear();
    }, PAUSE);
  }

  /** Show an error before an element. Each is a new element, so that the same error is spoken again. */
  function showError(text, { before, ...attributes }) {
    const error = Object.assign(document.createElement("p"), attributes, { textContent: text });
    error.setAttribute("role", "alert");
    before.before(error);
  }

  return { say, showError };
})();
