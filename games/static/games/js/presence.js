/* Show which other players have the game open now, and how many people without a seat; in a live game, the action bar
 * says who is away, and that the game has ended while somebody looks at an earlier moment.
 */
"use strict";
(() => {
  const seen = new Set(); // the seats of the players who had the game open while this page was
  let gone = new Map(); // the names of those who have left it, by seat
  let hasSeenEnd = false; // whether this page has shown the end of the game
  let hasSaidEnd = false;

  document.addEventListener("live:here", ({ detail }) => {
    const here = new Set(detail.split(" "));
    for (const mark of document.querySelectorAll("[data-here]")) mark.hidden = !here.has(mark.dataset.here);
    showGone();
  });
  document.addEventListener("live:spectators", ({ detail }) => {
    for (const line of document.querySelectorAll("[data-spectators]")) {
      line.hidden = detail === "0";
      line.querySelector("b").textContent = detail;
    }
  });
  document.addEventListener("htmx:afterSettle", showGone);

  function showGone() {
    const live = document.getElementById("live");
    const { gone: hasGone, back, ended } = live?.dataset ?? {};
    const bar = document.querySelector("#bar");
    if (!hasGone || !bar) return;
    if (document.querySelector("#game.has-ended")) return showEnded(bar, ended);
    const before = gone;
    gone = new Map();
    for (const { hidden, dataset } of document.querySelectorAll("[data-here]")) {
      if (!dataset.name) continue;
      if (!hidden) seen.add(dataset.here);
      else if (seen.has(dataset.here)) gone.set(dataset.here, hasGone.replace("{name}", dataset.name));
      if (!hidden && before.has(dataset.here)) Announcer.say(back.replace("{name}", dataset.name));
    }
    const texts = [...gone.values()].join(" ");
    if ([...gone.keys()].some((seat) => !before.has(seat))) Announcer.say(texts);
    showLine(bar, texts);
  }

  function showEnded(bar, text) {
    if (!document.querySelector("#game.is-past")) hasSeenEnd = true;
    showLine(bar, hasSeenEnd ? "" : text);
    if (hasSeenEnd || hasSaidEnd) return;
    hasSaidEnd = true;
    Announcer.say(text);
  }

  function showLine(bar, text) {
    let line = bar.querySelector(".bar__gone");
    if (!text) return line?.remove();
    if (!line) bar.prepend(line = Object.assign(document.createElement("p"), { className: "bar__error bar__gone" }));
    if (line.textContent !== text) line.textContent = text;
  }
  showGone();
})();
