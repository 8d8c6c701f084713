/* Count down the time that is left until each deadline, also in the title of the tab, and on the clocks of a live game,
 * by the time of the server (clock.js). The words are those of `describe_time_left`, and `clock_face` shows a clock.
 */
"use strict";
(() => {
  const SECOND = 1_000, MINUTE = 60_000, HOUR = 60 * MINUTE, DAY = 24 * HOUR;
  const LOW = MINUTE; // with less, a clock is marked
  const LAST = 10 * SECOND; // with less, it shows tenths of a second
  // A page that is a little ahead of the server must not say that the time is up.
  const DOUBT = 3_000;
  // After its time is up, a player can do nothing until the site has decided. If it takes longer, it was perhaps down,
  // and then their move still counts.
  const DECISION = 15_000;
  let isTimeUp = false;
  // The English pages are British.
  const language = document.documentElement.lang.replace(/^en$/, "en-GB");
  const tenths = new Intl.NumberFormat(language, { minimumFractionDigits: 1, maximumFractionDigits: 1 });

  function amount(left) {
    const [unit, size] = left < 2 * HOUR ? ["minute", MINUTE] : left < 2 * DAY ? ["hour", HOUR] : ["day", DAY];
    return new Intl.NumberFormat(language, { style: "unit", unit, unitDisplay: "long" }).format(Math.round(left / size));
  }

  function words(time, left) {
    if (left <= -DOUBT) return time.dataset.up;
    return left < MINUTE ? time.dataset.moment : time.dataset.left.replace("{time}", amount(left));
  }

  /** Return a time as a clock shows it: "9:41", or "7.3" for the last seconds. */
  function face(left) {
    if (left < LAST) return tenths.format(Math.floor(Math.max(left, 0) / 100) / 10);
    const seconds = Math.floor(left / SECOND);
    const parts = [Math.floor(seconds / 3600), Math.floor(seconds / 60) % 60, seconds % 60];
    const shown = parts[0] ? parts : parts.slice(1);
    return shown.map((part, index) => `${part}`.padStart(index ? 2 : 1, "0")).join(":");
  }

  /** Show the time that is left everywhere, and return the ms until it must be shown again. */
  function show() {
    const now = window.serverNow();
    if (now === null) return SECOND;
    for (const time of document.querySelectorAll("[data-deadline]")) {
      const rest = time.querySelector("[data-rest]");
      const [before, after] = [rest.textContent, words(time, Date.parse(time.dateTime) - now)];
      if (before === after) continue;
      rest.textContent = after;
    }
    let pause = SECOND;
    for (const clock of document.querySelectorAll("[data-ticks]")) {
      const waits = "from" in clock.dataset ? Math.max(Date.parse(clock.dataset.from) - now, 0) : 0;
      const left = Date.parse(clock.dataset.ticks) - now - waits;
      showStart(clock.closest(".ticking"), waits);
      clock.textContent = face(left);
      clock.classList.toggle("is-low", left < LOW);
      clock.classList.toggle("is-last", left < LAST);
      // A little later than the next change of the clock, so that it shows each second.
      pause = Math.min(pause, left < LAST ? 100 : ((waits || left) % SECOND) + 5);
    }
    showInTitle(document.querySelector("[data-titled] :is([data-rest], [data-ticks])"));
    showTimeUp(document.querySelector("[data-ticks][data-up]"), now);
    return pause;
  }

  /** Show a clock in the title of the tab, after the heading or, in the past, after whose turn it is now. What the title
   * says now can be that of an older answer. */
  function showInTitle(clock) {
    if (!clock) return;
    const words = clock.closest("[data-titled]").dataset.titled || document.getElementById("h-turn").textContent.trim();
    const { title } = document, heading = `${words} · `;
    const start = title.indexOf(heading) + heading.length, end = title.indexOf(" · ", start);
    if (title.includes(heading)) document.title = title.slice(0, start) + clock.textContent + title.slice(end);
  }

  /** Show on the clock of a seat in how many ms it starts: at the fast paces, a little later than the game. */
  function showStart(seat, waits) {
    seat?.classList.toggle("is-running", !waits);
    const start = seat?.querySelector(".ticking__start");
    if (!start) return;
    start.querySelector("[data-seconds]").textContent = Math.ceil(waits / SECOND);
    start.hidden = !waits;
  }

  /** Say in the action bar that the time of the player to move is up, until the site has decided what follows. */
  function showTimeUp(clock, now) {
    const left = clock ? Date.parse(clock.dataset.ticks) - now : Infinity;
    isTimeUp = left <= 0 && left > -DECISION;
    const bar = document.getElementById("bar"), shown = bar?.querySelector(".bar__up");
    if (!isTimeUp) shown?.remove();
    else if (bar && !shown) Announcer.showError(clock.dataset.up, { className: "bar__error bar__up", before: bar.firstChild });
  }

  document.addEventListener("htmx:beforeRequest", (event) => {
    const isMove = event.detail.requestConfig.verb === "post" && event.target.closest("[data-turn=mine] #bar");
    if (isTimeUp && isMove) event.preventDefault();
  });
  (function tick() {
    setTimeout(tick, show());
  })();
  // Browsers slow the timers of hidden tabs down, but not the beats of the stream.
  for (const event of ["clock:set", "visibilitychange", "live:beat", "htmx:afterSwap", "htmx:afterSettle"]) {
    document.addEventListener(event, show);
  }
})();
