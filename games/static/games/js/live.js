/* Keep an open page of a game or table up to date, and announce what changed.
 *
 * stream.js receives the versions, and for a player the new boards. #game[data-version] is the version that the page
 * shows, and morph.js changes only what differs. An error page that replaced the whole page has no #game.
 */
"use strict";
(() => {
  const live = document.getElementById("live");
  const game = () => document.getElementById("game");
  const shownVersion = () => Number(game().dataset.version);

  let newest = shownVersion();
  let sent = null; // the newest board that the stream has sent, which shows version `sent.version`

  document.addEventListener("live:version", ({ detail }) => receive(Number(detail)));
  document.addEventListener("live:board", ({ detail }) => {
    const board = JSON.parse(detail);
    if (board.version >= newest) sent = board;
    receive(board.version);
  });
  document.addEventListener("live:gone", () => location.reload());

  // The response to a form shows the newest page. A reload would cancel it, and with it the log-in of a new guest.
  let isSending = false;
  document.addEventListener("submit", (event) => { isSending = !event.defaultPrevented; });
  window.addEventListener("pageshow", () => { isSending = false; });

  function receive(version) {
    // A late poll or board can be older than what the stream has sent.
    if (!game() || (newest >= 0 && version < newest)) return;
    newest = version;
    // The versions of a table are negative, and decrease with each change. A game that has started has another
    // page, so that page is loaded.
    if (shownVersion() >= 0) return refresh();
    if (isSending) return;
    if (newest >= 0) start();
    else if (newest !== shownVersion()) load();
  }

  /** Load the page of a game that has started. That marks its player as present, so it waits until they look. */
  function start() {
    if (document.visibilityState === "visible") return location.reload();
    if (document.title === live.dataset.started) return;
    document.title = live.dataset.started;
    document.dispatchEvent(new Event("live:started"));
  }

  function refresh() {
    // Nothing changes a lesson. Another one can have a lower version than the one that the page had at first.
    if (game().matches(".lesson")) return;
    // If a request of the player is under way, its response will have the newest board.
    if (newest <= shownVersion() || isSendingPart()) return;
    if (sent?.version === newest && isPlain()) {
      const boards = [...(sent.between ?? []), sent.html]; // An earlier version of the site sends none between.
      sent = null;
      Boards.add(boards, show);
    } else if (!Boards.areWaiting()) load();
  }

  const isSendingPart = () => document.querySelector("#game.htmx-request, #game .htmx-request") !== null;

  /** Whether the page shows the newest board and nothing that its viewer has chosen or asked for. */
  const isPlain = () => !location.search && !document.querySelector("#bar[data-plans], #older[data-is-wanted]");

  /** Show a board with the events that htmx has for one that it loads; not if its viewer does something else now. */
  function show(html) {
    if (game() && Number(html.match(/ data-version="(-?[0-9]+)"/)?.[1]) <= shownVersion()) return true; // It came late.
    if (!game() || !isPlain() || isSendingPart()) return void setTimeout(refresh);
    const elt = game();
    const xhr = { status: 200, responseText: html };
    const pathInfo = { requestPath: location.pathname };
    const detail = { elt, target: elt, xhr, pathInfo, requestConfig: { elt, verb: "get" }, shouldSwap: true, isBoard: true };
    if (!htmx.trigger(elt, "htmx:beforeSwap", detail)) return false;
    const timing = { swapDelay: htmx.config.defaultSwapDelay, settleDelay: htmx.config.defaultSettleDelay };
    htmx.swap(elt, html, { swapStyle: "morph", ...timing }, { contextElement: elt, eventInfo: detail });
    return true;
  }

  const showsInOrder = () => shownVersion() >= 0 && Boards.isSeen() && isPlain();

  /** Let the boards of a response follow each other, or show the newest one if nothing else may be shown. */
  function showBoardsOf(detail) {
    const boards = detail.serverResponse.split("<!-- next board -->"); // NEXT_BOARD in games/views/game/catching_up.py
    detail.serverResponse = boards.at(-1);
    if (!showsInOrder() || !detail.shouldSwap) return;
    detail.shouldSwap = false;
    setTimeout(() => Boards.add(boards, show)); // When the request is over.
  }

  function load() {
    const headers = document.querySelector("#bar[data-plans]") ? { "X-Plans": "1" } : {};
    if (showsInOrder()) headers["X-Shows"] = shownVersion();
    if (document.getElementById("watch-next")) headers["X-Leads-On"] = "1"; // The link stays until the game ends.
    const target = { source: "#game", target: "#game", swap: "morph", headers };
    // htmx drops this request when the player sends another one, because that response is just as new.
    htmx.ajax("GET", location.pathname + location.search, target).catch(() => {});
  }

  /** Whether this is an update for another address: the player has chosen something while it was on its way. */
  const isOutdated = ({ requestConfig, pathInfo }) =>
    requestConfig.elt.id === "game" && pathInfo.requestPath !== location.pathname + location.search;

  const unsaid = []; // what boards announce that others follow
  let before = { version: shownVersion(), isOver: false, hadFocus: false };
  document.addEventListener("htmx:beforeSwap", (event) => {
    const { detail } = event;
    if (!game()) return;
    if (isOutdated(detail)) {
      event.preventDefault();
      return void setTimeout(refresh);
    }
    if (detail.requestConfig.elt.id === "game" && !detail.isBoard) showBoardsOf(detail);
    if (!detail.isBoard && detail.shouldSwap && detail.target.id === "game") Boards.clear();
    // The same error in the new board is then a new element, and spoken again.
    if (detail.shouldSwap) game().querySelectorAll("[role=alert]").forEach((error) => error.remove());
    const hadFocus = game().contains(document.activeElement);
    const isOver = document.getElementById("result") !== null;
    before = { version: shownVersion(), isOver, hadFocus };
  });
  // An answer to a vote keeps what the viewer has chosen or looks at.
  // Once the viewer has asked for the earlier actions of the log, each new board shows them too.
  document.addEventListener("htmx:configRequest", ({ detail }) => {
    const isWanted = document.querySelector("#older[data-is-wanted]") !== null;
    if (detail.elt.matches("[data-keeps-choice]")) detail.path += location.search;
    if (isWanted && detail.target.id === "game" && !detail.path.includes("older=")) detail.parameters.older = "1";
  });

  document.addEventListener("htmx:afterSettle", ({ detail }) => {
    if (!game() || detail.target.id === "older") return;
    const icon = document.getElementById("icon");
    if (game().dataset.icon && icon.getAttribute("href") !== game().dataset.icon) icon.href = game().dataset.icon;
    const prompt = document.getElementById("hint") || document.getElementById("prompt");
    const text = prompt ? [...prompt.children].map((part) => part.textContent).filter(Boolean).join(". ") : "";
    if (detail.elt.matches(".said")) unsaid.push(detail.elt.textContent);
    else unsaid.push(shownVersion() === before.version ? text : game().dataset.announcement);
    // One after another, each would cut the one before it short.
    if (!Boards.areWaiting()) Announcer.say(unsaid.splice(0).join(" "));
    const result = document.getElementById("result");
    if (before.hadFocus && document.activeElement === document.body) {
      (result || document.getElementById("bar"))?.focus({ preventScroll: true });
    }
    // The question before the first hint of a game: Enter answers it.
    if (detail.requestConfig.elt.id === "ask") document.querySelector("#bar .btn--main")?.focus({ preventScroll: true });
    // They are about what was before.
    if (detail.requestConfig.verb === "post" || (result && !before.isOver)) document.querySelector(".messages")?.remove();
    if (detail.requestConfig.elt.id !== "game") scrollToAnswer();
    if (detail.requestConfig.elt.id === "plan-done") scrollTo({ top: 0 }); // The plan may be below the board.
    refresh();
  });

  /** Scroll to the action bar if it shows an error or asks for a confirmation. */
  function scrollToAnswer() {
    const answer = document.querySelector("#bar [role=alert], #bar .btn--warn");
    const bar = answer?.closest("#bar");
    if (!bar) return;
    const { top, bottom } = bar.getBoundingClientRect();
    // From below it, with the board that the answer is about. A bar that sticks to the window would scroll it all the same.
    if (top < 0 || bottom > innerHeight) bar.scrollIntoView({ block: top < 0 ? "end" : "nearest" });
  }

  document.addEventListener("htmx:sendError", ({ detail }) => showUnsent(detail, live.dataset.unsent));
  document.addEventListener("htmx:timeout", ({ detail }) => showUnsent(detail, live.dataset.unanswered));

  function showUnsent(detail, text) {
    const bar = document.getElementById("bar");
    if (detail.elt.id === "game" || !bar) return;
    bar.querySelectorAll(".bar__error").forEach((old) => old.remove());
    Announcer.showError(text, { className: "bar__error", before: bar.firstChild });
    scrollToAnswer();
  }
})();
