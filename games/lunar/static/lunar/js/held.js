/* Keep the page of a moment that is over above the new one: the last trick of a round or of a lesson, and the result.
 *
 * All that is to be seen is of that moment, the title of the tab too. The next press or key shows the new page, and
 * does nothing else: it was not meant for what it then finds in its place. A pointer on the result, a press on it and
 * the focus, which Tab moves to its button, hold it until that button, another key or a press elsewhere.
 */
"use strict";
const Held = (() => {
  const page = document.documentElement;
  const icon = () => document.getElementById("icon");
  let copy = null; // of #game, without its ids
  let heading = ""; // of the copy, as the title of the tab has it
  let past = null; // the title and the icon of the tab while the copy is shown
  let now = null; // those of the new page
  let isSkipping = false; // whether the press that has ended the moment goes on
  let result = null; // an element of the copy that a pointer or the focus holds
  let focused = null; // what had the focus before it

  /** Show a copy of #game as it was before the board that has just come; `title` was the tab's. */
  function keep(old, title) {
    end();
    const { left, top, width } = document.getElementById("game").getBoundingClientRect();
    const layer = document.createElement("div");
    layer.className = "held";
    layer.inert = true;
    layer.setAttribute("aria-hidden", "true");
    Object.assign(layer.style, { left: `${left + scrollX}px`, top: `${top + scrollY}px`, width: `${width}px` });
    layer.dataset.width = innerWidth;
    heading = old.querySelector("#h-turn")?.textContent.trim() ?? "";
    old.querySelectorAll(".bar > :not(.bar__prompt), .bar__prompt > span, .game__heading > .due").forEach((one) => one.remove());
    const where = old.querySelector(".standing__where")?.textContent ?? "";
    old.querySelectorAll(".bar__prompt > b").forEach((one) => { one.textContent = where; });
    layer.append(dropIds(old));
    document.body.append(layer);
    copy = old;
    past = { title, icon: icon().href };
    page.classList.add("is-held");
    page.style.setProperty("--held", `${layer.offsetHeight}px`);
    queueMicrotask(keepTab); // htmx sets the title after its event.
  }

  /** Replace what the copy asked for by another text. */
  function say(text) {
    copy.querySelectorAll(".bar__prompt > b, .game__heading > span:first-child").forEach((one) => { one.textContent = text; });
    if (heading) document.title = past.title = past.title.replace(heading, text);
    heading &&= text;
  }

  /** Replace parts of the copy, each by as many others. */
  function update(parts) {
    for (const [selector, others] of Object.entries(parts)) {
      const olds = copy.querySelectorAll(selector);
      others.forEach((one, nth) => olds[nth]?.replaceWith(dropIds(one.cloneNode(true))));
    }
  }

  /** Let an element of the copy be read as long as the viewer likes; `hold` is called when they begin. */
  function offer(element, hold) {
    result = element;
    const layer = copy.parentElement;
    for (let one = element; one !== layer; one = one.parentElement) {
      for (const other of one.parentElement.children) other.inert = other !== one;
    }
    layer.inert = false;
    layer.removeAttribute("aria-hidden");
    for (const type of ["pointerover", "pointerdown", "focusin"]) element.addEventListener(type, hold, { once: true });
    focused = document.activeElement;
  }

  function dropIds(root) {
    for (const one of [root, ...root.querySelectorAll("[id]")]) one.removeAttribute("id");
    return root;
  }

  /** Let the tab show the moment that the page shows. */
  function keepTab() {
    if (!copy) return;
    if (document.title !== past.title || !now) now = { title: document.title, icon: document.getElementById("game").dataset.icon };
    document.title = past.title;
    icon().href = past.icon;
  }

  /** Show the new page. */
  function end() {
    if (!copy) return;
    if (result?.contains(document.activeElement)) focused.focus({ preventScroll: true });
    copy.parentElement.remove();
    copy = result = null;
    page.classList.remove("is-held");
    if (now) document.title = now.title;
    if (now?.icon) icon().href = now.icon;
    now = null;
    document.dispatchEvent(new Event("held:end"));
  }

  function skip(event) {
    isSkipping = Boolean(copy) && event.type === "pointerdown";
    if (!copy) return;
    const isOnResult = result?.contains(event.target);
    if (result && event.key === "Tab" && !isOnResult) {
      result.querySelector("button").focus({ preventScroll: true });
      return event.preventDefault();
    }
    if (isOnResult && event.type === "pointerdown") return void (isSkipping = false);
    if (isOnResult && ["Enter", " ", "Shift"].includes(event.key)) return;
    end();
    const isForPage = event.key === "Enter" || event.key?.length === 1;
    if (!isSkipping && !(isForPage && !event.ctrlKey && !event.metaKey && !event.altKey)) return;
    event.preventDefault();
    event.stopPropagation();
  }
  for (const type of ["pointerdown", "keydown", "visibilitychange"]) addEventListener(type, skip, { capture: true });
  addEventListener("click", (event) => {
    if (!isSkipping || !event.detail) return;
    isSkipping = false;
    event.preventDefault();
    event.stopPropagation();
  }, { capture: true });
  addEventListener("resize", () => { if (copy && copy.parentElement.dataset.width !== String(innerWidth)) end(); });
  document.addEventListener("htmx:afterSettle", keepTab);

  return { keep, say, update, offer, end, copy: () => copy };
})();
