/* Keep the chat of a game up to date, show how many lines are unread, and store what the player has read.
 * Escape closes the chat, the note or the game menu that has the focus, and a press elsewhere the menu where it covers
 * something. A press on the board closes the chat that was opened from the action bar, unless the viewer writes. --talk
 * is the height of both, above which the history ends.
 *
 * stream.js receives the id of the newest line. A line has been read when it is in view of a visible page. What a
 * spectator has read is not stored.
 */
"use strict";
(() => {
  const talk = document.querySelector(".talk");
  for (const part of [talk, document.getElementById("game")]) part?.addEventListener("keydown", closeFold);
  document.addEventListener("click", ({ target }) => {
    const menu = document.querySelector("#about[open]");
    if (!menu || menu.contains(target)) return;
    if (getComputedStyle(menu.lastElementChild).position === "absolute") menu.open = false;
  });
  if (talk) new ResizeObserver(measure).observe(talk);
  const chat = document.getElementById("chat");
  if (!chat) return;
  const panel = document.getElementById("chat-panel");
  const live = document.getElementById("live");
  const counts = () => document.querySelectorAll("#chat-count, #chat-mark, #bar-chat > .count");
  const lines = () => document.getElementById("chat-lines");
  const lastLine = () => Number(lines().lastElementChild?.dataset.line ?? 0);
  const isPlayer = "isPlayer" in chat.dataset;
  let newest = Number(chat.dataset.newest); // the id of the newest line, also of those that are hidden from the viewer
  let asked = newest; // the newest one when the last request began
  let loaded = newest; // up to this one, all lines are here
  let readTo = Number(chat.dataset.readTo);
  let isInView = false;
  let spectatorsReadTo = newest; // of their lines, by a player, whose chat they join at the end
  let hasEnded = Boolean(document.querySelector("#game.has-ended"));
  let isIncomplete = false; // whether the game has ended, and the lines of the other chat are not here yet

  // An animation by the scroll position would stay when all lines have room again.
  const markScrolled = () => lines().classList.toggle("is-scrolled", lines().scrollTop > 0);
  chat.addEventListener("scroll", markScrolled, { capture: true, passive: true });
  chat.addEventListener("htmx:sendError", ({ target }) => showUnsent(target, live.dataset.unsent));
  chat.addEventListener("htmx:timeout", ({ target }) => showUnsent(target, live.dataset.unanswered));
  chat.addEventListener("htmx:beforeRequest", () => { asked = newest; });
  // After a failure, the next poll leads to another request.
  chat.addEventListener("htmx:afterRequest", ({ detail }) => {
    if (!detail.successful) return;
    if (detail.target === panel && detail.requestConfig.verb === "get") isIncomplete = false;
    if (!lines()) return void leave();
    loaded = Math.max(asked, lastLine());
    newest = Math.max(newest, loaded);
    setTimeout(load); // The answer may be older than a line that has arrived meanwhile.
  });
  chat.addEventListener("htmx:afterSettle", () => {
    if (!chat.isConnected) return;
    scrollDown();
    observer.disconnect();
    observer.observe(panel);
    update();
  });
  // A refreshed board brings its own title.
  document.addEventListener("htmx:afterSettle", showCount);
  // With the end of the game, players and spectators read each other's lines, in one chat.
  document.addEventListener("htmx:afterSettle", () => {
    if (hasEnded || !document.querySelector("#game.has-ended")) return;
    hasEnded = true;
    isIncomplete = true;
    if (isPlayer) spectatorsReadTo = 0;
    document.getElementById("chat-title").textContent = chat.dataset.titleAfter;
    load();
  });

  /** Take the chat away from a viewer who gets none after the end, as a visitor where nobody has written. */
  function leave() {
    chat.remove();
    document.getElementById("bar-chat")?.remove();
  }

  /** Store the height where something is open: a change lets the browser compute the style of every element. */
  function measure() {
    const isOpen = talk.querySelector(":scope > [open]");
    if (isOpen) document.documentElement.style.setProperty("--talk", `${talk.offsetHeight}px`);
  }

  // A line that arrives on an open page says "just now" for a minute only, whatever the clock of the device says.
  const arrivals = new Map([...lines().querySelectorAll("time")].map((time) => [time, null]));
  const ages = new Intl.RelativeTimeFormat(document.documentElement.lang);
  chat.addEventListener("htmx:afterSettle", () => {
    for (const time of lines()?.querySelectorAll("time") ?? []) {
      if (!arrivals.has(time)) arrivals.set(time, performance.now());
    }
  });
  setInterval(() => {
    for (const [time, at] of arrivals) {
      const minutes = at === null ? 0 : Math.floor((performance.now() - at) / 60_000);
      const hours = Math.floor(minutes / 60);
      if (minutes) time.textContent = hours ? ages.format(-hours, "hour") : ages.format(-minutes, "minute");
    }
  }, 20_000);

  document.addEventListener("live:chat", ({ detail }) => {
    newest = Math.max(newest, Number(detail));
    load();
  });

  function closeFold(event) {
    const fold = event.target.closest(".fold[open]");
    if (event.key !== "Escape" || event.isComposing || !fold) return;
    event.preventDefault(); // keys.js would undo the choice on the board.
    fold.open = false;
    fold.querySelector("summary").focus();
  }

  /** Load what is missing, or leave it to the end of the request under way: two answers could have the same line. */
  function load() {
    if (!chat.isConnected || chat.querySelector(".htmx-request")) return;
    if (isIncomplete) request("panel", { target: panel, swap: "morph:innerHTML" });
    else if (newest > loaded) request(`line=${lastLine()}`, { target: lines(), swap: "beforeend" });
  }

  function request(query, into) {
    htmx.ajax("GET", `${chat.dataset.url}?${query}`, { source: panel, ...into }).catch(() => {});
  }

  function update() {
    showCount();
    store();
  }

  function showCount() {
    // An error page that replaced the whole page has no chat.
    if (!chat.isConnected) return;
    const unread = unreadLines().length;
    for (const count of counts()) {
      count.hidden = !unread;
      count.querySelector("b").textContent = unread;
    }
    const title = document.title.replace(/^💬 \d+ · /, "");
    document.title = unread ? `💬 ${unread} · ${title}` : title;
  }

  function unreadLines() {
    const readToOf = (line) => (isPlayer && line.matches(".is-of-spectator") ? spectatorsReadTo : readTo);
    return [...lines().children].filter((line) => line.dataset.line > readToOf(line) && !line.matches(".is-you"));
  }

  async function store() {
    if (!chat.open || !isInView || document.visibilityState !== "visible") return;
    const isStored = isPlayer && unreadLines().some((line) => !line.matches(".is-of-spectator"));
    const before = readTo;
    readTo = spectatorsReadTo = loaded;
    showCount();
    if (!isStored) return;
    const body = new URLSearchParams({ line: loaded });
    const headers = { ...JSON.parse(document.body.getAttribute("hx-headers")), "HX-Request": "true" };
    const response = await fetch(chat.dataset.readUrl, { method: "POST", body, headers }).catch(() => null);
    if (!response?.ok || !response.headers.has("X-Nova-Luna")) readTo = before;
    showCount();
  }

  function scrollDown() {
    lines().scrollTop = lines().scrollHeight;
  }

  function showUnsent(form, text) {
    if (form === panel) return; // It has loaded lines.
    document.getElementById("chat-error")?.remove();
    Announcer.showError(text, { id: "chat-error", className: "error", before: form });
  }

  const observer = new IntersectionObserver(([entry]) => {
    isInView = entry.isIntersecting;
    store();
  });
  observer.observe(panel);

  chat.addEventListener("toggle", () => {
    if (!chat.open && talk.classList.contains("is-sheet")) {
      talk.classList.remove("is-sheet");
      if (!document.querySelector("#game :focus")) document.getElementById("bar-chat")?.focus({ preventScroll: true });
    }
    scrollDown();
    store();
  });
  // From the action bar, the chat opens above the board, which stays where it is.
  document.addEventListener("click", (event) => {
    const isSheet = talk.classList.contains("is-sheet");
    const isOnBoard = event.target.closest("#game") && !event.target.closest("#bar");
    if (isSheet && isOnBoard && !Fields.within(chat).some(Fields.isEdited)) chat.open = false;
    if (!event.target.closest("#bar-chat")) return;
    event.preventDefault();
    chat.open = !isSheet;
    if (isSheet) return;
    talk.classList.add("is-sheet");
    chat.querySelector("summary").focus({ preventScroll: true });
  });
  document.addEventListener("visibilitychange", store);
  document.getElementById("chat-mark")?.addEventListener("click", () => { chat.open = true; });
  if (location.hash === "#chat-lines") chat.open = true;
  scrollDown();
  showCount();
})();
