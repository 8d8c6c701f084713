/* serverNow() returns the time of the server in ms, whatever the clock of the device says; null until it is known.
 *
 * The page and the answer to a request have the time of the server. The answer is more exact, but on a slow line it waits
 * behind the files of the page. performance.now() counts on from there: it ignores changes of the device's clock. It stops
 * while some devices sleep. Then, and after such a change, the two clocks of the device have moved apart, so the server is
 * asked again.
 */
"use strict";
(() => {
  const TICK = 5_000, APART = 2_000, SLOW = 1_000, LATE = 10_000, LONGEST = 30_000, RETRY = 15_000, REPEAT = 60_000; // ms
  const { clock: address, time } = document.getElementById("live")?.dataset ?? {};
  const gap = () => Date.now() - performance.now();

  const { requestStart, responseStart } = performance.getEntriesByType("navigation")[0] ?? {};
  let isExact = false; // whether a request has been answered
  let ahead = time && responseStart ? 1000 * time - (requestStart + responseStart) / 2 : null;
  let gapThen = gap();
  let nextAt = 0;
  let isAsking = false;

  window.serverNow = () => (ahead === null ? null : performance.now() + ahead);

  async function ask() {
    if (isAsking || !address || !document.querySelector("[data-deadline], [data-ticks]")) return;
    isAsking = true;
    gapThen = gap();
    const start = performance.now();
    let date = NaN; // ms
    // A connection can swallow a request, and browsers wait for minutes.
    const limit = new AbortController();
    const timer = setTimeout(() => limit.abort(), LONGEST);
    try {
      const { headers } = await fetch(address, { method: "HEAD", cache: "no-store", priority: "high", signal: limit.signal });
      if (headers.has("X-Time")) date = Number(headers.get("X-Time"));
    } catch {
      // Without a connection, the page counts on, and asks again.
    }
    clearTimeout(timer);
    isAsking = false;
    const end = performance.now(), isLate = end - start > LATE;
    nextAt = Number.isNaN(date) ? end + RETRY : end - start > SLOW ? end + REPEAT : Infinity;
    if (Number.isNaN(date)) return;
    // Nobody knows where the time of a late answer was lost, so less time is left rather than more.
    isExact = true;
    ahead = date - (isLate ? start : (start + end) / 2);
    document.dispatchEvent(new Event("clock:set"));
  }

  setInterval(() => (performance.now() >= nextAt || Math.abs(gap() - gapThen) > APART) && ask(), TICK);
  document.addEventListener("visibilitychange", () => document.visibilityState === "visible" && ask());
  window.addEventListener("pageshow", ({ persisted }) => persisted && ask());
  // The first deadline may arrive with a part of the page.
  document.addEventListener("htmx:afterSettle", () => !isExact && ask());
  ask();
})();
