/* Replay actions one after another, at one of four speeds, until the present.
 *
 * The link #watch opens the board after the player's last turn, and #autoplay goes on from the board that is shown.
 * Any other click or key stops the replay.
 */
"use strict";
(() => {
  const PAUSE = 1400; // ms for each action: its animation, and time to look at it
  const SPEEDS = [0.5, 1, 2, 4];
  const CONTROLS = "#autoplay, #speed";
  let speed = 1;
  let isWatching = false;
  let timer = null;

  document.addEventListener("click", ({ target }) => {
    if (target.closest("#speed")) {
      speed = SPEEDS[(SPEEDS.indexOf(speed) + 1) % SPEEDS.length];
      if (isWatching) wait();
    } else if (target.closest("#autoplay") && !isWatching) {
      step();
    } else {
      watch(target.closest("#watch") !== null);
    }
    show();
  });
  document.addEventListener("keydown", ({ target, key }) => {
    if (!target.closest(CONTROLS) || ![" ", "Enter", "Tab"].includes(key)) watch(false);
    show();
  });
  document.addEventListener("htmx:afterSwap", show); // Later, the speed of the server would show for a moment.
  // The next pause begins when the board is there, however long its response takes, and not while nobody sees the page.
  document.addEventListener("htmx:afterSettle", ({ detail }) => {
    show();
    if (isWatching && detail.requestConfig.elt.id === "log") wait();
  });
  document.addEventListener("visibilitychange", () => isWatching && wait());

  // A step that fails ends the replay. Answers that are not the site's have no event of their own (failures.js).
  for (const name of ["htmx:sendError", "htmx:timeout", "htmx:afterOnLoad"]) {
    document.addEventListener(name, ({ detail: { elt, xhr } }) => {
      if (elt.id !== "log" || (xhr?.status > 0 && xhr.status < 400 && xhr.getResponseHeader("X-Nova-Luna"))) return;
      watch(false);
      show();
    });
  }

  function watch(isOn) {
    clearTimeout(timer);
    isWatching = isOn;
  }

  function wait() {
    clearTimeout(timer);
    if (!document.hidden) timer = setTimeout(step, PAUSE / speed);
  }

  function step() {
    const next = document.querySelector("#next[href]:not([aria-disabled])");
    next?.click(); // This stops the replay, as any click does.
    isWatching = next !== null;
    show();
  }

  /** Show the controls, whose state the server does not know. */
  function show() {
    const [play, pace] = [document.getElementById("autoplay"), document.getElementById("speed")];
    if (!play) return;
    play.setAttribute("aria-pressed", `${isWatching}`);
    pace.textContent = `${new Intl.NumberFormat(document.documentElement.lang).format(speed)}×`;
    pace.setAttribute("aria-label", pace.dataset.label.replace("{speed}", pace.textContent));
  }
  show();
})();
