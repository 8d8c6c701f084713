/* Play two soft notes when the player's turn begins in a live game, when others propose something or a rematch, or when
 * the game starts while they look at another tab, and one for each action that a spectator sees, for people who have
 * chosen that. A browser that has not allowed sound on the page yet, because its person has done nothing there, stays
 * silent. Of several tabs of a game, one plays.
 */
"use strict";
(() => {
  const live = document.getElementById("live");
  const watches = "watches" in live.dataset;
  if (!watches && !("goesOn" in live.dataset)) return; // It is no live game.
  const isOn = () => "sound" in live.dataset;
  const NOTES = [659.3, 880]; // Hz
  const LENGTH = 0.5, GAP = 0.14, VOLUME = 0.08; // s, s, and of 1
  const LATEST = 60_000; // ms after which no other tab hears of the same moment any more
  const turn = () => document.getElementById("game")?.dataset.turn;
  const shown = () => Number(document.getElementById("game")?.dataset.shown);
  const asked = () => document.getElementById("game")?.dataset.asked;

  let context = null;
  function allow() {
    if (!isOn()) return;
    context ??= new AudioContext();
    if (context.state !== "running") context.resume(); // A phone that was locked, or had a call, has suspended it.
  }
  for (const event of ["pointerdown", "keydown"]) document.addEventListener(event, allow);

  function play() {
    if (!isOn() || context?.state !== "running") return;
    NOTES.slice(watches ? 1 : 0).forEach((frequency, index) => {
      const note = new OscillatorNode(context, { frequency });
      const volume = new GainNode(context, { gain: 0 });
      const start = context.currentTime + index * GAP;
      volume.gain.setValueAtTime(0, start);
      volume.gain.linearRampToValueAtTime(VOLUME, start + 0.02);
      volume.gain.exponentialRampToValueAtTime(0.0001, start + LENGTH);
      note.connect(volume).connect(context.destination);
      note.start(start);
      note.stop(start + LENGTH);
    });
  }

  /** Play for a moment of the game, unless another tab has claimed it. A tab that can't play claims nothing. */
  function playOnce(moment) {
    if (!isOn() || context?.state !== "running") return;
    if (!navigator.locks) return play();
    navigator.locks.request(`notes ${location.pathname} ${moment}`, { ifAvailable: true }, (claim) => {
      if (!claim) return null;
      play();
      return new Promise((resolve) => setTimeout(resolve, LATEST));
    });
  }

  document.addEventListener("live:started", () => playOnce("start"));
  let before = turn(), askedBefore = asked(), newest = shown();
  function listen() {
    if (document.querySelector(".held")) return; // A title still shows the moment before.
    const isAwaited = turn() === "mine" && before !== "mine" || asked() && asked() !== askedBefore;
    if (isAwaited) playOnce(document.getElementById("game").dataset.version);
    else if (watches && shown() > newest) playOnce(shown());
    [before, askedBefore, newest] = [turn(), asked(), Math.max(newest, shown())];
  }
  // The game menu has a switch. Who turns it on hears the notes.
  document.addEventListener("htmx:afterSettle", ({ detail }) => {
    if (detail.target.id !== "sound") return;
    live.toggleAttribute("data-sound", "sound" in detail.target.dataset);
    allow();
    context?.resume().then(play);
  });
  for (const event of ["htmx:afterSettle", "held:end"]) document.addEventListener(event, listen);
})();
