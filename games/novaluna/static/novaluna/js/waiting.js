/* Keep the layout of the own turn while a player waits (.is-waiting), where the window has room for all of it.
 *
 * Only a small window has another layout then (.is-whole). No style sheet can choose it by class and window together
 * without having each of its rules twice.
 */
"use strict";
(() => {
  const roomy = matchMedia("(min-width: 700px), (min-width: 370px) and (min-height: 700px)");

  function choose() {
    document.querySelector("#game.is-waiting")?.classList.toggle("is-whole", !roomy.matches);
  }

  // Before others measure the new board.
  document.addEventListener("htmx:afterSwap", choose, { capture: true });
  roomy.addEventListener("change", choose);
  choose();
})();
