/* The keyboard on the board: arrows go among the tiles in reach and among the cells, Escape undoes the choice, and
 * single keys press what carries them in data-key, unless the player has turned those off (#game[data-shortcuts]).
 * Never while somebody types, nor with Ctrl, Alt or Meta.
 */
"use strict";
(() => {
  const ARROWS = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] };
  const help = document.getElementById("shortcuts");

  document.addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.altKey || event.metaKey || event.defaultPrevented || !document.getElementById("game")) return;
    if (event.target.matches("input:not([type=range]), textarea, select, [contenteditable]") || document.querySelector("dialog[open]")) return;
    const isHandled = event.key in ARROWS ? go(event.target, ARROWS[event.key]) : press(event.key);
    if (isHandled) event.preventDefault();
  });

  function go(from, [dx, dy]) {
    const among = from.matches("#game [data-tile]") ? "#game [data-tile]" : from.matches("#display .cell") ? "#display .cell" : null;
    if (!among) return false;
    const stops = [...document.querySelectorAll(among)].filter((stop) => !stop.parentElement.hidden);
    const next = "tile" in from.dataset ? stops.at((stops.indexOf(from) + dx + dy) % stops.length) : nearest(from, stops, dx, dy);
    if (next) next.focus();
    return true;
  }

  /** Return the cell that lies nearest in a direction; what lies aside counts twice. */
  function nearest(from, cells, dx, dy) {
    const [x, y] = placeOf(from);
    let best = null;
    let least = Infinity;
    for (const cell of cells) {
      const [toX, toY] = placeOf(cell);
      const along = (toX - x) * dx + (toY - y) * dy;
      const aside = Math.abs((toX - x) * dy) + Math.abs((toY - y) * dx);
      if (along > 0 && along + 2 * aside < least) [best, least] = [cell, along + 2 * aside];
    }
    return best;
  }

  function placeOf(cell) {
    return cell.parentElement.dataset.at.split("_").map(Number);
  }

  function press(key) {
    if (key === "Escape") return click(document.getElementById("undo"));
    if (document.getElementById("game").dataset.shortcuts === "off") return false;
    if (key === "?") return open();
    return click(document.querySelector(`[data-key*="${CSS.escape(key.toLowerCase())}"]`));
  }

  function click(target) {
    if (!target || target.hidden || target.getAttribute("aria-disabled") === "true") return false;
    if (target.id === "refill") target.focus(); // it can't be taken back: Enter does it
    else target.click();
    return true;
  }

  function open() {
    help.showModal();
    return true;
  }

  document.addEventListener("click", (event) => event.target.closest("[data-opens=shortcuts]") && open());
})();
