/* Receive what changes, and pass it on as events of the document: "live:version", "live:turns" and so on.
 *
 * #live has the addresses to listen to. While the page is visible, the server sends each new value as an event. Until
 * the stream opens, and while the page is hidden, the page polls. An error page that replaced the whole page has no
 * #live: then listening stops.
 */
"use strict";
(() => {
  const VISIBLE_POLL = 15_000; // ms
  const HIDDEN_POLL = 60_000; // ms
  const STREAM_RETRY = 60_000; // ms
  const EVENTS = ["version", "gone", "turns", "lists", "chat"];
  const live = document.getElementById("live");
  if (!live || !live.dataset.stream) return;

  let stream = null;
  let pollTimer = null;
  let retryTimer = null;
  let isLost = false;

  const pass = (name, value) => document.dispatchEvent(new CustomEvent(`live:${name}`, { detail: value }));

  function listen() {
    clearInterval(pollTimer);
    clearTimeout(retryTimer);
    if (stream) stream.close();
    stream = null;
    if (!live.isConnected) return;
    const isVisible = document.visibilityState === "visible";
    pollTimer = setInterval(poll, isVisible ? VISIBLE_POLL : HIDDEN_POLL);
    if (!isVisible) return;
    stream = new EventSource(live.dataset.stream);
    stream.addEventListener("open", () => { clearInterval(pollTimer); showConnection(false); });
    for (const name of EVENTS) stream.addEventListener(name, ({ data }) => pass(name, data));
    stream.addEventListener("error", () => {
      // The browser reconnects by itself, unless the server refused the stream.
      if (stream.readyState !== EventSource.CLOSED) return showConnection(true);
      clearInterval(pollTimer);
      pollTimer = setInterval(poll, VISIBLE_POLL);
      retryTimer = setTimeout(listen, STREAM_RETRY);
      poll();
    });
  }

  async function poll() {
    const address = new URL(live.dataset.poll, location);
    if (document.visibilityState === "visible") address.searchParams.set("visible", 1);
    try {
      const response = await fetch(address);
      if (response.status === 404) return pass("gone");
      if (response.ok) Object.entries(await response.json()).forEach(([name, value]) => pass(name, `${value}`));
      showConnection(!response.ok);
    } catch {
      showConnection(true);
    }
  }

  function showConnection(isNowLost) {
    if (isNowLost === isLost || !live.dataset.lost) return;
    isLost = isNowLost;
    live.textContent = isLost ? live.dataset.lost : live.dataset.restored;
    live.hidden = false;
    if (!isLost) setTimeout(() => { live.hidden = !isLost; }, 4000);
  }

  document.addEventListener("htmx:afterSettle", () => live.isConnected || listen());
  document.addEventListener("visibilitychange", listen);
  window.addEventListener("pagehide", () => stream && stream.close());
  window.addEventListener("pageshow", (event) => event.persisted && listen());
  listen();
})();
