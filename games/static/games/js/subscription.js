/* Keep the subscription of this browser to push messages right. Once a day, the site says whether it is still good, is to
 * be renewed, or is to end, because another person had it. At the log-out it ends, unless its person keeps it.
 */
"use strict";
(() => {
  const { browsers, check } = document.querySelector("link[rel=manifest]").dataset;
  const canShow = "serviceWorker" in navigator && "PushManager" in window && "Notification" in window;
  const LONGEST_WAIT = 1500; // milliseconds of a log-out

  async function find() {
    const registration = await navigator.serviceWorker.getRegistration();
    return { registration, subscription: await registration?.pushManager.getSubscription() };
  }

  /* Its push server then drops the messages that wait. What the browser shows may have names too. */
  async function end({ registration, subscription }) {
    await subscription?.unsubscribe();
    for (const one of (await registration?.getNotifications()) ?? []) one.close();
  }

  async function checkSubscription() {
    const found = await find();
    if (!found.subscription) return;
    const { key, headers } = await (await fetch(browsers)).json();
    const send = (url, values) => fetch(url, { method: "POST", body: new URLSearchParams(values), headers });
    const { endpoint: replaced } = found.subscription;
    const { state } = await (await send(check, { endpoint: replaced })).json();
    if (state === "end") await end(found);
    if (state !== "renew") return;
    await found.subscription.unsubscribe();
    const options = { userVisibleOnly: true, applicationServerKey: key };
    const { endpoint, keys } = (await found.registration.pushManager.subscribe(options)).toJSON();
    await send(browsers, { endpoint, public_key: keys.p256dh, auth: keys.auth, replaced });
  }

  async function logOut(form) {
    const wait = new Promise((resolve) => { setTimeout(resolve, LONGEST_WAIT); });
    await Promise.race([find().then(end).catch(() => {}), wait]);
    form.submit();
  }

  if (!canShow || Notification.permission !== "granted") return;
  if (check) checkSubscription().catch(() => {});
  // On the window, so that other scripts see the log-out first.
  window.addEventListener("submit", (event) => {
    const form = event.target;
    if (!form.matches("[data-forgets]") || form.elements.keeps_messages?.checked) return;
    event.preventDefault();
    logOut(form);
  });
})();
