/* Show how many games wait for the player: beside the link to the games, in the tab's title and icon, and on the icon
 * of the app. The page of a game has a title and an icon of its own, which show whether it is the player's turn there.
 */
"use strict";
(() => {
  const count = document.getElementById("turns");
  const icon = document.getElementById("icon");
  const hasOwnTitle = () => document.querySelector("#game[data-icon], .error-page");
  let turns = Number(document.querySelector("link[rel=manifest]").dataset.turns);

  function show() {
    if ("setAppBadge" in navigator) navigator.setAppBadge(turns).catch(() => {});
    if (count) {
      count.hidden = !turns;
      count.querySelector("b").textContent = turns;
    }
    if (hasOwnTitle()) return;
    const title = document.title.replace(/^\(\d+\) /, "");
    document.title = turns ? `(${turns}) ${title}` : title;
    icon.href = turns ? icon.dataset.turn : icon.dataset.idle;
  }

  document.addEventListener("live:turns", ({ detail }) => {
    turns = Number(detail);
    show();
  });
  // A part of a page that htmx replaces can bring a new title.
  document.addEventListener("htmx:afterSettle", show);
  show();
})();
