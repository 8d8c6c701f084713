/* Show which other players have the game open now, and how many people without a seat; in a live game, the action bar
 * says who has left the page.
 */
"use strict";
(() => {
  const seen = new Set(); // the seats of the players who had the game open while this page was
  let gone = new Map(); // the names of those who have left it, by seat

  document.addEventListener("live:here", ({ detail }) => {
    const here = new Set(detail.split(" "));
    for (const mark of document.querySelectorAll("[data-here]")) mark.hidden = !here.has(mark.dataset.here);
    showGone();
  });
  document.addEventListener("live:watchers", ({ detail }) => {
    for (const line of document.querySelectorAll("[data-watchers]")) {
      line.hidden = detail === "0";
      line.querySelector("b").textContent = detail;
    }
  });
  document.addEventListener("htmx:afterSettle", showGone);

  function showGone() {
    const live = document.getElementById("live");
    // No clock decides any more, also while somebody looks at a moment before the end.
    if (live && document.querySelector("#game.is-over")) delete live.dataset.gone;
    const { gone: hasGone, back } = live?.dataset ?? {};
    const bar = document.querySelector("#bar");
    if (!hasGone || !bar) return;
    const before = gone;
    gone = new Map();
    for (const { hidden, dataset } of document.querySelectorAll("[data-here]")) {
      if (!hidden) seen.add(dataset.here);
      else if (seen.has(dataset.here)) gone.set(dataset.here, hasGone.replace("{name}", dataset.name));
      if (!hidden && before.has(dataset.here)) Announcer.say(back.replace("{name}", dataset.name));
    }
    const texts = [...gone.values()].join(" ");
    if ([...gone.keys()].some((seat) => !before.has(seat))) Announcer.say(texts);
    let line = bar.querySelector(".bar__gone");
    if (!texts) return line?.remove();
    if (!line) bar.prepend(line = Object.assign(document.createElement("p"), { className: "bar__error bar__gone" }));
    if (line.textContent !== texts) line.textContent = texts;
  }
  showGone();
})();
