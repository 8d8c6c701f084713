/* Drag a card to the table with a mouse or a pen: it clicks the card when it ends there. Touch never drags, because it
 * scrolls the page. */
"use strict";
(() => {
  const MIN_DISTANCE = 6; // px that the pointer must move before a press becomes a drag
  let drag = null;
  let wasDragged = false;

  document.addEventListener("pointerdown", (event) => {
    const isDrag = event.button === 0 && event.pointerType !== "touch" && document.getElementById("choice");
    const card = isDrag ? event.target.closest("#game a[data-card][href]:not([aria-disabled])") : null;
    wasDragged = false;
    drag = card ? { card, x: event.clientX, y: event.clientY, picture: null } : null;
  });

  document.addEventListener("pointermove", (event) => {
    if (!drag) return;
    if (!drag.picture && Math.hypot(event.clientX - drag.x, event.clientY - drag.y) > MIN_DISTANCE) start();
    if (!drag.picture) return;
    drag.picture.style.setProperty("--left", `${event.clientX}px`);
    drag.picture.style.setProperty("--top", `${event.clientY}px`);
    document.getElementById("felt").classList.toggle("is-over-table", isOverTable(event));
  });

  function start() {
    wasDragged = true;
    drag.picture = drag.card.querySelector(".card__art").cloneNode(true);
    drag.picture.classList.add("dragged");
    drag.picture.style.setProperty("--card", `${drag.card.offsetWidth}px`);
    document.body.append(drag.picture);
    drag.card.classList.add("is-dragged");
    document.documentElement.classList.add("is-dragging");
  }

  function isOverTable({ clientX, clientY }) {
    const { left, right, top, bottom } = document.getElementById("felt").getBoundingClientRect();
    return clientX > left && clientX < right && clientY > top && clientY < bottom;
  }

  function end(event) {
    if (!drag) return;
    const { card, picture } = drag;
    drag = null;
    if (!picture) return;
    picture.remove();
    card.classList.remove("is-dragged");
    document.documentElement.classList.remove("is-dragging");
    document.getElementById("felt").classList.remove("is-over-table");
    const isDropped = event.type === "pointerup" && isOverTable(event);
    const isChosen = card.classList.contains("is-chosen");
    // A click with `detail` 0 would count as a keyboard click and move the focus.
    if (isDropped && !isChosen) card.dispatchEvent(new MouseEvent("click", { bubbles: true, cancelable: true, detail: 1 }));
  }

  // When a drag ends over the card itself, the browser sends a click, which must not choose it.
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
  document.addEventListener("dragstart", (event) => event.target.closest("#game a[data-card]") && event.preventDefault());
})();
