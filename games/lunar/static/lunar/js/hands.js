/* Fold all hands of a finished game on phones, and keep them as the viewer has left them at each step. */
"use strict";
(() => {
  let isOpen = !matchMedia("(max-width: 699px)").matches;

  function fold() {
    const hands = document.getElementById("hands");
    if (hands) hands.open = isOpen;
  }

  document.addEventListener("click", ({ target }) => {
    const hands = target.closest("#hands > summary")?.parentElement;
    if (hands) isOpen = !hands.open;
  });
  document.addEventListener("htmx:afterSwap", fold);
  fold();
})();
