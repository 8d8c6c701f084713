/* Make the site an app: a service worker for when there is no network, and a badge with the number of waiting games. */
"use strict";
(() => {
  const { worker, turns } = document.querySelector("link[rel=manifest]").dataset;

  if ("setAppBadge" in navigator) navigator.setAppBadge(Number(turns)).catch(() => {});

  // The site works without a service worker, so a refused registration is no error.
  const register = () => navigator.serviceWorker.register(worker).catch(() => {});
  if ("serviceWorker" in navigator) window.addEventListener("load", register);
})();
