/* The chart of a review: arrow keys go from point to point, and a finger that slides over it shows the point below it.
 *
 * On a touch screen, the first touch of a point shows its action, and the second opens it; its link is a part of it.
 */
"use strict";
(() => {
  const pointAt = ({ clientX, clientY }) => document.elementFromPoint(clientX, clientY)?.closest(".point");
  let touched = null; // the point that had the focus before the touch

  document.addEventListener("keydown", (event) => {
    const point = event.target.closest(".point");
    const step = { ArrowLeft: -1, ArrowRight: 1 }[event.key];
    if (!point || !step || event.altKey || event.ctrlKey || event.metaKey || event.shiftKey) return;
    const points = [...document.querySelectorAll(".point")];
    points[points.indexOf(point) + step]?.focus();
    event.preventDefault();
  });
  document.addEventListener("pointerdown", (event) => {
    if (event.pointerType !== "mouse" && event.target.closest(".point")) touched = document.activeElement;
  });
  document.addEventListener("pointermove", (event) => {
    if (event.pointerType === "touch" && event.target.closest(".point")) pointAt(event)?.focus({ preventScroll: true });
  });
  document.addEventListener("click", (event) => {
    const point = event.target.closest(".point");
    if (!point || touched === null) return;
    if (point !== touched) event.preventDefault();
    point.focus({ preventScroll: true });
    touched = null;
  });
})();
