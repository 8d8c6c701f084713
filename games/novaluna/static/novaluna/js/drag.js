/* Drag a tile from the wheel to a cell with a mouse or a pen.
 *
 * A drag clicks the same links that a person would click: the tile's link when the drag starts, and the cell's link
 * when it ends there. Touch never drags, because touch scrolls the page.
 */
"use strict";
(() => {
  const MIN_DISTANCE = 6; // px that the pointer must move before a press becomes a drag
  let drag = null;
  let wasDragged = false;

  document.addEventListener("pointerdown", (event) => {
    const tile = event.button === 0 && event.pointerType !== "touch" && event.target.closest("#game [data-tile]");
    wasDragged = false; // A drag that the browser has ended, as of a pen that scrolls, is followed by no click.
    drag = tile ? { tile, x: event.clientX, y: event.clientY, picture: null } : null;
  });

  document.addEventListener("pointermove", (event) => {
    if (!drag) return;
    if (!drag.picture && Math.hypot(event.clientX - drag.x, event.clientY - drag.y) > MIN_DISTANCE) start();
    if (drag.picture) follow(event);
  });

  function start() {
    wasDragged = true;
    const { width } = drag.tile.getBoundingClientRect();
    click(drag.tile);
    drag.picture = drag.tile.querySelector(".tile__art").cloneNode(true);
    drag.picture.classList.add("dragged");
    drag.picture.style.setProperty("--tile", `${width}px`);
    document.body.append(drag.picture);
    document.documentElement.classList.add("is-dragging");
  }

  function follow(event) {
    drag.picture.style.setProperty("--left", `${event.clientX}px`);
    drag.picture.style.setProperty("--top", `${event.clientY}px`);
    drag.picture.classList.toggle("is-over", Boolean(cellUnder(event)));
  }

  function cellUnder(event) {
    const [topElement] = document.elementsFromPoint(event.clientX, event.clientY);
    return topElement && topElement.closest("#display .cell");
  }

  function end(event) {
    if (!drag) return;
    const isDragged = drag.picture !== null;
    if (isDragged) drag.picture.remove();
    document.documentElement.classList.remove("is-dragging");
    drag = null;
    const cell = isDragged && event.type === "pointerup" && cellUnder(event);
    if (cell) click(cell);
  }

  /** Click a link as a pointer does. A click with `detail` 0 would count as a keyboard click and move the focus. */
  function click(link) {
    link.dispatchEvent(new MouseEvent("click", { bubbles: true, cancelable: true, detail: 1 }));
  }

  // When a drag ends over the tile itself, the browser sends a click, which must not follow the link.
  document.addEventListener("click", (event) => {
    if (!wasDragged || !event.isTrusted) return;
    event.preventDefault();
    event.stopPropagation();
  }, { capture: true });
  document.addEventListener("pointerup", () => setTimeout(() => { wasDragged = false; }));
  document.addEventListener("pointerup", end);
  document.addEventListener("pointercancel", end);
  document.addEventListener("keydown", (event) => event.key === "Escape" && end(event));
  document.addEventListener("htmx:beforeSwap", end);
  document.addEventListener("dragstart", (event) => event.target.closest("#game [data-tile]") && event.preventDefault());
})();
