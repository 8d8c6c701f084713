/* The swap style "morph" of htmx: change only what differs between the page and a response.
 *
 * Everything else stays the same element, so that the caret, the focus, the scroll position, open parts and the place
 * of a screen reader stay. A field that a person has changed keeps what they typed. An element that the response marks
 * as unchanged (data-unchanged) stays as it is; the response has only its id.
 */
"use strict";
(() => {
  const REQUESTS = ["hx-get", "hx-post"];

  htmx.defineExtension("morph", {
    // Of an element that is swapped out of band, htmx would pass on only what is inside.
    isInlineSwap: (style) => style === "morph",
    handleSwap(style, target, fragment) {
      if (style !== "morph" && style !== "morph:innerHTML") return false;
      const morphStyle = style === "morph" ? "outerHTML" : "innerHTML";
      blurIfGone(target, fragment);
      for (const list of fragment.querySelectorAll("[data-keeps-order]")) keepOrder(list, target);
      const silenced = []; // elements that sent requests by htmx and don't any more
      // Before the first change, because what the server gave to a field changes before what it shows.
      const edited = new Set([...target.querySelectorAll(Fields.TYPED)].filter(Fields.isEdited));
      const changed = Idiomorph.morph(target, fragment.children, { morphStyle, callbacks: {
        beforeNodeMorphed: (old, fresh) => mayChange(old, fresh, silenced),
        beforeAttributeUpdated: (name, element, change) => mayUpdate(name, element, change, edited),
      } });
      // htmx stops listening only where an element is new.
      silenced.forEach((element) => element.replaceWith(element.cloneNode(true)));
      return changed.filter((one) => one.isConnected);
    },
  });

  /** Sort a list as it is shown now, so that nothing changes its place under a pointer; what is new is at its end. */
  function keepOrder(list, target) {
    const shown = [...target.querySelectorAll("[data-keeps-order] > *")].map(({ id }) => id);
    const place = ({ id }) => (shown.includes(id) ? shown.indexOf(id) : shown.length);
    list.append(...[...list.children].sort((one, other) => place(one) - place(other)));
  }

  /** Idiomorph takes the focused control for the next one of its kind, whatever that does, if it finds no other. */
  function blurIfGone(target, fragment) {
    const action = target.contains(document.activeElement) && actionOf(document.activeElement);
    if (action && ![...fragment.querySelectorAll("a, button, summary")].some((one) => actionOf(one) === action)) {
      document.activeElement.blur();
    }
  }

  function mayChange(old, fresh, silenced) {
    if (old.isEqualNode(fresh)) return false;
    if (old.nodeType !== Node.ELEMENT_NODE) return true;
    if ("unchanged" in fresh.dataset) return false;
    if (REQUESTS.some((name) => old.hasAttribute(name) && !fresh.hasAttribute(name))) silenced.push(old);
    // The focus must not pass to a control that does something else.
    if (old === document.activeElement && actionOf(old) !== actionOf(fresh)) old.blur();
    return true;
  }

  function mayUpdate(name, element, change, edited) {
    if (name === "open" && element.localName === "details") return change === "update";
    if (!["value", "checked", "selected"].includes(name)) return true;
    return !edited.has(element.closest("select") ?? element);
  }

  /** Return what a link or a button does; nothing of an element with an id, which stays the same control. */
  function actionOf(element) {
    if (element.id || !element.matches("a, button, summary")) return "";
    const form = element.closest("form");
    return form ? [form.getAttribute("action"), element.name, element.value].join() : element.getAttribute("href");
  }
})();
