/* Arrow keys move the focus between cards and trump tiles: to the nearest one in that direction.
 *
 * Those to the sides lead into the hand from the action bar, where the focus is after a move, and from the page itself.
 */
"use strict";
(() => {
  const STOPS = "#game :is(a[href], button):is([data-card], [data-suit])";

  document.addEventListener("keys:arrow", (event) => {
    const { target: from, detail: [dx, dy] } = event;
    const isStop = from.matches(STOPS);
    const leadsIn = dx && from.matches("body, #bar, #hand"); // Up and down scroll there.
    const next = isStop ? nearest(from, dx, dy) : leadsIn && document.querySelector(`${STOPS}:not([aria-disabled])`);
    if (!isStop && !next) return;
    if (next) next.focus();
    event.preventDefault();
  });

  /** Return the nearest stop in a direction; a distance across that direction counts twice. */
  function nearest(from, dx, dy) {
    const [x, y] = middleOf(from);
    let found = null;
    let least = Infinity;
    for (const stop of document.querySelectorAll(STOPS)) {
      const [toX, toY] = middleOf(stop);
      const along = (toX - x) * dx + (toY - y) * dy;
      const across = Math.abs((toX - x) * dy) + Math.abs((toY - y) * dx);
      if (along > 6 && along + 2 * across < least) [found, least] = [stop, along + 2 * across];
    }
    return found;
  }

  function middleOf(element) {
    const { left, top, width, height } = element.getBoundingClientRect();
    return [left + width / 2, top + height / 2];
  }
})();
