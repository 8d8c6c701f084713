/* Use the board by keyboard: Escape undoes the choice or leads back to now, and single keys click the element that has
 * them in data-key.
 *
 * An element with data-needs-enter only gets the focus. Arrows are events, keys:arrow with [dx, dy], on the element
 * that has the focus: a script of the title that uses one cancels it. Unless it is the player's turn now, the others to
 * the sides step through the game; in the past, and in a game that is over, Home and End go to its ends. The player can
 * turn single keys off (#game[data-shortcuts]). keyboard.js finds what a press means.
 */
"use strict";
(() => {
  const ARROWS = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] };
  const ENDS = { Home: "first", End: "now" };
  const helpDialog = document.getElementById("shortcuts");

  document.addEventListener("keydown", (event) => {
    if (event.defaultPrevented || !document.getElementById("game") || document.querySelector("dialog[open]")) return;
    const follow = (arrow) => moveFocus(event.target, arrow) || step(event.target, arrow);
    const isHandled = (key) => {
      if (key in ARROWS) return follow(ARROWS[key]);
      return key in ENDS ? stepTo(event.target, ENDS[key]) : press(key);
    };
    if (Keyboard.meanings(event).some(isHandled)) event.preventDefault();
  });

  /** Let the page of the title move the focus; return whether it has something to which an arrow leads. */
  function moveFocus(from, direction) {
    return !from.dispatchEvent(new CustomEvent("keys:arrow", { detail: direction, bubbles: true, cancelable: true }));
  }

  function step(from, [dx]) {
    const where = "#game[data-turn=other] #bar [data-step], #bar .bar__steps";
    return Boolean(dx) && stepTo(from, dx < 0 ? "previous" : "next", where);
  }

  /** Go to an action, if the bar has the buttons that the keys stand for. */
  function stepTo(from, name, buttons = "#bar .bar__steps") {
    if (from.matches("input, textarea") || !document.querySelector(buttons)) return false;
    return click(document.querySelector(`#game [data-step=${name}]`));
  }

  function press(key) {
    if (key === "Escape") return click(document.querySelector("#undo, #back"));
    if (document.getElementById("game").dataset.shortcuts === "off") return false;
    if (key === "?") return openHelp();
    const target = document.querySelector(`[data-key*="${CSS.escape(key)}"]`);
    if (target?.title && target.getAttribute("aria-disabled") === "true") Announcer.say(target.title);
    return click(target);
  }

  function click(target) {
    if (!target || target.hidden || target.getAttribute("aria-disabled") === "true") return false;
    if ("needsEnter" in target.dataset) target.focus(); // It can't be undone, so the player confirms it.
    else target.click();
    return true;
  }

  function openHelp() {
    if (!helpDialog) return false;
    const focused = document.activeElement;
    helpDialog.showModal();
    Keyboard.nameKeys(helpDialog);
    // The board may be another one while the list was open. Where nothing had the focus, Tab goes on in the game.
    const target = () => document.getElementById(focused === document.body ? "bar" : focused.id) ?? focused;
    helpDialog.addEventListener("close", () => target().focus({ preventScroll: true }), { once: true });
    return true;
  }

  document.addEventListener("click", (event) => event.target.closest("[data-opens=shortcuts]") && openHelp());
})();
