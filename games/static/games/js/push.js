/* The button that asks the browser for push messages ([data-push]), and what to do where the browser refuses. */
"use strict";
(() => {
  const box = document.querySelector("[data-push]");
  const say = (name) => box.querySelectorAll("[data-says]").forEach((note) => {
    note.hidden = note.dataset.says !== name;
  });
  const isIos = /iPhone|iPad/.test(navigator.userAgent) || (navigator.platform === "MacIntel" && navigator.maxTouchPoints > 1);

  function state() {
    if ("PushManager" in window && "serviceWorker" in navigator && "Notification" in window) {
      return Notification.permission === "denied" ? "denied" : "ready";
    }
    return isIos ? "ios" : "unsupported";
  }

  /* A subscription with an older key of the site is in the way of a new one. */
  async function subscribe(manager, options) {
    try {
      return await manager.subscribe(options);
    } catch (error) {
      if (error.name !== "InvalidStateError") throw error;
      await (await manager.getSubscription())?.unsubscribe();
      return manager.subscribe(options);
    }
  }

  async function turnOn() {
    if ((await Notification.requestPermission()) !== "granted") return say(state());
    const registration = await navigator.serviceWorker.ready;
    const options = { userVisibleOnly: true, applicationServerKey: box.dataset.push };
    const { endpoint, keys } = (await subscribe(registration.pushManager, options)).toJSON();
    const body = new URLSearchParams({ endpoint, public_key: keys.p256dh, auth: keys.auth });
    const { value } = box.querySelector("[name=csrfmiddlewaretoken]");
    const answer = await fetch(box.action, { method: "POST", body, headers: { "X-CSRFToken": value } });
    if (!answer.ok) throw new Error(answer.statusText);
    location.reload();
  }

  box.addEventListener("submit", (event) => {
    event.preventDefault();
    say(state()); // The same alert, shown again, is spoken again.
    turnOn().catch(() => say("failed"));
  });
  say(state());
})();
