/* Zooming a display ([data-zooms]): by its buttons, + and - and 0, Ctrl with the wheel, or two fingers. Its cells
 * become larger (--zoom) and the stage scrolls, so that all of them stay what they are; a mouse drags it about. A
 * display that does not fit opens at the tile that was placed last, and a new board keeps the view of the old one.
 */
"use strict";
(() => {
  const STEP = 1.25;
  const MOST = 4;
  const views = new Map(); // zoom and scrolling of each stage, by its id

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
    if (view) {
      stage.style.setProperty("--zoom", view.zoom);
      stage.scrollTo(view);
      return;
    }
    const newest = stage.querySelector(".is-newest");
    if (!newest) return;
    const [from, to] = [stage.getBoundingClientRect(), newest.getBoundingClientRect()];
    stage.scrollBy(to.left + to.width / 2 - from.left - from.width / 2, to.top + to.height / 2 - from.top - from.height / 2);
  }

  function keep() {
    stages().forEach((stage) => {
      views.set(stage.id, { zoom: zoomOf(stage), left: stage.scrollLeft, top: stage.scrollTop });
    });
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
  stages().forEach(open);
})();
