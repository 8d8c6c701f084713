/* Step through the game: by the buttons and the sliders of the bar and the history, by its entries, by actions that the
 * chat names, and by the links to the present and to the actions of a review.
 *
 * Every press counts: the next press starts from the board that the player wants, even while that board is loading.
 * The page requests one board at a time, and skips boards that the player has already stepped past. In a review, every
 * board has what the review says of its action.
 */
"use strict";
(() => {
  const isNarrow = matchMedia("(max-width: 1199px)");
  const isCompact = matchMedia( // all boards in one window, as in past.css
    "(max-width: 1199px) and (orientation: portrait), "
    + "(min-width: 700px) and (max-width: 1199px) and (min-height: 600px)",
  );
  const isCalm = matchMedia("(prefers-reduced-motion: reduce)");
  const LINKS = "#game [data-step], #game .log a:not(#older), #back, .chat__text a, "
    + "#game .strip :is(.strip__key, .strip__mistake, .point)";
  const READABLE = 60; // px of a part in sight, with which it is read
  let wantedNumber = null; // the number of the action whose board the player wants, until the page shows it
  let requestedNumber = null; // the number of the action whose board is loading
  let topOfNow = null; // how far the page was scrolled when the player left the present

  const sliders = () => [...document.querySelectorAll("#game .scrub__slide input")];
  const last = () => Number(sliders()[0].max);

  /** Return the address of the board after an action. It keeps what the player has chosen in the present. */
  function address(number) {
    const query = new URLSearchParams(location.search);
    ["at", "older"].forEach((name) => query.delete(name));
    if (number < last() || document.getElementById("review")) query.set("at", number);
    return location.pathname + (String(query) && `?${query}`);
  }

  function numberOf(link) {
    return Number(new URLSearchParams(link.search).get("at") ?? link.hash.split("-")[1] ?? last());
  }

  const shown = () => Number(document.getElementById("game").dataset.shown);

  function stepTo(number) {
    if (shown() === last()) topOfNow ??= scrollY;
    wantedNumber = number;
    updateControls();
    followPoint();
    if (requestedNumber === null) request();
  }

  /** Move the focus with the steps while it is on the chart of a review: its points say what their actions were. */
  function followPoint() {
    const points = [...document.querySelectorAll("#game .strip .point")];
    if (!points.includes(document.activeElement)) return;
    (points.findLast((point) => numberOf(point) <= wantedNumber) ?? points[0]).focus({ preventScroll: true });
  }

  function request() {
    requestedNumber = wantedNumber;
    htmx.ajax("GET", address(requestedNumber), { source: "#log", target: "#game", swap: "morph" }).catch(giveUp);
  }

  function giveUp() {
    wantedNumber = shown();
    updateControls();
    wantedNumber = requestedNumber = null;
  }

  function finishRequest() {
    const isDone = wantedNumber === requestedNumber || !sliders().length;
    requestedNumber = null;
    if (isDone) wantedNumber = null;
    else request();
  }

  /** Set the slider and the buttons to the wanted action, while its board is still loading. */
  function updateControls() {
    if (wantedNumber === null || !sliders().length) return;
    for (const slider of sliders()) {
      slider.value = wantedNumber;
      slider.style.setProperty("--done", `${(100 * wantedNumber) / last()}%`);
    }
    const targets = { first: 0, previous: wantedNumber - 1, next: wantedNumber + 1, now: last() };
    for (const [id, number] of Object.entries(targets)) {
      for (const button of document.querySelectorAll(`#game [data-step="${id}"]`)) {
        if (number === wantedNumber || number < 0 || number > last()) {
          // The link keeps its href, because it would lose the focus without it.
          button.setAttribute("aria-disabled", "true");
        } else {
          button.removeAttribute("aria-disabled");
          button.href = address(number);
        }
      }
    }
  }

  const opensTab = (event) => event.metaKey || event.ctrlKey || event.shiftKey;

  document.addEventListener("click", (event) => {
    const link = event.target.closest(LINKS);
    if (!link || !sliders().length || opensTab(event)) return;
    if (link.href && link.origin + link.pathname !== location.origin + location.pathname) return; // A link in the chat.
    event.preventDefault();
    if (link.href && link.getAttribute("aria-disabled") !== "true") stepTo(numberOf(link));
  });
  // Below the board of a wide window, the review leads to it; in others the board is not shown.
  document.addEventListener("click", (event) => {
    const link = event.target.closest('#review :is(a[href*="?at="], a[href^="#action-"])');
    if (!link || !document.getElementById("game").checkVisibility() || opensTab(event)) return;
    event.preventDefault();
    stepTo(numberOf(link));
    scrollTo({ top: 0, behavior: "instant" });
    document.getElementById("bar").focus({ preventScroll: true });
  });
  // While it is dragged too: boards that the slider has left before they arrive are skipped.
  document.addEventListener("input", ({ target }) => sliders().includes(target) && stepTo(Number(target.value)));
  document.addEventListener("htmx:afterSwap", () => {
    updateControls();
    keepFocus();
  });
  // Answers that are not the site's have no other event (failures.js).
  document.addEventListener("htmx:afterOnLoad", ({ detail: { elt, xhr } }) => {
    if (elt.id === "log" && (xhr.status >= 400 || !xhr.getResponseHeader("X-Nova-Luna"))) giveUp();
  });
  document.addEventListener("htmx:afterSettle", ({ detail }) => {
    updateControls();
    followEntry();
    if (detail.requestConfig.elt.id !== "log") return;
    finishRequest();
    showNow();
    showActionSoon();
  });

  /** Focus the twin in the bar of a step or a slider beside the history, which go while one looks back. */
  function keepFocus() {
    const used = document.activeElement.closest(".scrub :is(input, a)");
    if (!used || used.checkVisibility()) return;
    const twin = used.dataset.step ? `#bar [data-step=${used.dataset.step}]` : "#at-bar";
    document.querySelector(twin).focus();
  }

  /** Scroll the log to the action that the board shows, and to its end at the start. The page stays where it is. */
  function followEntry() {
    const log = document.getElementById("log");
    if (log && shown() === 0) log.scrollTop = log.querySelector("ol[reversed]") ? log.scrollHeight : 0;
    const entry = log?.querySelector(".is-shown");
    if (!entry) return;
    const top = entry.offsetTop, bottom = top + entry.offsetHeight;
    const isInSight = top >= log.scrollTop && bottom <= log.scrollTop + log.clientHeight;
    if (!isInSight) log.scrollTop = (top + bottom - log.clientHeight) / 2;
  }
  followEntry();
  const log = document.getElementById("log"); // morph.js keeps it
  if (log) new ResizeObserver(followEntry).observe(log);

  /** Where the bar covers a part of the board, scroll to what the shown action changed: a newest part of it, or all of
   * it, and in a review also to the better tile. Most windows show all boards of the past at the top of the page. Who
   * reads an open part below the board that follows the steps too stays there. */
  function showAction() {
    if (!sliders().length || !isNarrow.matches) return;
    const read = document.querySelector("#game [data-follows][open]")?.getBoundingClientRect();
    const barTop = document.getElementById("bar").getBoundingClientRect().top;
    if (read && read.top < barTop - READABLE && read.bottom > 0) return;
    const changed = document.querySelector("#game.is-past :is([data-acted], :has(> .better))");
    if (!changed) return;
    const parts = changed.querySelectorAll(".is-newest, .better");
    if (isCompact.matches && changed.closest(".stage")) {
      const { top, bottom } = changed.getBoundingClientRect();
      if (top < 0 || bottom > innerHeight) scrollTo({ top: 0, behavior: "instant" });
      return;
    }
    // A smooth scroll would end where the next one begins.
    const behavior = isCalm.matches || parts.length > 1 ? "instant" : "smooth";
    for (const part of parts.length ? parts : [changed]) {
      part.scrollIntoView({ block: "nearest", inline: "nearest", behavior });
    }
  }

  /** Back in the present, scroll the page to where it was, and the log to the newest action. */
  function showNow() {
    if (!sliders().length || shown() < last() || topOfNow === null) return;
    if (log) log.scrollTop = log.querySelector("ol[reversed]") ? 0 : log.scrollHeight;
    if (isNarrow.matches) scrollTo({ top: topOfNow, behavior: "instant" });
    topOfNow = null;
  }

  /** First bar.js finds out what the bar covers now. */
  function showActionSoon() {
    requestAnimationFrame(() => requestAnimationFrame(showAction));
  }
  if (!location.hash) showActionSoon(); // A link to a moment.
})();
