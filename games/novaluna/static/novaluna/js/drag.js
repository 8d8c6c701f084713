/* Drag a tile from the wheel to a cell: it clicks the tile's link when the drag starts, and the cell's link when it
 * ends there, as a person would.
 */
"use strict";
(() => {
  Dragging.listen({
    selector: "#game [data-tile]",
    start(tile) {
      const { width } = tile.getBoundingClientRect();
      Dragging.click(tile);
      const picture = tile.querySelector(".tile__art").cloneNode(true);
      picture.style.setProperty("--tile", `${width}px`);
      return picture;
    },
    follow: (picture, event) => picture.classList.toggle("is-over", Boolean(cellUnder(event))),
    drop(_, event) {
      const cell = cellUnder(event);
      if (cell) Dragging.click(cell);
    },
  });

  function cellUnder(event) {
    const [topElement] = document.elementsFromPoint(event.clientX, event.clientY);
    return topElement && topElement.closest("#display .cell");
  }
})();
