/* Show push messages. Cache static files, whose names change with their content, one page to show without a network, and the endpoint of this browser.
 *
 * All other requests go to the server, and their responses are never cached: pages of games and people, streams, data.
 */
"use strict";
const CACHE = {{ cache|safe }};
const STATIC = {{ static_url|safe }};
const OFFLINE = {{ offline_url|safe }};
const FILES = {{ files|safe }};
const ICON = {{ icon|safe }};
const BROWSERS = {{ browsers_url|safe }};
const ENDPOINT = "endpoint";
const HASHED_NAME = /\.[0-9a-f]{12}\.\w+$/;

self.addEventListener("install", (event) => {
  event.waitUntil(install());
});

self.addEventListener("activate", (event) => {
  event.waitUntil(activate());
});

self.addEventListener("fetch", (event) => {
  const { request } = event;
  const { origin, pathname } = new URL(request.url);
  if (request.mode === "navigate") event.respondWith(pageOrOffline(event));
  else if (
    request.method === "GET" && origin === location.origin &&
    pathname.startsWith(STATIC) && HASHED_NAME.test(pathname)
  ) event.respondWith(cachedOrFetched(request));
});

self.addEventListener("push", (event) => {
  const message = event.data.json();
  event.waitUntil(message.closes ? closeMessages(message) : showMessage(message));
  event.waitUntil(keepEndpoint());
});

self.addEventListener("pushsubscriptionchange", (event) => {
  event.waitUntil(renewSubscription(event));
});

self.addEventListener("notificationclick", (event) => {
  event.notification.close();
  event.waitUntil(openPage(event.notification.data.url));
});

/* A later message about the same game replaces the one before. The number of waiting games is true as of the message. */
async function showMessage({ title, body, url, tag, kind, turns }) {
  await showBadge(turns);
  await self.registration.showNotification(title, { body, tag, renotify: true, icon: ICON, data: { url, kind } });
}

/* The turn was played elsewhere, so what says that it is the player's turn goes away. */
async function closeMessages({ tag, closes, turns }) {
  await showBadge(turns);
  const shown = await self.registration.getNotifications({ tag });
  shown.filter(({ data }) => closes.includes(data.kind)).forEach((one) => one.close());
}

/* The browser has ended its subscription to push messages. If its user is still logged in, the site gets a new one. */
async function renewSubscription({ oldSubscription, newSubscription }) {
  const { key, headers } = await (await fetch(BROWSERS)).json();
  const options = { userVisibleOnly: true, applicationServerKey: key };
  const subscription = newSubscription || (await self.registration.pushManager.subscribe(options));
  const { endpoint, keys } = subscription.toJSON();
  const replaced = oldSubscription ? oldSubscription.endpoint : await keptEndpoint();
  const body = new URLSearchParams({ endpoint, public_key: keys.p256dh, auth: keys.auth, replaced });
  await fetch(BROWSERS, { method: "POST", body, headers });
}

/* Some browsers do not say which subscription they have ended. */
async function keepEndpoint() {
  const subscription = await self.registration.pushManager.getSubscription();
  if (subscription) await (await caches.open(ENDPOINT)).put(BROWSERS, new Response(subscription.endpoint));
}

async function keptEndpoint() {
  const kept = await (await caches.open(ENDPOINT)).match(BROWSERS);
  return kept ? kept.text() : "";
}

async function showBadge(turns) {
  if ("setAppBadge" in navigator) await navigator.setAppBadge(turns).catch(() => {});
}

async function openPage(url) {
  const pages = await self.clients.matchAll({ type: "window" });
  const open = pages.find((page) => new URL(page.url).pathname === url);
  await (open ? open.focus() : self.clients.openWindow(url));
}

/* A login page of a wireless network also has status 200, and a cached file is never loaded again. */
const isFromSite = (response) => response.ok && response.headers.has("X-Nova-Luna");

async function install() {
  const requests = [new Request(OFFLINE, { cache: "reload" }), ...FILES];
  const responses = await Promise.all(requests.map((one) => fetch(one)));
  if (!responses.every(isFromSite)) throw new Error("The site did not send the files of the offline page.");
  const cache = await caches.open(CACHE);
  await Promise.all(requests.map((one, nth) => cache.put(one, responses[nth])));
  await self.skipWaiting();
}

async function activate() {
  for (const name of await caches.keys()) {
    if (name !== CACHE && name !== ENDPOINT) await caches.delete(name);
  }
  if (self.registration.navigationPreload) await self.registration.navigationPreload.enable();
}

async function pageOrOffline(event) {
  try {
    return (await event.preloadResponse) || (await fetch(event.request));
  } catch {
    return (await caches.match(OFFLINE, { ignoreVary: true })) || Response.error();
  }
}

async function cachedOrFetched(request) {
  const cache = await caches.open(CACHE);
  const cached = await cache.match(request, { ignoreVary: true });
  if (cached) return cached;
  const response = await fetch(request);
  if (isFromSite(response)) await cache.put(request, response.clone());
  return response;
}
