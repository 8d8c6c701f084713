/* Keep the action bar to a third of the window, and the focus out from under it.
 *
 * A bar that would be taller is low (.has-low-bar): its buttons are above its text, which scrolls. Large text and zoom
 * make it so, not only a low window, so a media query could not tell. --covered-bottom and --covered-top are the
 * heights of what covers the edges of the window: css/covered.css keeps them free when the focus moves.
 * While the first part of the result is in sight (.shows-result), the bar does not lead to it.
 * Where Confirm, Refill or Undo was just pressed, a second press does not act on what has taken its place. Just after a
 * vote has appeared, a press does not answer it.
 */
"use strict";
(() => {
  const PART = 1 / 3; // of the height of the window
  const DOUBLE_PRESS = 500; // ms after a press and after its answer
  const DECIDES = "#confirm, #refill, #undo";
  const root = document.documentElement;
  const bar = () => document.getElementById("bar");
  let isDue = false;

  function coveredBy(element) {
    const covers = element && ["sticky", "fixed"].includes(getComputedStyle(element).position);
    return covers ? element.offsetHeight : 0;
  }

  function measure() {
    isDue = false;
    root.classList.remove("has-low-bar", "has-no-band");
    const band = coveredBy(document.querySelector(".try-band"));
    if (coveredBy(bar())) root.classList.toggle("has-low-bar", bar().offsetHeight > innerHeight * PART);
    const barHeight = coveredBy(bar());
    const covered = barHeight + coveredBy(document.querySelector(".game__mine > .plan"));
    const hasBand = covered + band <= innerHeight / 2;
    root.classList.toggle("has-no-band", !hasBand);
    const coveredTop = (hasBand ? band : 0) + coveredBy(document.querySelector(".game > .roster"));
    store({ "--covered-bottom": `${covered}px`, "--bar-height": `${barHeight}px`, "--covered-top": `${coveredTop}px` });
  }

  /** Store what has changed, after all is measured: each change lets the browser compute the style of every element. */
  function store(heights) {
    const before = getComputedStyle(root);
    const changed = Object.entries(heights).filter(([name, height]) => (before.getPropertyValue(name) || "0px") !== height);
    for (const [name, height] of changed) root.style.setProperty(name, height);
  }

  function measureSoon() {
    if (!isDue) requestAnimationFrame(measure);
    isDue = true;
  }

  const observer = new ResizeObserver(measureSoon);
  const resultObserver = new IntersectionObserver(
    (entries) => root.classList.toggle("shows-result", entries.at(-1).isIntersecting), { rootMargin: "0px 0px -15%" },
  );

  function follow() {
    observer.disconnect();
    resultObserver.disconnect();
    if (!bar()) return;
    const result = document.querySelector("#result > *");
    if (result) resultObserver.observe(result);
    for (const part of [bar(), ...bar().children]) observer.observe(part);
    measureSoon();
  }

  // The second press of a double press on Confirm must not act on what has taken its place.
  let pressed = null; // the control that was pressed, with its box and the time
  document.addEventListener("htmx:afterSwap", ({ detail }) => {
    if (pressed && detail.requestConfig.verb === "post") pressed.at = performance.now();
  });
  // Nor may a press meant for one vote answer another that has taken its place.
  const vote = () => document.querySelector("#vote [name=vote]")?.value;
  let shownVote = vote(), shownAt = -Infinity;
  document.addEventListener("htmx:afterSettle", () => {
    if (vote() !== shownVote) [shownVote, shownAt] = [vote(), performance.now()];
  });
  document.addEventListener("click", (event) => {
    if (event.detail === 0) return; // by keyboard
    const isSoonAfter = (time) => performance.now() - time < DOUBLE_PRESS;
    const control = event.target.closest("a, button, summary, label");
    const isMeantForVote = isSoonAfter(shownAt) && control?.matches("#vote button");
    if (isMeantForVote || control && control.id !== pressed?.id && isSoonAfter(pressed?.at) && isIn(pressed.box, event)) {
      event.preventDefault();
      event.stopPropagation();
    } else if (control?.matches(DECIDES)) {
      pressed = { id: control.id, box: control.getBoundingClientRect(), at: performance.now() };
    }
  }, { capture: true });

  function isIn(box, { clientX, clientY }) {
    return clientX >= box.left && clientX <= box.right && clientY >= box.top && clientY <= box.bottom;
  }

  window.addEventListener("resize", measureSoon);
  document.addEventListener("htmx:afterSettle", follow);
  follow();
})();
