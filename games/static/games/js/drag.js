/* Dragging a tile from the wheel to a cell with a mouse or a pen. It presses the links that a click would: the tile's
 * when the drag begins, the cell's when it ends there. Fingers tap, so that they can scroll wherever they touch.
 */
"use strict";
(() => {
  const BEGINS = 6; // px from where the button went down
  let drag = null;
  let wasDragged = false;

  document.addEventListener("pointerdown", (event) => {
    const tile = event.button === 0 && event.pointerType !== "touch" && event.target.closest("#game [data-tile]");
    drag = tile ? { tile, x: event.clientX, y: event.clientY, picture: null } : null;
  });

  document.addEventListener("pointermove", (event) => {
    if (!drag) return;
    if (!drag.picture && Math.hypot(event.clientX - drag.x, event.clientY - drag.y) > BEGINS) begin();
    if (drag.picture) follow(event);
  });

  function begin() {
    wasDragged = true;
    const { width } = drag.tile.getBoundingClientRect();
    press(drag.tile);
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
    const [under] = document.elementsFromPoint(event.clientX, event.clientY);
    return under && under.closest("#display .cell");
  }

  function end(event) {
    if (!drag) return;
    const isDragged = drag.picture !== null;
    if (isDragged) drag.picture.remove();
    document.documentElement.classList.remove("is-dragging");
    drag = null;
    const cell = isDragged && event.type === "pointerup" && cellUnder(event);
    if (cell) press(cell);
  }

  /** Click a link as a pointer does: a click without detail would be the keyboard's, and move the focus. */
  function press(link) {
    link.dispatchEvent(new MouseEvent("click", { bubbles: true, cancelable: true, detail: 1 }));
  }

  // Where the button comes up over the tile itself, the browser takes it for a click.
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
