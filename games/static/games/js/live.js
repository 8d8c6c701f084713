/* Keeps an open page of a game or table up to date, says in words what changed, and keeps one's place on it.
 *
 * #live says where to listen, #game[data-version] what the page shows. While the page is visible the server tells of
 * new versions by events; until it does, and while the page is hidden, the page asks now and then. An error page that
 * took the place of the whole page has no #game, and ends all this.
 */
"use strict";
(() => {
  const VISIBLE_POLL = 15_000;
  const HIDDEN_POLL = 60_000;
  const STREAM_AGAIN = 60_000;
  const live = document.getElementById("live");
  const news = document.getElementById("news");
  const game = () => document.getElementById("game");
  const shown = () => Number(game().dataset.version);

  let stream = null;
  let timer = null;
  let again = null;
  let newest = shown();
  let isLost = false;

  function listen() {
    clearInterval(timer);
    clearTimeout(again);
    if (stream) stream.close();
    stream = null;
    if (!game() || !live.dataset.stream || game().dataset.turn === "over") return;
    const isVisible = document.visibilityState === "visible";
    timer = setInterval(ask, isVisible ? VISIBLE_POLL : HIDDEN_POLL);
    if (!isVisible) return;
    stream = new EventSource(live.dataset.stream);
    stream.addEventListener("open", () => { clearInterval(timer); say(false); });
    stream.addEventListener("version", (event) => heard(Number(event.data)));
    stream.addEventListener("gone", () => location.reload());
    stream.addEventListener("error", () => {
      // The browser tries again by itself, except where the server has no stream to give.
      if (stream.readyState !== EventSource.CLOSED) return say(true);
      clearInterval(timer);
      timer = setInterval(ask, VISIBLE_POLL);
      again = setTimeout(listen, STREAM_AGAIN);
      ask();
    });
  }

  async function ask() {
    const query = document.visibilityState === "visible" ? "?visible=1" : "";
    try {
      const answer = await fetch(live.dataset.poll + query);
      if (answer.status === 404) return location.reload();
      if (answer.ok) heard((await answer.json()).version);
      say(!answer.ok);
    } catch {
      say(true);
    }
  }

  function heard(version) {
    if (!game()) return;
    newest = version;
    // Versions of a table are below 0 and go both ways; once it has started, it is another page.
    if (shown() >= 0) return refresh();
    if (newest >= 0) location.reload();
    else if (newest !== shown()) load();
  }

  function refresh() {
    // What the player has just asked for comes first, and brings the newest board with it.
    if (newest > shown() && !document.querySelector("#game.htmx-request, #game .htmx-request")) load();
  }

  function load() {
    const to = { source: "#game", target: "#game", swap: "outerHTML" };
    htmx.ajax("GET", location.pathname + location.search, to).catch(() => {}); // what overtakes it is as new
  }

  function say(lost) {
    if (lost === isLost) return;
    isLost = lost;
    live.textContent = lost ? live.dataset.lost : live.dataset.back;
    live.hidden = false;
    if (!lost) setTimeout(() => { live.hidden = !isLost; }, 4000);
  }

  const SCROLLING = ["log"];
  let before = { version: shown(), hadFocus: false, scrolled: [], unfolded: [], top: 0 };
  document.addEventListener("htmx:beforeSwap", () => {
    if (!game()) return;
    const scrolled = SCROLLING.map((id) => document.getElementById(id)).filter(Boolean)
      .map(({ id, scrollLeft, scrollTop }) => ({ id, scrollLeft, scrollTop }));
    const unfolded = [...document.querySelectorAll("#game details[id][open]")].map(({ id }) => id);
    const hadFocus = game().contains(document.activeElement);
    before = { version: shown(), hadFocus, scrolled, unfolded, top: scrollY };
  });
  document.addEventListener("htmx:afterSwap", () => {
    before.unfolded.forEach((id) => document.getElementById(id)?.setAttribute("open", ""));
    // While they were folded the page was shorter, and may have moved.
    if (before.unfolded.length) scrollTo({ top: before.top, behavior: "instant" });
  });
  document.addEventListener("htmx:afterSettle", ({ detail }) => {
    if (!game()) return listen();
    const icon = document.getElementById("icon");
    if (game().dataset.icon && icon.getAttribute("href") !== game().dataset.icon) icon.href = game().dataset.icon;
    const what = document.getElementById("hint") || document.getElementById("what");
    const said = what ? [...what.children].map((part) => part.textContent).filter(Boolean).join(". ") : "";
    news.textContent = shown() === before.version ? said : game().dataset.news;
    before.scrolled.forEach(({ id, ...to }) => Object.assign(document.getElementById(id) || {}, to));
    if (before.hadFocus && document.activeElement === document.body) {
      const bar = document.getElementById("bar");
      if (bar) bar.focus({ preventScroll: true });
    }
    if (detail.requestConfig.elt.id !== "game") showAnswer();
    // The page has asked by itself: a choice that no longer stands leaves the address too.
    else if (location.search.startsWith("?tile=") && !document.querySelector("#undo:not([hidden])")) {
      history.replaceState(history.state, "", location.pathname);
    }
    if (game().dataset.turn === "over") listen();
    else refresh();
  });

  /** Bring the action bar into view where it asks or refuses something. */
  function showAnswer() {
    const answer = document.querySelector("#bar [role=alert], #bar .btn--warn");
    if (answer) answer.closest("#bar").scrollIntoView({ block: "nearest" });
  }

  document.addEventListener("htmx:sendError", ({ detail }) => {
    const bar = document.getElementById("bar");
    if (detail.elt.id === "game" || !bar) return;
    const error = bar.querySelector(".bar__error") || document.createElement("p");
    error.className = "bar__error";
    error.setAttribute("role", "alert");
    error.textContent = live.dataset.unsent;
    bar.prepend(error);
    showAnswer();
  });

  document.addEventListener("visibilitychange", listen);
  window.addEventListener("pagehide", () => stream && stream.close());
  window.addEventListener("pageshow", (event) => event.persisted && listen());
  listen();
})();
