/* Stepping through the game: the ways and the slider above the log, its entries, and the way back to now. Every press
 * counts: what is pressed next goes on from the board that is wanted, even where that one is still on its way. One
 * board is asked for at a time; those that are overtaken meanwhile are never asked for.
 */
"use strict";
(() => {
  let wanted = null; // the action whose board the player wants to see, until it is there
  let asked = null; // the one that is on its way

  const slider = () => document.querySelector("#game #at");
  const last = () => Number(slider().max);
  const address = (number) => location.pathname + (number < last() ? `?at=${number}` : "");

  function numberOf(link) {
    return Number(new URLSearchParams(link.search).get("at") ?? last());
  }

  function want(number) {
    wanted = number;
    goAhead();
    if (asked === null) ask();
  }

  function ask() {
    asked = wanted;
    htmx.ajax("GET", address(asked), { source: "#log", target: "#game", swap: "outerHTML" }).catch(() => {
      wanted = Number(document.getElementById("game").dataset.shown);
      goAhead();
      wanted = asked = null;
    });
  }

  function arrived() {
    const isThere = wanted === asked || !slider();
    asked = null;
    if (isThere) wanted = null;
    else ask();
  }

  /** Let the slider and the ways go ahead of the board, which is still on its way. */
  function goAhead() {
    if (wanted === null || !slider()) return;
    slider().value = wanted;
    slider().style.setProperty("--done", `${(100 * wanted) / last()}%`);
    const ways = { first: 0, previous: wanted - 1, next: wanted + 1, now: last() };
    for (const [id, number] of Object.entries(ways)) {
      const way = document.getElementById(id);
      if (number === wanted || number < 0 || number > last()) {
        way.setAttribute("aria-disabled", "true"); // and keeps its address, so that it keeps the focus
      } else {
        way.removeAttribute("aria-disabled");
        way.href = address(number);
      }
    }
  }

  document.addEventListener("click", (event) => {
    const link = event.target.closest("#game .game__log a, #back");
    if (!link || event.metaKey || event.ctrlKey || event.shiftKey) return;
    event.preventDefault();
    if (link.href && link.getAttribute("aria-disabled") !== "true") want(numberOf(link));
  });
  document.addEventListener("change", (event) => event.target === slider() && want(Number(slider().value)));
  document.addEventListener("htmx:afterSwap", goAhead);
  document.addEventListener("htmx:afterSettle", ({ detail }) => {
    goAhead();
    if (detail.requestConfig.elt.id === "log") arrived();
  });
})();
