/* Keep what the viewer looks at where it is in the window, while a new board has other heights above it.
 *
 * Parts with data-stays are on each board: the element itself, or all that the selector in it finds inside, which are
 * known by their pictures. The one that the viewer has chosen stays, or else the one nearest to the middle of what they
 * see; if they see none, the history or the chat that they read. At the top of the page, new words above the board show,
 * as with the scroll anchoring of browsers.
 * When a game ends before the eyes of the viewer, the page scrolls to the result, unless they read or write. A chat or a
 * menu that covers the result or the history closes, unless they write.
 */
"use strict";
(() => {
  const READ = ["#log", ".talk"]; // what is below the board; the first of them that is in sight stays
  const WRITES = "dialog[open], .talk:not(.is-sheet) :focus, #game :is(input, textarea, select):focus";
  const root = document.documentElement;
  const isCalm = matchMedia("(prefers-reduced-motion: reduce)");
  const onLowPhone = matchMedia("(max-width: 699px) and (max-height: 699px), (max-width: 1199px) and (max-height: 599px)");
  const isWide = matchMedia("(min-width: 1200px)"); // The display keeps its place in the window there.
  let stay = null; // the name of the part that stays, and where it was
  let before = { hasEnded: true }; // how the board before was, and what its viewer did

  function boards() {
    const wholes = [...document.querySelectorAll("#game:not(.is-past) [data-stays]")];
    return new Map(wholes.flatMap((whole) => {
      const { stays } = whole.dataset;
      return stays ? [...whole.querySelectorAll(stays)].map((part) => [pictureOf(part), part]) : [[whole.id, whole]];
    }));
  }

  const elements = (name) => new Map([...document.querySelectorAll(name)].map((part) => [name, part]));
  const pictureOf = (part) => part.querySelector("use")?.getAttribute("href");

  /** Return how many px at an edge of the window are covered. */
  const covered = (edge) => parseFloat(root.style.getPropertyValue(`--covered-${edge}`)) || 0;

  /** Return the name and the top of the part that the viewer has chosen or, else, sees nearest to the middle. */
  function findSeen(parts) {
    const [top, bottom] = ["top", "bottom"].map(covered);
    const middle = (top + innerHeight - bottom) / 2;
    const seen = [...parts].map(([name, part]) => ({ name, isChosen: part.hasAttribute("aria-current"), box: part.getBoundingClientRect() }))
      .filter(({ box }) => box.bottom > top && box.top < innerHeight - bottom);
    const distance = ({ isChosen, box }) => (isChosen ? -1 : Math.max(box.top - middle, middle - box.bottom, 0));
    const [nearest] = seen.sort((one, other) => distance(one) - distance(other));
    return nearest && { name: nearest.name, top: nearest.box.top };
  }

  /** Return whether the page is scrolled further than where a turn begins: a low phone shows no head of the page then. */
  const isScrolled = () => (onLowPhone.matches ? document.getElementById("game").getBoundingClientRect().top < -1 : scrollY > 0);
  const hasEnded = () => document.querySelector("#game.has-ended") !== null;

  document.addEventListener("htmx:beforeSwap", ({ detail }) => {
    if (detail.target.id !== "game") return void (stay = null);
    const shown = boards();
    const seen = findSeen(shown);
    const read = READ.map((name) => findSeen(elements(name))).find(Boolean);
    stay = seen ?? (shown.size ? read : null);
    before = { hasEnded: hasEnded(), reads: Boolean(stay && !seen) };
  });
  document.addEventListener("htmx:afterSwap", () => {
    const part = stay && (before.reads ? elements(stay.name) : boards()).get(stay.name);
    const shift = part && (isScrolled() || (hasEnded() !== before.hasEnded && !isWide.matches)) ? part.getBoundingClientRect().top - stay.top : 0;
    if (Math.abs(shift) >= 1) scrollBy({ top: shift, behavior: "instant" });
    stay = null;
  });

  document.addEventListener("htmx:afterSettle", () => {
    if (before.hasEnded || !hasEnded()) return;
    before.hasEnded = true;
    const result = document.getElementById("result");
    const sheet = document.querySelector(".talk.is-sheet > [open]");
    const writes = document.querySelector(WRITES) || sheet && Fields.within(sheet).some(Fields.isEdited);
    if (!result || writes) return;
    for (const cover of [sheet, document.querySelector("#about[open]")]) if (cover && isAbove(cover.lastElementChild)) cover.open = false;
    if (!before.reads) showResult(result);
  });

  const isAbove = (part) => getComputedStyle(part).position === "absolute" || part.closest(".is-sheet") !== null;

  /** Scroll to the result if it begins out of sight; below the head of the page where there is room for both. One that is taller than the window must not scroll its beginning away. */
  function showResult(result) {
    const { top, bottom } = result.getBoundingClientRect();
    const behavior = isCalm.matches ? "instant" : "smooth";
    if (scrollY + bottom <= innerHeight - covered("bottom")) scrollTo({ top: 0, behavior });
    else if (top < 0 || top > innerHeight / 2) result.scrollIntoView({ block: "start", behavior });
  }
})();
