/* Makes the site an app: a worker that helps without a network, and on the app's icon how many games wait. */
"use strict";
(() => {
  const { worker, turns } = document.querySelector("link[rel=manifest]").dataset;

  if ("setAppBadge" in navigator) navigator.setAppBadge(Number(turns)).catch(() => {});

  // A browser that refuses workers shows the site as well as any other.
  const register = () => navigator.serviceWorker.register(worker).catch(() => {});
  if ("serviceWorker" in navigator) window.addEventListener("load", register);
})();
