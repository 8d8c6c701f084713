/* Receive what changes, and pass it on as events of the document: "live:version", "live:turns" and so on.
 *
 * #live has the addresses to listen to. While the page is visible, the server sends each new value as an event, and
 * a beat regularly. While no events arrive, and while the page is hidden, the page polls. A connection can end without
 * a word, so a stream without beats counts as dead; and the visible page of a person whose presence counts polls now
 * and then although its stream works, because only a request proves to the server that they are still there. An error page that
 * replaced the whole page has no #live: then listening stops. While the person of the page is away (person.js), it asks
 * only when it is shown again, or another tab says so, whether they are back.
 */
"use strict";
(() => {
  const STREAM_RETRY = 60_000; // ms until the page asks again for a stream that the server refused
  const FIRST_RETRY = 5_000; // ms until the page polls after it could not load what has changed; then later each time
  const FIRST_CHECK = 3_000; // ms within which the page polls after its stream has ended
  const SLOW_POLL = 3_000; // ms after which the page says that it has no connection, while the poll goes on
  const LEAVES_AFTER = 4_000; // ms after which the player of a live game who looks at another tab is away
  const EVENTS = ["version", "board", "gone", "turns", "lists", "chat", "here", "spectators"];
  const live = document.getElementById("live");
  if (!live || !live.dataset.stream) return;

  let beat = 20_000; // ms between two beats; each beat says in seconds when the next one is due
  let stream = null;
  let isStreaming = false; // whether events arrive
  let isChecked = false; // whether a poll has followed the end of the events
  let heardAt = 0; // when the last event arrived or the stream was opened; these times count from the start of the page
  let retryAt = 0;
  let polledAt = performance.now();
  let poll = null; // what ends the poll under way
  let hasAnswered = true; // whether the last poll was answered
  let tickedAt = Date.now();
  let isLost = false;
  let retry = 0; // the timer of the next attempt to load what has changed
  let retryPause = FIRST_RETRY;
  let leaving = 0; // the timer until the player is away

  // A live game goes on while its player looks at another tab. A stream that ends there is not opened again, because
  // that would mark the player as present.
  const goesOn = "goesOn" in live.dataset;
  const isVisible = () => document.visibilityState === "visible";
  const pass = (name, value) => document.dispatchEvent(new CustomEvent(`live:${name}`, { detail: value }));
  const parse = (page) => new DOMParser().parseFromString(page, "text/html");

  function pollPause() {
    if (!isVisible()) return 3 * beat;
    if (!isStreaming || !hasAnswered) return 0.75 * beat;
    return "marksPresence" in live.dataset ? 2 * beat : Infinity;
  }

  function tick() {
    if (!live.isConnected) return close();
    setTimeout(tick, beat / 4);
    if (Person.isAway()) return;
    const now = performance.now();
    const hasSlept = Date.now() - tickedAt > beat; // The device slept, and its connections may have ended.
    tickedAt = Date.now();
    const isDue = stream ? now - heardAt > 2.25 * beat : now > retryAt;
    if (isVisible() && (hasSlept || isDue)) {
      if (stream) startPoll();
      open();
    }
    if (now - polledAt > pollPause()) startPoll();
  }

  function listen() {
    clearTimeout(leaving);
    if (goesOn && !isVisible()) leaving = setTimeout(startPoll, LEAVES_AFTER, { isLeaving: true });
    if (goesOn && isStreaming && !isVisible()) return;
    close();
    if (!isVisible()) return;
    if (Person.isAway()) startPoll();
    else open();
  }

  function close() {
    stream?.close();
    stream = null;
    isStreaming = false;
  }

  function open() {
    close();
    heardAt = performance.now();
    stream = new EventSource(live.dataset.stream);
    stream.addEventListener("beat", ({ data }) => {
      beat = 1000 * data;
      hear();
      pass("beat");
    });
    // A poll has the answer that says who it is.
    stream.addEventListener("person", ({ data }) => { if (data !== Person.own) { close(); startPoll(); } });
    // Another page of the player has been hidden, and its poll has marked them as away.
    stream.addEventListener("here", ({ data }) => {
      const { seat } = live.dataset;
      if (seat && isVisible() && !data.split(" ").includes(seat)) startPoll();
    });
    for (const name of EVENTS) stream.addEventListener(name, ({ data }) => { hear(); pass(name, data); });
    stream.addEventListener("error", ({ target }) => {
      isStreaming = false;
      if (!isVisible()) return close();
      // The browser reconnects by itself, unless the server refused the stream. A poll says whether there is a
      // connection; not of all pages in the same moment, because a restart ends the streams of all of them.
      if (target.readyState !== EventSource.CLOSED) {
        const check = () => isStreaming || Person.isAway() || startPoll();
        if (!isChecked) setTimeout(check, FIRST_CHECK * (0.3 + 0.7 * Math.random()));
        isChecked = true;
        return;
      }
      stream = null;
      retryAt = performance.now() + STREAM_RETRY;
      startPoll();
    });
  }

  function hear() {
    heardAt = performance.now();
    isStreaming = true;
    isChecked = false;
    showConnection(false);
  }

  async function startPoll({ isBrief = isStreaming, isLeaving = false } = {}) {
    polledAt = performance.now();
    poll?.abort();
    const own = poll = new AbortController();
    const timers = [setTimeout(() => showConnection(true), SLOW_POLL), setTimeout(() => own.abort(), beat / 2)];
    const address = new URL(live.dataset.poll, location);
    if (isVisible()) address.searchParams.set("visible", 1);
    else if (isLeaving) address.searchParams.set("leaving", 1);
    if (isBrief) address.searchParams.set("brief", 1);
    try {
      const response = await fetch(address, { headers: { "X-Person": Person.own }, signal: own.signal });
      if (response.status === 403 && Person.hasLeft(parse(await response.text()))) return showConnection(false);
      if (response.ok && response.headers.has("X-Nova-Luna")) Person.comeBack();
      const values = response.ok ? await response.json() : {};
      // The connection is back, and the attempt to open a stream may still wait for the old one.
      if (response.ok && !hasAnswered && stream && !isStreaming) open();
      hasAnswered = response.ok;
      if (response.status === 404 && response.headers.has("X-Nova-Luna")) return pass("gone");
      Object.entries(values).forEach(([name, value]) => pass(name, `${value}`));
      showConnection(!response.ok);
    } catch {
      if (poll !== own) return;
      hasAnswered = false;
      showConnection(true);
    } finally {
      timers.forEach(clearTimeout);
    }
  }

  function showConnection(isNowLost) {
    if (isNowLost === isLost || !live.dataset.lost) return;
    isLost = isNowLost;
    live.textContent = isLost ? live.dataset.lost : live.dataset.restored;
    live.hidden = false;
    if (!isLost) setTimeout(() => { live.hidden = !isLost; }, 4000);
  }

  /** Poll after a failed request, because a stream sends each value only once, and perhaps the site got the request. */
  function retryLoad({ detail }) {
    clearTimeout(retry);
    if (Person.isAway()) return;
    const { xhr } = detail; // Requests that never started have none.
    if (xhr?.status > 0 && xhr.status < 400 && xhr.getResponseHeader("X-Nova-Luna")) retryPause = FIRST_RETRY;
    else {
      // At random within this time, because all open pages may have failed in the same moment.
      retry = setTimeout(startPoll, retryPause * (0.5 + Math.random() / 2), { isBrief: false });
      retryPause = Math.min(2 * retryPause, STREAM_RETRY);
    }
  }

  // Not htmx:afterRequest, which a request that another one replaced has too.
  for (const name of ["htmx:afterOnLoad", "htmx:sendError", "htmx:timeout"]) {
    document.addEventListener(name, retryLoad, { capture: true });
  }
  document.addEventListener("person:doubt", () => startPoll());
  document.addEventListener("person:left", close);
  document.addEventListener("person:back", listen);
  document.addEventListener("visibilitychange", listen);
  window.addEventListener("online", listen);
  window.addEventListener("offline", () => Person.isAway() || startPoll());
  window.addEventListener("pagehide", close);
  window.addEventListener("pageshow", (event) => event.persisted && listen());
  listen();
  setTimeout(tick, beat / 4);
})();
