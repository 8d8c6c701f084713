/* Play two soft notes when the player's turn begins in a live game, when others propose something or a rematch, or when
 * the game starts while they look at another tab, for players who have chosen that. A browser that has not allowed sound
 * on the page yet, because its person has done nothing there, stays silent.
 */
"use strict";
(() => {
  if (!("sound" in document.getElementById("live").dataset)) return;
  const NOTES = [659.3, 880]; // Hz
  const LENGTH = 0.5, GAP = 0.14, VOLUME = 0.08; // s, s, and of 1
  const turn = () => document.getElementById("game")?.dataset.turn;
  const asked = () => document.getElementById("game")?.dataset.asked;

  let context = null;
  const allow = () => { context ??= new AudioContext(); };
  for (const event of ["pointerdown", "keydown"]) document.addEventListener(event, allow, { once: true });

  function play() {
    if (context?.state !== "running") return;
    NOTES.forEach((frequency, index) => {
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

  document.addEventListener("live:started", play);
  let before = turn(), askedBefore = asked();
  function listen() {
    if (document.querySelector(".held")) return; // A title still shows the moment before.
    if (turn() === "mine" && before !== "mine" || asked() && asked() !== askedBefore) play();
    [before, askedBefore] = [turn(), asked()];
  }
  for (const event of ["htmx:afterSettle", "held:end"]) document.addEventListener(event, listen);
})();
