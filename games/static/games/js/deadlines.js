/* Keep the time that is left until each deadline up to date, also in the title of the tab, and show the deadline in the
 * zone of the device to people who have not chosen a zone. The words are those of `describe_time_left`.
 */
"use strict";
(() => {
  const MINUTE = 60_000, HOUR = 60 * MINUTE, DAY = 24 * HOUR;
  // The English pages are British.
  const language = document.documentElement.lang.replace(/^en$/, "en-GB");

  function amount(left) {
    const [unit, size] = left < 2 * HOUR ? ["minute", MINUTE] : left < 2 * DAY ? ["hour", HOUR] : ["day", DAY];
    return new Intl.NumberFormat(language, { style: "unit", unit, unitDisplay: "long" }).format(Math.round(left / size));
  }

  function words(time) {
    const left = new Date(time.dateTime) - Date.now();
    if (left <= 0) return time.dataset.up;
    return left < MINUTE ? time.dataset.moment : time.dataset.left.replace("{time}", amount(left));
  }

  function show() {
    for (const time of document.querySelectorAll("[data-deadline]")) {
      const rest = time.querySelector("[data-rest]");
      const [before, now] = [rest.textContent, words(time)];
      if (before !== now) {
        rest.textContent = now;
        document.title = document.title.replace(before, now);
      }
      if (!time.dataset.zone) {
        const parts = { weekday: "short", day: "numeric", month: "short", hour: "2-digit", minute: "2-digit" };
        time.querySelector("[data-when]").textContent = new Date(time.dateTime).toLocaleString(language, parts);
      }
    }
  }

  setInterval(show, 10_000);
  document.addEventListener("visibilitychange", show);
  document.addEventListener("htmx:afterSettle", show);
  show();
})();
