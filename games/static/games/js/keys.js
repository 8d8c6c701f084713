/* Use the board by keyboard: arrows move between the tiles in reach and between the cells, Escape undoes the choice,
 * and single keys click the element that has them in data-key.
 *
 * The player can turn single keys off (#game[data-shortcuts]). keyboard.js finds what a press means.
 */
"use strict";
(() => {
  const ARROWS = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] };
  const helpDialog = document.getElementById("shortcuts");

  document.addEventListener("keydown", (event) => {
    if (event.defaultPrevented || !document.getElementById("game") || document.querySelector("dialog[open]")) return;
    const isHandled = (key) => (key in ARROWS ? moveFocus(event.target, ARROWS[key]) : press(key));
    if (Keyboard.meanings(event).some(isHandled)) event.preventDefault();
  });

  function moveFocus(from, [dx, dy]) {
    const selector = from.matches("#game [data-tile]") ? "#game [data-tile]" : from.matches("#display .cell") ? "#display .cell" : null;
    if (!selector) return false;
    const stops = [...document.querySelectorAll(selector)];
    const next = "tile" in from.dataset ? stops.at((stops.indexOf(from) + dx + dy) % stops.length) : nearestCell(from, stops, dx, dy);
    if (next) next.focus();
    return true;
  }

  /** Return the nearest cell in a direction; a distance across that direction counts twice. */
  function nearestCell(from, cells, dx, dy) {
    const [x, y] = coordinatesOf(from);
    let nearest = null;
    let least = Infinity;
    for (const cell of cells) {
      const [toX, toY] = coordinatesOf(cell);
      const along = (toX - x) * dx + (toY - y) * dy;
      const across = Math.abs((toX - x) * dy) + Math.abs((toY - y) * dx);
      if (along > 0 && along + 2 * across < least) [nearest, least] = [cell, along + 2 * across];
    }
    return nearest;
  }

  function coordinatesOf(cell) {
    return Places.coordinates(cell.parentElement);
  }

  function press(key) {
    if (key === "Escape") return click(document.getElementById("undo"));
    if (document.getElementById("game").dataset.shortcuts === "off") return false;
    if (key === "?") return openHelp();
    return click(document.querySelector(`[data-key*="${CSS.escape(key)}"]`));
  }

  function click(target) {
    if (!target || target.hidden || target.getAttribute("aria-disabled") === "true") return false;
    if (target.id === "refill") target.focus(); // A refill can't be undone, so the player confirms it with Enter.
    else target.click();
    return true;
  }

  function openHelp() {
    helpDialog.showModal();
    Keyboard.nameKeys(helpDialog);
    return true;
  }

  document.addEventListener("click", (event) => event.target.closest("[data-opens=shortcuts]") && openHelp());
})();
