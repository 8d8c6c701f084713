/* The panel of the last trick takes the focus of the key that opens it, and is read out. It closes by its button; it and an open tip close by Escape, and by a press anywhere else. */
"use strict";
(() => {
  const panel = () => document.querySelector(":is(#last-trick, #tip)[open]");

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

  document.addEventListener("toggle", ({ target }) => {
    if (target.id !== "last-trick" || !target.open || target.contains(document.activeElement)) return;
    target.querySelector("summary").focus({ preventScroll: true });
    Announcer.say(target.querySelector(".last__panel > p").textContent);
  }, { capture: true });

  function close(open, takesFocus) {
    open.open = false;
    if (takesFocus) open.querySelector("summary").focus();
  }
})();
