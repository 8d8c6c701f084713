/* Drag a card to the table: it clicks the card when it ends there, and when it ends where it began, as a press does whose
 * pointer moves a little.
 */
"use strict";
(() => {
  const felt = () => document.getElementById("felt");

  Dragging.listen({
    selector: "#game :is(a, button)[data-card]",
    start(card) {
      if (!document.querySelector("#choice, #plan-cards") || !card.matches(":is([href], button):not([aria-disabled])")) return null;
      card.classList.add("is-dragged");
      const picture = card.querySelector(".card__art").cloneNode(true);
      picture.style.setProperty("--card", `${card.offsetWidth}px`);
      return picture;
    },
    follow: (_, event) => felt().classList.toggle("is-over-table", isOverTable(event)),
    drop(card, event) {
      if (isOverTable(event) || card.contains(document.elementFromPoint(event.clientX, event.clientY))) Dragging.click(card);
    },
    end(card) {
      card.classList.remove("is-dragged");
      felt().classList.remove("is-over-table");
    },
  });

  function isOverTable({ clientX, clientY }) {
    const { left, right, top, bottom } = felt().getBoundingClientRect();
    return clientX > left && clientX < right && clientY > top && clientY < bottom;
  }
})();
