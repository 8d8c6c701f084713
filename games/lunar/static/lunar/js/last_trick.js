/* The panel of the last trick closes by its button, by Escape, and by a press anywhere else. */
"use strict";
(() => {
  const panel = () => document.querySelector("#last-trick[open]");

  document.addEventListener("click", ({ target }) => {
    const open = panel();
    if (open && (target.closest(".last__close") || !open.contains(target))) close(open, open.contains(target));
  });

  document.addEventListener("keydown", (event) => {
    const open = event.key === "Escape" && panel();
    if (!open) return;
    event.preventDefault(); // A choice stays.
    close(open, open.contains(document.activeElement));
  });

  function close(open, takesFocus) {
    open.open = false;
    if (takesFocus) open.querySelector("summary").focus();
  }
})();
