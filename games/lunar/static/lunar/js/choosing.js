/* Choose a card, a trump tile, or four cards to pass, without a request to the server.
 *
 * Each link holds the texts of its choice. The current choice is stored in the form that confirms it (#choice) and in
 * the address, so a board that the page loads by itself keeps it. A press on the chosen card or tile confirms it too.
 * A card that can't be played says why in the bar.
 */
"use strict";
(() => {
  const OF_EACH = 2; // ranks, and suits, that are passed
  const DOUBLE_PRESS = 400; // ms in which a press in the same place was meant for the board, or the choice, before it
  const SAME_PLACE = 24; // px
  const TRAVEL = { duration: 240, easing: "cubic-bezier(.3, .1, .2, 1)" };
  const reducedMotion = matchMedia("(prefers-reduced-motion: reduce)");
  const isFarFromConfirm = matchMedia("(min-width: 1200px) and (hover: hover)");
  const KEYS = /^[1-8wolb]$/; // of cards and trump tiles
  const LINKS = "#game :is(a[href], button):is([data-card], [data-suit])";

  let passed = []; // the chosen cards to pass, the first chosen one first
  let putBack = null; // the card whose place another one has taken in a pass
  let playedAt = -Infinity;
  let chosenAt = -Infinity;
  let pressedAt = [0, 0]; // where the last press was in the window
  let knowsReceived = false; // whether the viewer has pressed anything since their partner passed them cards

  const form = () => document.getElementById("choice");
  const formOrPlan = () => form() ?? document.getElementById("plan-cards"); // For a plan, each card is a button of its form.
  const links = () => [...document.querySelectorAll(LINKS)];
  const chosenLinks = () => links().filter((link) => link.classList.contains("is-chosen"));
  const isPassing = () => form().elements.do.value === "pass";
  const isOut = (link) => link.getAttribute("aria-disabled") === "true";
  const keyOf = (link) => (link.dataset.card ?? link.dataset.suit)[0].toLowerCase();
  const kindOf = (link) => (/^[1-8]/.test(link.dataset.card) ? "r" : "s");

  function load() {
    if (!document.querySelector(".is-received")) knowsReceived = false;
    else if (knowsReceived) unmarkReceived();
    passed = form() && isPassing() ? chosenLinks() : [];
    if (formOrPlan()) setKeys();
  }

  function unmarkReceived() {
    document.querySelector(".hand__received")?.remove();
    document.querySelectorAll(".is-received").forEach((card) => card.classList.remove("is-received"));
  }

  /** Choose or unchoose what a link shows. */
  function choose(link) {
    if (isPassing()) choosePassed(link);
    else for (const one of links()) mark(one, one === link);
    document.querySelectorAll("#bar .bar__error").forEach((error) => error.remove());
    draw();
    const { title, detail, said } = textsNow();
    Announcer.say(isPassing() ? `${link.dataset.name}. ${said ?? detail}` : `${title} ${detail}`);
  }

  function choosePassed(link) {
    const same = passed.filter((one) => kindOf(one) === kindOf(link));
    const isNew = !passed.includes(link);
    putBack = isNew && same.length === OF_EACH ? same[0] : null;
    passed = passed.filter((one) => one !== link && one !== putBack);
    if (isNew) passed.push(link);
    for (const one of links()) mark(one, passed.includes(one));
  }

  function mark(link, isChosen) {
    link.classList.toggle("is-chosen", isChosen);
    if (isChosen) link.setAttribute("aria-current", "true");
    else link.removeAttribute("aria-current");
  }

  /** Show the choice: in the form, the address, the bar, and where the cards would go. */
  function draw() {
    const [chosen] = chosenLinks();
    const fields = form().elements;
    const values = isPassing()
      ? { cards: passed.map((link) => link.dataset.card).join(" ") }
      : { card: chosen?.dataset.card ?? "", from: chosen?.dataset.from ?? "", nth: chosen?.dataset.nth ?? "", suit: chosen?.dataset.suit ?? "" };
    for (const [name, value] of Object.entries(values)) fields[name].value = value;
    setAddress(values);
    setTexts(textsNow());
    document.getElementById("undo").hidden = !chosen;
    const confirm = document.getElementById("confirm");
    const isReady = isPassing() ? passed.length === 2 * OF_EACH : Boolean(chosen);
    confirm.type = isReady ? "submit" : "button";
    if (isReady) confirm.removeAttribute("aria-disabled");
    else confirm.setAttribute("aria-disabled", "true");
    drawSlots(chosen);
    setKeys();
  }

  function setAddress(values) {
    const query = new URLSearchParams(Object.entries(values).filter(([, value]) => value)).toString();
    history.replaceState(history.state, "", location.pathname + (query ? `?${query}` : ""));
    document.querySelectorAll("#game [data-keeps-choice]").forEach((link) => { link.search = location.search; });
    // Another theme keeps the choice too.
    document.querySelector(".theme [name=next]").value = location.pathname + location.search;
  }

  function textsNow() {
    const { title, detail, chosen, putBack: isBack, again } = formOrPlan().dataset;
    if (!form()) return { title, detail };
    if (isPassing() && passed.length) {
      const ranks = passed.filter((link) => kindOf(link) === "r").length;
      const count = chosen.replace("{ranks}", ranks).replace("{suits}", passed.length - ranks);
      const back = putBack ? isBack.replace("{card}", putBack.dataset.name) : "";
      const said = `${back} ${count}`.trim();
      // The table shows that all are chosen, and Confirm leaves the text little room.
      return { title, said, detail: passed.length === 2 * OF_EACH ? back : said };
    }
    const [link] = isPassing() ? [] : chosenLinks();
    if (!link) return { title, detail };
    return { title: link.dataset.title, detail: link.dataset.detail || (isFarFromConfirm.matches && again) || "" };
  }

  function setTexts({ title, detail }) {
    document.getElementById("prompt-title").textContent = title;
    document.getElementById("prompt-detail").textContent = detail;
  }

  /** Show the chosen cards where they would go: in the slots of a pass, or in the place of the trick. */
  function drawSlots(chosen) {
    for (const kind of ["r", "s"]) {
      const cards = passed.filter((link) => kindOf(link) === kind);
      document.querySelectorAll(`.passing__slot[data-kind=${kind}]`).forEach((slot, nth) => fill(slot, cards[nth]));
    }
    const place = document.querySelector(".trick__place.is-now .trick__card");
    if (place) fill(place, chosen?.dataset.card ? chosen : undefined);
  }

  function fill(slot, link) {
    slot.querySelector(".card__art")?.remove();
    slot.classList.toggle("is-trial", Boolean(link));
    if (!link) return void delete slot.dataset.holds;
    const card = link.querySelector(".card__art");
    const art = card.cloneNode(true);
    slot.prepend(art);
    if (reducedMotion.matches || slot.dataset.holds === link.id) return;
    slot.dataset.holds = link.id;
    const [from, to] = [card, art].map((one) => one.getBoundingClientRect());
    const start = `translate(${from.left - to.left}px, ${from.top - to.top}px) scale(${from.width / to.width})`;
    art.animate([{ transform: start, transformOrigin: "0 0" }, { transform: "none", transformOrigin: "0 0" }], TRAVEL);
  }

  /** Give each key to the next fitting card or tile after the chosen one; each list has one stop of the Tab key. */
  function setKeys() {
    const byKey = new Map();
    for (const link of links()) {
      delete link.dataset.key;
      if (isOut(link)) continue;
      byKey.set(keyOf(link), [...(byKey.get(keyOf(link)) ?? []), link]);
    }
    for (const [key, fitting] of byKey) {
      const after = fitting.findLastIndex((link) => link.classList.contains("is-chosen")) + 1;
      fitting[after % fitting.length].dataset.key = key;
    }
    for (const list of new Set(links().map((link) => link.closest("ul")))) {
      const stops = [...list.querySelectorAll(":is(a[href], button)")];
      const first = stops.find((link) => link.classList.contains("is-chosen")) ?? stops.find((link) => !isOut(link)) ?? stops[0];
      for (const link of stops) link.tabIndex = link === first ? 0 : -1;
    }
  }

  /** Whether a press is the second one of a double press whose first one has played a card. */
  function isSecondPress({ isTrusted, detail, clientX, clientY }) {
    const isNear = Math.hypot(clientX - pressedAt[0], clientY - pressedAt[1]) < SAME_PLACE;
    return isTrusted && detail > 0 && isNear && performance.now() - playedAt < DOUBLE_PRESS;
  }

  document.addEventListener("click", (event) => {
    if (event.target.closest("#game") && document.querySelector(".is-received")) {
      knowsReceived = true;
      unmarkReceived();
    }
    const isSecond = isSecondPress(event);
    pressedAt = [event.clientX, event.clientY];
    const isPlain = !event.metaKey && !event.ctrlKey && !event.shiftKey && !event.altKey;
    const link = formOrPlan() && isPlain ? event.target.closest(`${LINKS}, #undo`) : null;
    if (!link) return;
    if (isSecond || !link.matches("button")) event.preventDefault();
    if (link.matches("button")) return;
    if (form()?.classList.contains("htmx-request") || isSecond) return;
    const byKeyboard = event.detail === 0;
    if (link.id === "undo") return undo(byKeyboard);
    if (isOut(link)) {
      setTexts(link.dataset);
      if (!byKeyboard) Announcer.say(`${link.dataset.title}. ${link.dataset.detail}`);
      return;
    }
    if (!byKeyboard && !isPassing() && link.classList.contains("is-chosen")) {
      if (performance.now() - chosenAt > DOUBLE_PRESS) form().requestSubmit();
      return;
    }
    choose(link);
    chosenAt = performance.now();
    const isReady = document.getElementById("confirm").type === "submit";
    if (isReady && !isPassing() && "skipsConfirm" in form().dataset) form().requestSubmit();
    else if (isReady && byKeyboard) document.getElementById("confirm").focus();
  });

  function sayLacks() {
    const { lacks } = form().dataset;
    setTexts({ ...textsNow(), detail: lacks });
    Announcer.say(lacks);
  }

  function undo(byKeyboard) {
    const [chosen] = chosenLinks();
    passed = [];
    putBack = null;
    for (const link of links()) mark(link, false);
    draw();
    if (byKeyboard && chosen) chosen.focus();
  }

  // What can't be played says why to who points at it or comes by keyboard. A pointer that rests where a card comes
  // points at nothing, so only its moves count.
  const outLink = (event) => formOrPlan() && event.target.closest?.(`${LINKS}[aria-disabled]`);
  document.addEventListener("pointermove", (event) => {
    if (event.pointerType === "mouse" && outLink(event)) setTexts(outLink(event).dataset);
  });
  document.addEventListener("pointerout", (event) => {
    if (event.pointerType === "mouse" && outLink(event)) setTexts(textsNow());
  });
  document.addEventListener("focusin", (event) => {
    if (event.target.matches(":focus-visible") && outLink(event)) setTexts(outLink(event).dataset);
  });
  // The key of cards that are all illegal leads to the first of them, which says why. A key without a card says so.
  document.addEventListener("keydown", (event) => {
    if (event.defaultPrevented || !formOrPlan() || document.querySelector("dialog[open]")) return;
    if (document.getElementById("game").dataset.shortcuts === "off") return;
    const meanings = Keyboard.meanings(event);
    const meant = links().filter((link) => meanings.includes(keyOf(link)));
    if (!meant.length && form() && meanings.some((key) => KEYS.test(key))) return sayLacks();
    if (!meant.length || meant.some((link) => link.dataset.key)) return;
    event.preventDefault();
    meant[0].focus();
  });
  document.addEventListener("focusout", (event) => { if (outLink(event)) setTexts(textsNow()); });

  document.addEventListener("htmx:afterSwap", ({ detail }) => {
    if (detail.requestConfig.verb === "post") playedAt = performance.now();
    load();
  });
  document.addEventListener("htmx:afterSettle", ({ detail: { requestConfig } }) => {
    load();
    // A choice that a new board does not allow leaves the address too.
    const isLost = requestConfig.elt.id === "game" && form() && !chosenLinks().length;
    if (isLost && /^\?(cards|card|suit)=/.test(location.search)) history.replaceState(history.state, "", location.pathname);
  });

  /** Scroll to the top of the page, and past its header where that would take the place of the hand. */
  function showTop() {
    const height = document.querySelector(".tip") ? 839 : 779; // px of a window in which the hand covers a part of the table
    const isLow = matchMedia(`(max-width: 699px) and (max-height: ${height}px), (max-width: 1199px) and (max-height: 599px)`).matches;
    const isCovered = isLow && document.getElementById("hand") && !document.querySelector(".messages");
    if (isCovered) document.getElementById("game").scrollIntoView({ behavior: "instant" });
    else scrollTo({ top: 0, behavior: "instant" });
  }

  const isLesson = ({ target }) => target.matches("#game.lesson");
  document.addEventListener("htmx:beforeSwap", ({ detail }) => { if (isLesson(detail) && detail.shouldSwap) showTop(); });
  document.addEventListener("htmx:afterSwap", foldEvents);

  /** On a phone, what a lesson says of the one before leaves the room to its own text. */
  function foldEvents() {
    if (matchMedia("(max-width: 699px)").matches) document.querySelector(".lesson__events")?.removeAttribute("open");
  }

  load();
  foldEvents();
  if (scrollY === 0 && !location.hash) showTop();
})();
