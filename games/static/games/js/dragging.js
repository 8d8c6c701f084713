/* Drag a link with a mouse or a pen to where it belongs. Touch never drags, because it scrolls the page.
 *
 * The script of a title says what can be dragged and where it may be dropped:
 *   selector    the links that may be dragged
 *   start       a drag of this link begins: return the picture that follows the pointer, or null if it can't be dragged
 *   follow      the pointer has moved: get the picture and the event
 *   drop        the pointer was released: get the link and the event
 *   end         the drag is over, dropped or not: get the link
 */
"use strict";
const Dragging = (() => {
  const MIN_DISTANCE = 6; // px that the pointer must move before a press becomes a drag

  function listen({ selector, start, follow, drop, end = () => {} }) {
    let drag = null;
    let wasDragged = false;

    document.addEventListener("pointerdown", (event) => {
      const link = event.button === 0 && event.pointerType !== "touch" && event.target.closest(selector);
      wasDragged = false; // A drag that the browser has ended, as of a pen that scrolls, is followed by no click.
      drag = link ? { link, x: event.clientX, y: event.clientY, picture: null } : null;
    });

    document.addEventListener("pointermove", (event) => {
      if (!drag) return;
      if (!drag.picture && Math.hypot(event.clientX - drag.x, event.clientY - drag.y) > MIN_DISTANCE) drag = begin(drag);
      if (!drag?.picture) return;
      drag.picture.style.setProperty("--left", `${event.clientX}px`);
      drag.picture.style.setProperty("--top", `${event.clientY}px`);
      follow(drag.picture, event);
    });

    function begin(press) {
      const picture = start(press.link);
      if (!picture) return null;
      wasDragged = true;
      picture.classList.add("dragged");
      document.body.append(picture);
      document.documentElement.classList.add("is-dragging");
      return { ...press, picture };
    }

    function finish(event) {
      if (!drag) return;
      const { link, picture } = drag;
      drag = null;
      if (!picture) return;
      picture.remove();
      document.documentElement.classList.remove("is-dragging");
      end(link);
      if (event.type === "pointerup") drop(link, event);
    }

    // When a drag ends over the link itself, the browser sends a click, which must not follow it.
    document.addEventListener("click", (event) => {
      if (!wasDragged || !event.isTrusted) return;
      event.preventDefault();
      event.stopPropagation();
    }, { capture: true });
    document.addEventListener("pointerup", () => setTimeout(() => { wasDragged = false; }));
    document.addEventListener("pointerup", finish);
    document.addEventListener("pointercancel", finish);
    document.addEventListener("keydown", (event) => event.key === "Escape" && finish(event));
    document.addEventListener("htmx:beforeSwap", finish);
    document.addEventListener("dragstart", (event) => event.target.closest(selector) && event.preventDefault());
  }

  /** Click a link as a pointer does. A click with `detail` 0 would count as a keyboard click and move the focus. */
  function click(link) {
    link.dispatchEvent(new MouseEvent("click", { bubbles: true, cancelable: true, detail: 1 }));
  }

  return { listen, click };
})();
