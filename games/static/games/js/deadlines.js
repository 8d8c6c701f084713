/* Count down the time that is left until each deadline, also in the title of the tab, by the time of the server
 * (clock.js). The words are those of `describe_time_left`.
 */
"use strict";
(() => {
  const MINUTE = 60_000, HOUR = 60 * MINUTE, DAY = 24 * HOUR;
  // A page that is a little ahead of the server must not say that the time is up.
  const DOUBT = 3_000;
  // The English pages are British.
  const language = document.documentElement.lang.replace(/^en$/, "en-GB");

  function amount(left) {
    const [unit, size] = left < 2 * HOUR ? ["minute", MINUTE] : left < 2 * DAY ? ["hour", HOUR] : ["day", DAY];
    return new Intl.NumberFormat(language, { style: "unit", unit, unitDisplay: "long" }).format(Math.round(left / size));
  }

  function words(time, now) {
    const left = Date.parse(time.dateTime) - now;
    if (left <= -DOUBT) return time.dataset.up;
    return left < MINUTE ? time.dataset.moment : time.dataset.left.replace("{time}", amount(left));
  }

  function show() {
    const now = window.serverNow();
    if (now === null) return;
    for (const time of document.querySelectorAll("[data-deadline]")) {
      const rest = time.querySelector("[data-rest]");
      const [before, after] = [rest.textContent, words(time, now)];
      if (before === after) continue;
      rest.textContent = after;
      document.title = document.title.replace(before, after);
    }
  }

  setInterval(show, 1_000);
  for (const event of ["clock:set", "visibilitychange", "htmx:afterSettle"]) document.addEventListener(event, show);
})();
