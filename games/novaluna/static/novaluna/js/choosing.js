/* Choose a tile and a cell without a request to the server.
 *
 * The page holds the text and the effect of every possible choice (#choices). This script shows them exactly as the
 * server would. The current choice is stored in the form that confirms it
 * (#choice) and in the address. A pointer or the focus on a cell previews the tile there: a trial.
 */
"use strict";
(() => {
  const NO_CHOICE = {};
  const BAR_MARGIN = 6; // px between a cell that is scrolled into view and the action bar
  const reducedMotion = matchMedia("(prefers-reduced-motion: reduce)");
  const onSmallScreen = matchMedia("(max-width: 1199px) and (orientation: portrait), (max-width: 1199px) and (max-height: 599px)");
  const onLowPhone = matchMedia("(max-width: 699px) and (max-height: 699px), (max-width: 1199px) and (max-height: 599px)");
  let choices = NO_CHOICE; // by tile and cell; the key "" has the text to show while nothing is chosen
  let drawn = ""; // the choice that the page shows, so that repeated events draw nothing
  let topBefore; // where the page was when nothing was chosen

  const canChoose = () => "" in choices;
  const isSending = () => form().classList.contains("htmx-request");
  const form = () => document.getElementById("choice");
  const tileLinks = () => document.querySelectorAll("#game [data-tile]");
  const cellLinks = () => document.querySelectorAll("#display .cell");
  const cellOf = (link) => Places.key(link.parentElement);
  const display = () => document.querySelector("#display .display");

  function loadChoices() {
    const data = document.getElementById("choices");
    choices = data ? JSON.parse(data.textContent) : NO_CHOICE;
    const { "": { label, names } = {}, ...tiles } = choices;
    for (const choice of Object.values(tiles)) choice.cells = placementsOf(choice, label, names);
    drawn = "";
    if (canChoose()) draw(currentChoice());
  }

  /** Return what each cell shows for a tile. The page holds only those where it covers goals, and the rest once. */
  function placementsOf({ texts, rest, cells }, label, names) {
    return Object.fromEntries(Object.entries(names).map(([at, name]) => {
      const placement = { text: rest, label: label.replace("{cell}", name), covers: [], ...cells[at] };
      return [at, { ...placement, ...texts[placement.text] }];
    }));
  }

  function currentChoice() {
    const { tile, x, y } = form().elements;
    return { tile: tile.value, cell: x.value && `${x.value}_${y.value}` };
  }

  function choose({ tile, cell }) {
    const fields = form().elements;
    [fields.tile.value, fields.x.value, fields.y.value] = [tile, ...(cell ? cell.split("_") : ["", ""])];
    history.replaceState(history.state, "", addressOf(tile, cell));
    document.querySelectorAll("#game [data-keeps-choice]").forEach((link) => { link.search = location.search; });
    // Another theme keeps the choice too.
    document.querySelector(".theme [name=next]").value = location.pathname + location.search;
    document.querySelectorAll("#bar .bar__error").forEach((error) => error.remove());
    draw({ tile, cell });
    announceChoice(tile, cell);
  }

  /** Return the address of the page with this choice. */
  function addressOf(tile, cell) {
    const [x, y] = cell ? cell.split("_") : [];
    return location.pathname + (!tile ? form().dataset.query || "" : cell ? `?tile=${tile}&x=${x}&y=${y}` : `?tile=${tile}`);
  }

  /** Show the board with this choice. A cell that is only on trial can't be confirmed. */
  function draw({ tile, cell }, isTrial = false, isByKey = false) {
    const state = [tile, cell, isTrial, isByKey].join();
    if (state === drawn) return;
    drawn = state;
    const choice = choices[tile] || NO_CHOICE;
    const placement = cell && choice.cells ? choice.cells[cell] : undefined;
    const text = placement || choice;
    document.getElementById("prompt-title").textContent = text.title || choices[""].title;
    const detail = text.title ? text.detail : choices[""].detail;
    document.getElementById("prompt-detail").textContent = isTrial && isByKey ? `${detail}. ${choices[""].press}` : detail;
    tileLinks().forEach((link) => {
      markCurrent(link, "is-chosen", link.dataset.tile === tile);
      link.href = addressOf(link.dataset.tile, currentChoice().cell);
    });
    document.querySelectorAll("#game .landing")
      .forEach((landing) => landing.classList.toggle("is-shown", landing.dataset.forTile === tile));
    drawCells(choice, tile, placement && cell);
    drawNextDiscs(placement ? placement.covers : []);
    document.querySelector("#chosen use")?.setAttribute("href", `#tile-${tile}`);
    document.getElementById("undo").hidden = !tile;
    const confirm = document.getElementById("confirm");
    const isReady = Boolean(placement) && !isTrial;
    confirm.type = isReady ? "submit" : "button";
    if (isReady) confirm.removeAttribute("aria-disabled");
    else confirm.setAttribute("aria-disabled", "true");
  }

  /** Show the cells where the tile may go, and the tile itself in the cell that is tried or chosen. */
  function drawCells({ cells = {} }, tile, filledCell) {
    setCells(Object.keys(cells));
    const art = document.querySelector(`#game [data-tile="${tile}"] .tile__art`);
    const tabStop = filledCell || currentChoice().cell || firstCell();
    cellLinks().forEach((link) => {
      const at = cellOf(link);
      const placement = cells[at];
      link.tabIndex = at === tabStop ? 0 : -1;
      link.querySelectorAll(".tile__art").forEach((old) => old.remove());
      markCurrent(link, "is-trial", at === filledCell);
      link.href = addressOf(tile, at);
      link.setAttribute("aria-label", placement.label);
      if (placement.covers.length) link.dataset.gain = `+${placement.covers.length}`;
      else delete link.dataset.gain;
      if (at === filledCell && art) link.prepend(art.cloneNode(true));
    });
  }

  /** Put a link on each of these cells, row by row among the tiles, and on no other cell. */
  function setCells(cells) {
    const links = [...cellLinks()];
    const missing = new Set(cells);
    for (const link of links) if (!missing.delete(cellOf(link))) link.parentElement.remove();
    for (const at of missing) display().insertBefore(newCell(at), placeAfter(at));
  }

  /** Return a cell as templates/games/_open_cell.html has it, without its address and its label. */
  function newCell(at) {
    const cell = document.createElement("li");
    const [x, y] = at.split("_");
    cell.style.setProperty("--x", x);
    cell.style.setProperty("--y", y);
    cell.innerHTML = `<a id="cell-${at}" class="cell tile"></a>`;
    return cell;
  }

  /** Return what follows a new cell in its display: the next tile or cell, or a hint's mark, or nothing. */
  function placeAfter(at) {
    const [x, y] = at.split("_").map(Number);
    const isAfter = ([toX, toY]) => toY > y || (toY === y && toX > x);
    return Places.of(display()).find((place) => isAfter(Places.coordinates(place))) || display().querySelector(".hinted");
  }

  function placeAt(at) {
    return Places.of(display()).find((place) => Places.key(place) === at);
  }

  /** Show the discs that the choice would place, as templates/games/_tile.html does. */
  function drawNextDiscs(covers) {
    document.querySelectorAll("#display .disc-preview").forEach((old) => old.remove());
    const { seat } = document.getElementById("display").dataset;
    for (const [at, corner] of covers.map((place) => place.split(":"))) {
      const art = placeAt(at).querySelector(".tile__art");
      const disc = `<use href="#disc-${seat}-${corner}"/><use href="#ring-${corner}"/>`;
      art.insertAdjacentHTML("beforeend", `<g class="disc-preview" data-corner="${corner}">${disc}</g>`);
    }
  }

  function firstCell() {
    const [first] = cellLinks();
    return first && cellOf(first);
  }

  /** Return the cell of the first tile, which has no other: nobody need press it. Without Confirm, its press plays. */
  function onlyCell(tile) {
    const cells = Object.keys(choices[tile].cells);
    return cells.length === 1 && !("skipsConfirm" in form().dataset) ? cells[0] : "";
  }

  function markCurrent(link, name, isCurrent) {
    link.classList.toggle(name, isCurrent);
    if (isCurrent) link.setAttribute("aria-current", "true");
    else link.removeAttribute("aria-current");
  }

  function announceChoice(tile, cell) {
    const choice = choices[tile];
    if (!choice) return;
    const text = cell ? choice.cells[cell] : choice;
    Announcer.say(`${text.title}. ${text.detail}`);
  }

  /** Return the link around the event's target, or null where the browser or the server must handle the event. */
  function linkFor(event, selector) {
    const isPlain = !event.metaKey && !event.ctrlKey && !event.shiftKey && !event.altKey;
    return canChoose() && isPlain ? event.target.closest(selector) : null;
  }

  document.addEventListener("click", (event) => {
    const link = linkFor(event, "#game [data-tile], #display .cell, #undo, #follow");
    if (!link) return;
    event.preventDefault();
    if (isSending()) return;
    const byKeyboard = event.detail === 0;
    if (!currentChoice().tile) topBefore = scrollY;
    if (link.id === "undo") {
      const { tile } = currentChoice();
      choose({ tile: "", cell: "" });
      if (byKeyboard) document.getElementById(`take-${tile}`).focus();
      else scrollBy((topBefore ?? scrollY) - scrollY);
    } else if (link.id === "follow") {
      choose({ tile: link.dataset.forTile, cell: link.dataset.at });
      if (byKeyboard) document.getElementById("confirm").focus();
      else scrollToDisplay();
    } else if (link.dataset.tile) {
      choose({ tile: link.dataset.tile, cell: onlyCell(link.dataset.tile) || currentChoice().cell });
      if (byKeyboard) document.querySelector("#display .cell[tabindex='0']").focus();
      else scrollToDisplay();
    } else {
      choose({ tile: currentChoice().tile, cell: cellOf(link) });
      if ("skipsConfirm" in form().dataset) form().requestSubmit();
      else if (byKeyboard) document.getElementById("confirm").focus();
      else scrollToCell(link);
    }
  });

  // A press on a tile out of reach says why nothing happens, until the next choice.
  document.addEventListener("click", (event) => {
    if (!canChoose() || !event.target.closest("#game .wheel__space.is-far")) return;
    drawn = "";
    document.getElementById("prompt-detail").textContent = choices[""].beyond;
    Announcer.say(choices[""].beyond);
  });

  /** Scroll until every cell is above the action bar; where they do not fit, the display starts at the window's top. */
  function scrollToDisplay() {
    scrollAboveBar(display());
  }

  const startTrial = (event) => {
    const cell = linkFor(event, "#display .cell");
    const isTrial = cell && cellOf(cell) !== currentChoice().cell;
    if (cell) draw({ ...currentChoice(), cell: cellOf(cell) }, isTrial, event.type === "focusin");
  };
  const endTrial = (event) => {
    if (linkFor(event, "#display .cell")) draw(currentChoice());
  };
  document.addEventListener("pointerover", (event) => event.pointerType === "mouse" && startTrial(event));
  document.addEventListener("pointerout", (event) => event.pointerType === "mouse" && endTrial(event));
  document.addEventListener("focusin", (event) => {
    if (!event.target.matches(":focus-visible")) return;
    startTrial(event);
    const cell = linkFor(event, "#display .cell");
    // Screen readers already read the cell's label, which names the goals. Only the time is missing.
    if (cell) Announcer.say(choices[currentChoice().tile].cells[cellOf(cell)].detail);
  });
  document.addEventListener("focusout", endTrial);

  /** Scroll to the cell of a hint that has just arrived, unless the player has already chosen a tile. */
  function showNewHint() {
    const hinted = hintedCell();
    if (hinted && !hadHint && canChoose() && !currentChoice().tile) scrollToCell(hinted);
    hadHint = Boolean(hinted);
  }

  // The tile that the player places, and the turn before it, while the page that shows it loads.
  let placedAt = "";
  let before = {};
  document.addEventListener("htmx:beforeSwap", () => {
    const placed = document.querySelector(".game #display .is-trial");
    placedAt = placed ? cellOf(placed) : "";
    before = shownTurn();
  });

  /** Return whose turn the page shows, and the number of the action that the player can choose now. In a try, they choose each. */
  function shownTurn() {
    const game = document.querySelector(".game");
    if (game?.closest(".is-try")) return { turn: "mine", number: game.dataset.shown };
    return { turn: game?.dataset.turn, number: form()?.elements.number?.value };
  }

  /** Scroll to the top of the board on a phone or a tablet after the player's move. Nothing scrolls when another has moved. */
  function showTurn() {
    const { turn, number } = shownTurn();
    const goesOn = turn === "mine" && number && before.number && number !== before.number;
    if (document.querySelector(".game:is(.is-past, .is-over)")) return; // The result shows.
    if (before.turn !== "mine" || !(placedTile() || goesOn) || !isLookingAtBoard()) return showPlaced();
    const distance = distanceToWheel();
    if (distance) scrollBy(distance);
  }

  /** Return how far to scroll to the top of the page (in a low window, of the board), or of the wheel where that keeps the placed tile in sight. */
  function distanceToWheel() {
    const toTop = onLowPhone.matches ? distanceToBoard() : -scrollY;
    const placed = placedTile();
    if (!placed || toTop > 0) return toTop;
    const toWheel = Math.min(document.querySelector(".game__wheel").getBoundingClientRect().top - coveredTop(), 0);
    return Math.min(Math.max(toTop, distanceBelowBar(placed)), toWheel);
  }

  /** Whether the player of a phone or a tablet sees the wheel or their display, and neither reads nor writes something else. */
  function isLookingAtBoard() {
    const { top, height } = document.getElementById("display").getBoundingClientRect();
    return onSmallScreen.matches && top + height / 2 > 0
      && !document.querySelector("dialog[open]") && !document.activeElement.matches("input, textarea");
  }

  /** Scroll past the header of a new page where it would take the place of the display of a player. */
  function showBoard() {
    const isCovered = onLowPhone.matches && scrollY === 0 && !location.hash && !document.querySelector(".messages");
    if (isCovered && document.querySelector("#game:not(.is-whole, .is-over)")) window.scrollBy({ top: distanceToBoard(), behavior: "instant" });
  }

  /** Return how far to scroll until the board is at the top of the window, below the band of a try. */
  function distanceToBoard() {
    const band = document.querySelector(".try-band");
    const isCovering = band && getComputedStyle(band).position === "sticky";
    return document.getElementById("game").getBoundingClientRect().top - (isCovering ? band.offsetHeight : 0);
  }

  /** Keep the tile that the player has just placed in sight where the whole page scrolls, as on phones. */
  function showPlaced() {
    const placed = placedTile();
    if (placed && document.getElementById("bar") && !matchMedia("(min-width: 1200px)").matches) scrollToCell(placed);
  }

  function placedTile() {
    // An error page has no display.
    const placed = placedAt && display() ? placeAt(placedAt) : undefined;
    return placed?.querySelector(".cell") ? undefined : placed;
  }

  function scrollToCell(cell) {
    cell.scrollIntoView({ block: "nearest" }); // where the display itself scrolls
    scrollAboveBar(cell);
  }

  /** Scroll no further than needed to show a part of the page above the action bar, at least its top. */
  function scrollAboveBar(part) {
    const { top } = part.getBoundingClientRect();
    const overlap = Math.min(distanceBelowBar(part), top - BAR_MARGIN);
    const distance = overlap > 0 || top >= 0 ? Math.max(overlap, 0) : top - BAR_MARGIN;
    if (distance) scrollBy(pastTip(distance));
  }

  /** Return a distance that does not leave a part of the tip under the clocks. */
  function pastTip(distance) {
    const tip = document.querySelector(".tip")?.getBoundingClientRect();
    return tip && tip.top - distance < coveredTop() ? Math.max(distance, tip.bottom - coveredTop()) : distance;
  }

  function coveredTop() {
    return parseFloat(document.documentElement.style.getPropertyValue("--covered-top")) || 0;
  }

  function distanceBelowBar(part) {
    return part.getBoundingClientRect().bottom + BAR_MARGIN - barTop();
  }

  function scrollBy(top) {
    window.scrollBy({ top, behavior: reducedMotion.matches ? "instant" : "smooth" });
  }

  /** Return where the top of the action bar is, or will be once it sticks to the window's bottom; of the plan above it, if that sticks too. */
  function barTop() {
    const { top, height } = document.getElementById("bar").getBoundingClientRect();
    const plan = document.querySelector(".game__mine > .plan");
    const isCovering = plan && getComputedStyle(plan).position === "sticky";
    return Math.min(top, innerHeight - height) - (isCovering ? plan.offsetHeight + BAR_MARGIN : 0);
  }

  /** Return the cell that a hint marks; a mark in a lesson is no hint, because the text above explains it. */
  function hintedCell() {
    return document.querySelector(".game #display .hinted");
  }

  let hadHint = hintedCell() !== null;
  // Between these two events, the player can choose already, and htmx settles the attributes of the new board.
  document.addEventListener("htmx:afterSwap", loadChoices);
  /** Remove a choice from the address too, if it is no longer possible on a board that the page itself loaded. */
  function forgetLostChoice({ requestConfig }) {
    if (requestConfig.elt.id !== "game" || !location.search.startsWith("?tile=")) return;
    if (!document.querySelector("#undo:not([hidden])")) history.replaceState(history.state, "", location.pathname);
  }

  document.addEventListener("htmx:afterSettle", ({ detail }) => {
    loadChoices();
    showNewHint();
    showTurn();
    forgetLostChoice(detail);
  });
  loadChoices();
  showBoard();
})();
