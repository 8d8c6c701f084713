/* Make the site an app: a service worker that shows a page without a network, and a badge with the number of games
   in which it is the player's turn. */
"use strict";
(() => {
  const { worker, turns } = document.querySelector("link[rel=manifest]").dataset;

  if ("setAppBadge" in navigator) navigator.setAppBadge(Number(turns)).catch(() => {});

  // The site works without a service worker, so a refused registration is no error.
  const register = () => navigator.serviceWorker.register(worker).catch(() => {});
  if ("serviceWorker" in navigator) window.addEventListener("load", register);
})();
