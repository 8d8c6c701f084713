/* Show which other players have the game open now. */
"use strict";
document.addEventListener("live:here", ({ detail }) => {
  const here = new Set(detail.split(" "));
  for (const mark of document.querySelectorAll("[data-here]")) mark.hidden = !here.has(mark.dataset.here);
});
