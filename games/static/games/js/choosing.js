/* Choosing a tile and a cell without asking the server: the page holds what each choice would bring (#choices), and
 * every mark that shows it; this shows and hides them as the server would. What is chosen stands in the form that
 * confirms it (#choice) and in the address. A pointer or the focus on a cell tries the tile there.
 */
"use strict";
(() => {
  const NONE = {};
  const ROOM = 12; // px between what is brought into view and the action bar
  let choices = NONE; // by tile and cell; under "" what is said as long as nothing is chosen
  let shown = "";

  const canChoose = () => "" in choices;
  const isSending = () => form().classList.contains("htmx-request");
  const form = () => document.getElementById("choice");
  const takes = () => document.querySelectorAll("#game [data-tile]");
  const cells = () => document.querySelectorAll("#display .cell");
  const cellOf = (link) => link.parentElement.dataset.at;

  function read() {
    const data = document.getElementById("choices");
    choices = data ? JSON.parse(data.textContent) : NONE;
    shown = "";
    if (canChoose()) show(chosen());
  }

  function chosen() {
    const { tile, x, y } = form().elements;
    return { tile: tile.value, cell: x.value && `${x.value}_${y.value}` };
  }

  function choose({ tile, cell }) {
    const fields = form().elements;
    [fields.tile.value, fields.x.value, fields.y.value] = [tile, ...(cell ? cell.split("_") : ["", ""])];
    history.replaceState(history.state, "", address(tile, cell));
    document.querySelectorAll("#game [data-keeps-choice]").forEach((link) => { link.search = location.search; });
    document.querySelectorAll("#bar .bar__error").forEach((error) => error.remove());
    show({ tile, cell });
    say(tile, cell);
  }

  /** Return the address of the page on which this is chosen. */
  function address(tile, cell) {
    const [x, y] = cell ? cell.split("_") : [];
    return location.pathname + (!tile ? "" : cell ? `?tile=${tile}&x=${x}&y=${y}` : `?tile=${tile}`);
  }

  /** Show the board with this choice; with a cell that is only tried, it can't be confirmed yet. */
  function show({ tile, cell }, isTried = false) {
    const state = [tile, cell, isTried].join();
    if (state === shown) return;
    shown = state;
    const choice = choices[tile] || NONE;
    const trial = cell && choice.cells ? choice.cells[cell] : undefined;
    const said = trial || choice;
    document.querySelector("#what b").textContent = said.what || choices[""].what;
    document.querySelector("#what span").textContent = said.what ? said.hint : choices[""].hint;
    takes().forEach((take) => {
      mark(take, "is-chosen", take.dataset.tile === tile);
      take.href = address(take.dataset.tile, chosen().cell);
    });
    document.querySelectorAll("#game .landing")
      .forEach((landing) => landing.classList.toggle("is-shown", landing.dataset.of === tile));
    showCells(choice, tile, trial && cell);
    const covers = new Set(trial ? trial.covers.map(String) : []);
    document.querySelectorAll("#display .will").forEach((goal) => {
      const at = goal.closest("li").dataset.at;
      goal.classList.toggle("is-coming", covers.has(`${at},${goal.dataset.goal}`));
    });
    document.getElementById("undo").hidden = !tile;
    const confirm = document.getElementById("confirm");
    const isReady = Boolean(trial) && !isTried;
    confirm.type = isReady ? "submit" : "button";
    if (isReady) confirm.removeAttribute("aria-disabled");
    else confirm.setAttribute("aria-disabled", "true");
  }

  function showCells(choice, tile, trial) {
    const art = document.querySelector(`#game [data-tile="${tile}"] .tile__art`);
    const stop = trial || chosen().cell || firstCell();
    cells().forEach((link) => {
      const at = cellOf(link);
      const here = choice.cells ? choice.cells[at] : undefined;
      link.parentElement.hidden = !here;
      link.tabIndex = at === stop ? 0 : -1;
      link.querySelectorAll(".tile__art").forEach((old) => old.remove());
      mark(link, "is-trial", at === trial);
      if (!here) return;
      link.href = address(tile, at);
      link.setAttribute("aria-label", here.label);
      link.querySelector(".cell__gain").textContent = here.covers.length ? `+${here.covers.length}` : "";
      if (at === trial && art) link.prepend(art.cloneNode(true));
    });
  }

  function firstCell() {
    const [first] = cells();
    return first && cellOf(first);
  }

  function mark(link, name, isOn) {
    link.classList.toggle(name, isOn);
    if (isOn) link.setAttribute("aria-current", "true");
    else link.removeAttribute("aria-current");
  }

  function say(tile, cell) {
    const choice = choices[tile];
    if (!choice) return;
    const said = cell ? choice.cells[cell] : choice;
    news(`${said.what}. ${said.hint}`);
  }

  function news(text) {
    document.getElementById("news").textContent = text;
  }

  /** Return the link to choose something here that an event is about, if this page holds what it would bring. */
  function linkOf(event, selector) {
    const isPlain = !event.metaKey && !event.ctrlKey && !event.shiftKey && !event.altKey;
    return canChoose() && isPlain ? event.target.closest(selector) : null;
  }

  document.addEventListener("click", (event) => {
    const link = linkOf(event, "#game [data-tile], #display .cell, #undo, #follow");
    if (!link) return;
    event.preventDefault();
    if (isSending()) return;
    const byKeyboard = event.detail === 0;
    if (link.id === "undo") {
      const { tile } = chosen();
      choose({ tile: "", cell: "" });
      if (byKeyboard) document.getElementById(`take-${tile}`).focus();
    } else if (link.id === "follow") {
      choose({ tile: link.dataset.of, cell: link.dataset.at });
      if (byKeyboard) document.getElementById("confirm").focus();
      else bringIntoView();
    } else if (link.dataset.tile) {
      choose({ tile: link.dataset.tile, cell: chosen().cell });
      if (byKeyboard) document.querySelector("#display .cell[tabindex='0']").focus();
      else bringIntoView();
    } else {
      choose({ tile: chosen().tile, cell: cellOf(link) });
      if ("atOnce" in form().dataset) form().requestSubmit();
      else if (byKeyboard) document.getElementById("confirm").focus();
      else link.scrollIntoView({ block: "nearest" });
    }
  });

  /** Show where the tile may go, if the greater part of the display is below the window or behind the action bar. */
  function bringIntoView() {
    const display = document.getElementById("display");
    const { top, bottom } = display.getBoundingClientRect();
    const bar = document.getElementById("bar").getBoundingClientRect().top;
    const seen = Math.min(bottom, bar > top ? bar : window.innerHeight) - Math.max(top, 0);
    if (seen < (bottom - top) * 0.6) display.scrollIntoView({ block: "nearest", behavior: "smooth" });
  }

  const trying = (event) => {
    const cell = linkOf(event, "#display .cell");
    if (cell) show({ ...chosen(), cell: cellOf(cell) }, cellOf(cell) !== chosen().cell);
  };
  const leaving = (event) => {
    if (linkOf(event, "#display .cell")) show(chosen());
  };
  document.addEventListener("pointerover", (event) => event.pointerType === "mouse" && trying(event));
  document.addEventListener("pointerout", (event) => event.pointerType === "mouse" && leaving(event));
  document.addEventListener("focusin", (event) => {
    if (!event.target.matches(":focus-visible")) return;
    trying(event);
    const cell = linkOf(event, "#display .cell");
    // A screen reader reads the cell's own name, which tells of the goals: what is left to say is the time.
    if (cell) news(choices[chosen().tile].cells[cellOf(cell)].hint);
  });
  document.addEventListener("focusout", leaving);

  /** Show where a hint that has just come would place its tile, unless something else is chosen already. */
  function showHint() {
    const hinted = document.querySelector("#display .hinted");
    if (hinted && !wasHinted && canChoose() && !chosen().tile) uncover(hinted);
    wasHinted = Boolean(hinted);
  }

  /** Scroll as little as it takes until a cell is neither outside the window nor behind the action bar. */
  function uncover(cell) {
    cell.scrollIntoView({ block: "nearest" });
    const { bottom } = cell.getBoundingClientRect();
    const hidden = bottom + ROOM - document.getElementById("bar").getBoundingClientRect().top;
    if (hidden > 0) window.scrollBy({ top: hidden, behavior: "smooth" });
  }

  let wasHinted = document.querySelector("#display .hinted") !== null;
  document.addEventListener("htmx:afterSettle", () => { read(); showHint(); });
  read();
})();
