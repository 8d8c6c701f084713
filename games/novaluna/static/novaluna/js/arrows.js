/* Arrow keys move the focus between the tiles in reach, and between the cells of the display. From the action bar, which has
 * the focus after an action, they lead to the first tile. */
"use strict";
(() => {
  const TILES = "#game [data-tile]", CELLS = "#display .cell";

  document.addEventListener("keys:arrow", (event) => {
    const { target: from, detail: [dx, dy] } = event;
    const selector = [TILES, CELLS].find((kind) => from.matches(kind));
    if (!selector) {
      const first = from.id === "bar" && document.querySelector(TILES);
      if (!first) return;
      first.focus();
      return event.preventDefault();
    }
    const stops = [...document.querySelectorAll(selector)];
    const next = "tile" in from.dataset ? stops.at((stops.indexOf(from) + dx + dy) % stops.length) : nearestCell(from, stops, dx, dy);
    if (next) next.focus();
    event.preventDefault();
  });

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
})();
