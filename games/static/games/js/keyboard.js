/* What a key press means as a shortcut on keyboards of all layouts and scripts, and what their keys are called.
 *
 * The sign that a key types comes first. Only where it is no shortcut, the place of the key counts, by its name on an
 * American keyboard: digits that need Shift (French, Czech), other scripts (Cyrillic, Greek), the numeric pad.
 */
"use strict";
const Keyboard = (() => {
  const FIELDS = "input:not([type=range]), textarea, select, [contenteditable]";
  const USE_ARROWS = "input, [role=log], [tabindex='0']"; // A numeric pad without NumLock has arrows too.
  const SIGNS = { BracketLeft: ["[", "{"], BracketRight: ["]", "}"], Slash: ["", "?"] }; // without and with Shift

  /** Return the shortcuts that a press can mean, likeliest first: ["&", "1"]. None while somebody types or composes.
   *
   * Signs mean nothing beside an open chat or note: somebody who may not write there, or who has not pressed the
   * field yet, would play with the letters of a greeting.
   */
  function meanings(event) {
    const { target, key = "", isComposing, ctrlKey, altKey, metaKey } = event;
    const isTyping = isComposing || key === "Process" || target.closest?.(FIELDS);
    if (isTyping || ctrlKey || altKey || metaKey || key.length === 1 && isBesideTalk(target)) return [];
    const sign = signOf(key);
    const place = /^[a-z0-9]$/.test(sign) || event.getModifierState("AltGraph") ? "" : meaningOfPlace(event, sign);
    return [sign, place].filter(Boolean);
  }

  function isBesideTalk(target) {
    return target.closest?.(".talk") || target === document.body && document.querySelector(".talk > [open]");
  }

  /** Return what a key types, in lower case and in the characters of the shortcuts, or its name: "Escape". */
  function signOf(key) {
    if (/^[A-Z].+/.test(key)) return key;
    if (/^[！-～]$/.test(key)) return String.fromCharCode(key.charCodeAt(0) - 0xfee0).toLowerCase(); // full width
    return ["؟", "՞"].includes(key) ? "?" : key.toLowerCase();
  }

  function meaningOfPlace({ target, code = "", shiftKey }, sign) {
    const [, pad, digit] = /^(Digit|Numpad)(\d)$/.exec(code) ?? [];
    if (digit) return pad === "Numpad" && target.matches?.(USE_ARROWS) ? "" : digit;
    const isOtherScript = /[^\0-\x7f]/.test(sign) && !/\p{Script=Latin}/u.test(sign);
    if (code.startsWith("Key")) return isOtherScript ? code.slice(3).toLowerCase() : "";
    return SIGNS[code]?.[Number(shiftKey)] ?? "";
  }

  /** Show what the keys of this keyboard are called (kbd[data-code]), where the browser knows it. */
  async function nameKeys(list) {
    const layout = await navigator.keyboard?.getLayoutMap?.().catch(() => null);
    if (!layout) return;
    const signs = new Set(layout.values());
    for (const key of list.querySelectorAll("kbd[data-code]")) {
      const { code, shifts } = key.dataset;
      key.dataset.sign ??= key.textContent;
      const own = layout.get(code)?.toUpperCase();
      const hasSign = !own || own.length > 1 || signs.has((shifts ?? key.dataset.sign).toLowerCase());
      if (hasSign && !code.startsWith("Digit")) key.textContent = key.dataset.sign;
      else if (code in SIGNS) key.textContent = shifts ? `⇧ ${own}` : own;
      else key.textContent = !own || own === key.dataset.sign ? key.dataset.sign : `${key.dataset.sign} ${own}`;
    }
  }

  return { meanings, nameKeys };
})();
