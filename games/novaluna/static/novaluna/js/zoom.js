/* Zoom a display ([data-zooms]) by its buttons, by the keys + - 0, by Ctrl and the mouse wheel, or by two fingers.
 *
 * Zooming makes the cells larger (--zoom) and lets the stage around them scroll, so that the cells remain links. A
 * mouse drags the display. A display that does not fit opens at the tile that was placed last. A new board keeps the
 * zoom and scroll position of the old one. The page of a single display (.large) keeps them from action to action,
 * although each action has its own page.
 */
"use strict";
(() => {
  const STEP = 1.25;
  const MAX_ZOOM = 4;
  const views = new Map(); // the view of each stage, by its id: see viewOf

  const stages = () => document.querySelectorAll("[data-zooms]");
  const displayOf = (stage) => stage.querySelector(".display");
  const zoomOf = (stage) => Number(stage.style.getPropertyValue("--zoom") || 1);

  /** Zoom a stage; the point at x, y of the window keeps its place. By default this is the middle of the stage. */
  function zoom(stage, to, x, y) {
    const display = displayOf(stage);
    if (!display) return;
    const before = display.getBoundingClientRect();
    const box = stage.getBoundingClientRect();
    const [atX, atY] = [x ?? box.left + box.width / 2, y ?? box.top + box.height / 2];
    const [partX, partY] = [(atX - before.left) / before.width, (atY - before.top) / before.height];
    stage.style.setProperty("--zoom", Math.min(MAX_ZOOM, Math.max(fitZoom(stage), to)));
    const after = display.getBoundingClientRect();
    stage.scrollBy(after.left + partX * after.width - atX, after.top + partY * after.height - atY);
  }

  /** Return the zoom that shows the whole display: 1, or less where the minimum size of cells makes it overflow. */
  function fitZoom(stage) {
    const display = displayOf(stage).getBoundingClientRect();
    const current = zoomOf(stage);
    const { paddingInline, paddingBlock } = getComputedStyle(stage);
    const [width, height] = [stage.clientWidth - 2 * parseFloat(paddingInline), stage.clientHeight - 2 * parseFloat(paddingBlock)];
    return Math.min(1, (current * width) / display.width, (current * height) / display.height);
  }

  /** Scroll a stage to its stored view, or else to the newest tile. */
  function restoreView(stage) {
    const view = views.get(stage.id);
    if (view) stage.style.setProperty("--zoom", view.zoom);
    const tile = view ? firstTile(stage) : stage.querySelector(".is-newest");
    if (!tile) return;
    const { x, y, stepX, stepY } = cellOf(tile);
    const [toX, toY] = view && "x" in view ? [view.x - x, view.y - y] : [0, 0];
    const from = middle(stage);
    const to = middle(tile);
    stage.scrollBy(to.x + toX * stepX - from.x, to.y + toY * stepY - from.y);
  }

  /** Return the zoom of a stage, and the cell coordinates at its middle.
   *
   * They are not in pixels, because the top left cell of the next board may have other coordinates.
   */
  function viewOf(stage) {
    const tile = firstTile(stage);
    if (!tile) return { zoom: zoomOf(stage) };
    const { x, y, stepX, stepY } = cellOf(tile);
    const from = middle(tile);
    const to = middle(stage);
    return { zoom: zoomOf(stage), x: x + (to.x - from.x) / stepX, y: y + (to.y - from.y) / stepY };
  }

  /** Return the coordinates of a tile's cell, and the distance in px from one cell to the next. */
  function cellOf(tile) {
    const [x, y] = Places.coordinates(tile);
    const { width, height } = tile.getBoundingClientRect();
    const { columnGap, rowGap } = getComputedStyle(tile.parentElement);
    return { x, y, stepX: width + parseFloat(columnGap), stepY: height + parseFloat(rowGap) };
  }

  function firstTile(stage) {
    const display = displayOf(stage);
    return display ? Places.of(display)[0] : undefined;
  }

  function middle(element) {
    const { left, top, width, height } = element.getBoundingClientRect();
    return { x: left + width / 2, y: top + height / 2 };
  }

  function rememberViews() {
    stages().forEach((stage) => views.set(stage.id, viewOf(stage)));
  }

  /** Store the views for the next page. */
  function saveViews() {
    rememberViews();
    try {
      sessionStorage.setItem("views", JSON.stringify([location.pathname, ...views]));
    } catch { /* A browser without storage opens the next page at its default view. */ }
  }

  function loadViews() {
    try {
      const [path, ...saved] = JSON.parse(sessionStorage.getItem("views")) ?? [];
      if (path === location.pathname && document.querySelector(".large")) saved.forEach(([id, view]) => views.set(id, view));
    } catch { /* As above. */ }
  }

  const ZOOMS = {
    in: (stage) => zoom(stage, zoomOf(stage) * STEP),
    out: (stage) => zoom(stage, zoomOf(stage) / STEP),
    // The labels of columns and rows don't scale, so the first zoom fits only roughly: repeat it.
    fit: (stage) => { zoom(stage, fitZoom(stage)); zoom(stage, fitZoom(stage)); },
  };
  const KEYS = { "+": "in", "=": "in", "-": "out", 0: "fit" };

  document.addEventListener("click", (event) => {
    const button = event.target.closest("[data-zoom]");
    if (button) stages().forEach(ZOOMS[button.dataset.zoom]);
  });
  document.addEventListener("keydown", (event) => {
    const stage = event.target.closest("[data-zooms]") ?? document.querySelector(".large [data-zooms]");
    const key = Keyboard.meanings(event).find((one) => one in KEYS);
    if (!stage || !key || event.defaultPrevented) return;
    event.preventDefault();
    ZOOMS[KEYS[key]](stage);
  });
  document.addEventListener("wheel", (event) => {
    const stage = event.ctrlKey && event.target.closest("[data-zooms]");
    if (!stage) return;
    event.preventDefault();
    zoom(stage, zoomOf(stage) * Math.exp(-event.deltaY / 300), event.clientX, event.clientY);
  }, { passive: false });

  const fingers = new Map();
  let pinch = null; // the stage, its zoom and the distance of the two fingers when the pinch began
  let drag = null; // the stage, and the point of the display that the mouse holds

  document.addEventListener("pointerdown", (event) => {
    const stage = event.target.closest("[data-zooms]");
    if (!stage) return;
    if (event.pointerType === "touch") {
      fingers.set(event.pointerId, event);
      if (fingers.size === 2) pinch = { stage, distance: fingerDistance(), zoom: zoomOf(stage) };
    } else if (event.button === 0 && !event.target.closest("a, button")) {
      drag = { stage, x: event.clientX + stage.scrollLeft, y: event.clientY + stage.scrollTop };
    }
  });
  document.addEventListener("pointermove", (event) => {
    if (drag) drag.stage.scrollTo(drag.x - event.clientX, drag.y - event.clientY);
    if (!fingers.has(event.pointerId)) return;
    fingers.set(event.pointerId, event);
    if (!pinch || fingers.size !== 2) return;
    const [one, two] = fingers.values();
    zoom(pinch.stage, (pinch.zoom * fingerDistance()) / pinch.distance, (one.clientX + two.clientX) / 2, (one.clientY + two.clientY) / 2);
  });
  for (const end of ["pointerup", "pointercancel"]) {
    document.addEventListener(end, (event) => {
      fingers.delete(event.pointerId);
      drag = null;
      if (fingers.size < 2) pinch = null;
    });
  }

  function fingerDistance() {
    const [one, two] = fingers.values();
    return Math.hypot(one.clientX - two.clientX, one.clientY - two.clientY);
  }

  document.addEventListener("htmx:beforeSwap", rememberViews);
  // Both before the browser draws the new board, and again after htmx has settled its attributes.
  const restoreViews = () => stages().forEach(restoreView);
  document.addEventListener("htmx:afterSwap", restoreViews);
  document.addEventListener("htmx:afterSettle", restoreViews);
  window.addEventListener("pagehide", saveViews);
  loadViews();
  restoreViews();
})();
