/* Make the site an app, with a service worker that shows a page without a network. */
"use strict";
(() => {
  const { worker } = document.querySelector("link[rel=manifest]").dataset;

  // The site works without a service worker, so a refused registration is no error.
  const register = () => navigator.serviceWorker.register(worker).catch(() => {});
  if ("serviceWorker" in navigator) window.addEventListener("load", register);
})();
