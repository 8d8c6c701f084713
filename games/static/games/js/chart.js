/* The chart of a review: arrow keys go from point to point, and a finger that slides over it shows the point below it.
 * Beside the board, a finger shows the board of each action that it slides over, as the slider does.
 *
 * On a touch screen, the first touch of a point shows its action, and the second opens it; its link is a part of it.
 */
"use strict";
(() => {
  const POINT = "#review .point"; // Beside the board, a press shows the action immediately (stepping.js).
  const pointAt = ({ clientX, clientY }) => document.elementFromPoint(clientX, clientY)?.closest(POINT);
  let touched = null; // the point that had the focus before the touch

  document.addEventListener("keydown", (event) => {
    const point = event.target.closest(POINT);
    const step = { ArrowLeft: -1, ArrowRight: 1 }[event.key];
    if (!point || !step || event.altKey || event.ctrlKey || event.metaKey || event.shiftKey) return;
    const points = [...document.querySelectorAll(POINT)];
    points[points.indexOf(point) + step]?.focus();
    event.preventDefault();
  });
  document.addEventListener("pointerdown", (event) => {
    if (event.pointerType !== "mouse" && event.target.closest(POINT)) touched = document.activeElement;
  });
  document.addEventListener("pointermove", (event) => {
    if (event.pointerType === "touch" && event.target.closest(POINT)) pointAt(event)?.focus({ preventScroll: true });
  });
  document.addEventListener("pointermove", ({ pointerType, target, clientX }) => {
    const field = pointerType === "touch" && target.closest(".strip .chart__field");
    const slider = field && document.querySelector("#bar .scrub__slide input, #at-bar");
    if (!slider) return;
    const { left, width } = field.getBoundingClientRect();
    const before = slider.value;
    slider.value = Math.round((slider.max * (clientX - left)) / width);
    if (slider.value !== before) slider.dispatchEvent(new Event("input", { bubbles: true }));
  });
  document.addEventListener("click", (event) => {
    const point = event.target.closest(POINT);
    if (!point || touched === null) return;
    if (point !== touched) event.preventDefault();
    point.focus({ preventScroll: true });
    touched = null;
  });
})();
