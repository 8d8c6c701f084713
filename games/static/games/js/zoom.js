/* Zooming a display ([data-zooms]): by its buttons, + and - and 0, Ctrl with the wheel, or two fingers. Its cells
 * become larger (--zoom) and the stage scrolls, so that all of them stay what they are; a mouse drags it about. A
 * display that does not fit opens at the tile that was placed last. A new board keeps the view of the old one; a
 * display by itself (.large) keeps it from action to action, each of which is a page of its own.
 */
"use strict";
(() => {
  const STEP = 1.25;
  const MOST = 4;
  const views = new Map(); // of each stage, by its id

  const stages = () => document.querySelectorAll("[data-zooms]");
  const displayOf = (stage) => stage.querySelector(".display");
  const zoomOf = (stage) => Number(stage.style.getPropertyValue("--zoom") || 1);

  /** Zoom so that the point at x, y of the window stays where it is. */
  function zoom(stage, to, x, y) {
    const display = displayOf(stage);
    if (!display) return;
    const before = display.getBoundingClientRect();
    const box = stage.getBoundingClientRect();
    const [atX, atY] = [x ?? box.left + box.width / 2, y ?? box.top + box.height / 2];
    const [partX, partY] = [(atX - before.left) / before.width, (atY - before.top) / before.height];
    stage.style.setProperty("--zoom", Math.min(MOST, Math.max(fitting(stage), to)));
    const after = display.getBoundingClientRect();
    stage.scrollBy(after.left + partX * after.width - atX, after.top + partY * after.height - atY);
  }

  /** Return the zoom at which the whole display is to be seen: 1, or less where its cells have a least size. */
  function fitting(stage) {
    const display = displayOf(stage).getBoundingClientRect();
    const now = zoomOf(stage);
    const { paddingInline, paddingBlock } = getComputedStyle(stage);
    const [wide, high] = [stage.clientWidth - 2 * parseFloat(paddingInline), stage.clientHeight - 2 * parseFloat(paddingBlock)];
    return Math.min(1, (now * wide) / display.width, (now * high) / display.height);
  }

  function open(stage) {
    const view = views.get(stage.id);
    if (view) stage.style.setProperty("--zoom", view.zoom);
    const tile = stage.querySelector(view ? ".display [data-at]:not([hidden])" : ".is-newest");
    if (!tile) return;
    const { x, y, wide, high } = placeOf(tile);
    const [toX, toY] = view && "x" in view ? [view.x - x, view.y - y] : [0, 0];
    const from = middle(stage);
    const to = middle(tile);
    stage.scrollBy(to.x + toX * wide - from.x, to.y + toY * high - from.y);
  }

  /** Return the zoom of a stage, and what it shows in its middle, in cells: another board may begin at another one. */
  function viewOf(stage) {
    const tile = stage.querySelector(".display [data-at]:not([hidden])");
    if (!tile) return { zoom: zoomOf(stage) };
    const { x, y, wide, high } = placeOf(tile);
    const from = middle(tile);
    const to = middle(stage);
    return { zoom: zoomOf(stage), x: x + (to.x - from.x) / wide, y: y + (to.y - from.y) / high };
  }

  /** Return which cell it is, and how far it is from each cell to the next. */
  function placeOf(tile) {
    const [x, y] = tile.dataset.at.split("_").map(Number);
    const { width, height } = tile.getBoundingClientRect();
    const { columnGap, rowGap } = getComputedStyle(tile.parentElement);
    return { x, y, wide: width + parseFloat(columnGap), high: height + parseFloat(rowGap) };
  }

  function middle(element) {
    const { left, top, width, height } = element.getBoundingClientRect();
    return { x: left + width / 2, y: top + height / 2 };
  }

  function keep() {
    stages().forEach((stage) => views.set(stage.id, viewOf(stage)));
  }

  /** Leave the views to the next page. */
  function leave() {
    keep();
    try {
      sessionStorage.setItem("views", JSON.stringify([location.pathname, ...views]));
    } catch { /* some browsers are told to keep nothing */ }
  }

  function take() {
    try {
      const [path, ...left] = JSON.parse(sessionStorage.getItem("views")) ?? [];
      if (path === location.pathname && document.querySelector(".large")) left.forEach(([id, view]) => views.set(id, view));
    } catch { /* as above */ }
  }

  const WAYS = {
    in: (stage) => zoom(stage, zoomOf(stage) * STEP),
    out: (stage) => zoom(stage, zoomOf(stage) / STEP),
    // Twice, for the names of the columns and rows keep their size.
    fit: (stage) => { zoom(stage, fitting(stage)); zoom(stage, fitting(stage)); },
  };
  const KEYS = { "+": "in", "=": "in", "-": "out", 0: "fit" };

  document.addEventListener("click", (event) => {
    const button = event.target.closest("[data-zoom]");
    if (button) stages().forEach(WAYS[button.dataset.zoom]);
  });
  document.addEventListener("keydown", (event) => {
    const stage = event.target.closest("[data-zooms]") ?? document.querySelector(".large [data-zooms]");
    if (!stage || !(event.key in KEYS) || event.ctrlKey || event.metaKey || event.altKey) return;
    event.preventDefault();
    WAYS[KEYS[event.key]](stage);
  });
  document.addEventListener("wheel", (event) => {
    const stage = event.ctrlKey && event.target.closest("[data-zooms]");
    if (!stage) return;
    event.preventDefault();
    zoom(stage, zoomOf(stage) * Math.exp(-event.deltaY / 300), event.clientX, event.clientY);
  }, { passive: false });

  const fingers = new Map();
  let pinch = null; // the distance of two fingers, and the zoom, when it began
  let hold = null; // where a mouse took hold of the display

  document.addEventListener("pointerdown", (event) => {
    const stage = event.target.closest("[data-zooms]");
    if (!stage) return;
    if (event.pointerType === "touch") {
      fingers.set(event.pointerId, event);
      if (fingers.size === 2) pinch = { stage, apart: apart(), zoom: zoomOf(stage) };
    } else if (event.button === 0 && !event.target.closest("a, button")) {
      hold = { stage, x: event.clientX + stage.scrollLeft, y: event.clientY + stage.scrollTop };
    }
  });
  document.addEventListener("pointermove", (event) => {
    if (hold) hold.stage.scrollTo(hold.x - event.clientX, hold.y - event.clientY);
    if (!fingers.has(event.pointerId)) return;
    fingers.set(event.pointerId, event);
    if (!pinch || fingers.size !== 2) return;
    const [one, two] = fingers.values();
    zoom(pinch.stage, (pinch.zoom * apart()) / pinch.apart, (one.clientX + two.clientX) / 2, (one.clientY + two.clientY) / 2);
  });
  for (const end of ["pointerup", "pointercancel"]) {
    document.addEventListener(end, (event) => {
      fingers.delete(event.pointerId);
      hold = null;
      if (fingers.size < 2) pinch = null;
    });
  }

  function apart() {
    const [one, two] = fingers.values();
    return Math.hypot(one.clientX - two.clientX, one.clientY - two.clientY);
  }

  document.addEventListener("htmx:beforeSwap", keep);
  document.addEventListener("htmx:afterSettle", () => stages().forEach(open));
  window.addEventListener("pagehide", leave);
  take();
  stages().forEach(open);
})();
