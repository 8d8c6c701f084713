/* Keep what the viewer looks at where it is in the window, while a new board has other heights above it.
 *
 * Parts with data-stays are on each board: the element itself, or all that the selector in it finds inside, which are
 * known by their pictures. The one that the viewer has chosen stays, or else the one nearest to the middle of what they
 * see. At the top of the page, new words above the board show, as with the scroll anchoring of browsers; but the result
 * of a game waits to be asked for.
 */
"use strict";
(() => {
  const root = document.documentElement;
  let stay = null; // the name of the part that stays, and where it was

  function parts() {
    const wholes = [...document.querySelectorAll("#game:not(.is-past) [data-stays]")];
    return new Map(wholes.flatMap((whole) => {
      const { stays } = whole.dataset;
      return stays ? [...whole.querySelectorAll(stays)].map((part) => [pictureOf(part), part]) : [[whole.id, whole]];
    }));
  }

  const pictureOf = (part) => part.querySelector("use")?.getAttribute("href");

  /** Return the name and the top of the part that the viewer has chosen or, else, sees nearest to the middle. */
  function findSeen() {
    const [top, bottom] = ["top", "bottom"].map((edge) => parseFloat(root.style.getPropertyValue(`--covered-${edge}`)) || 0);
    const middle = (top + innerHeight - bottom) / 2;
    const seen = [...parts()].map(([name, part]) => ({ name, isChosen: part.hasAttribute("aria-current"), box: part.getBoundingClientRect() }))
      .filter(({ box }) => box.bottom > top && box.top < innerHeight - bottom);
    const distance = ({ isChosen, box }) => (isChosen ? -1 : Math.max(box.top - middle, middle - box.bottom, 0));
    const [nearest] = seen.sort((one, other) => distance(one) - distance(other));
    return nearest && { name: nearest.name, top: nearest.box.top };
  }

  const hasResult = () => document.getElementById("result") !== null;

  document.addEventListener("htmx:beforeSwap", ({ detail }) => {
    stay = detail.target.id === "game" ? findSeen() : null;
    if (stay) stay.hadResult = hasResult();
  });
  document.addEventListener("htmx:afterSwap", () => {
    const part = stay && parts().get(stay.name);
    const hasEnded = hasResult() && !stay?.hadResult;
    const shift = part && (scrollY > 0 || hasEnded) ? part.getBoundingClientRect().top - stay.top : 0;
    stay = null;
    if (Math.abs(shift) >= 1) scrollBy({ top: shift, behavior: "instant" });
  });
})();
