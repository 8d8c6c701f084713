/* Keep the lists of the home page up to date.
 *
 * stream.js receives their version. [data-lists] is the version that the page shows, and morph.js changes only what
 * differs.
 */
"use strict";
(() => {
  const lists = () => document.querySelector("[data-lists]");
  let newest = null;
  let isLoading = false;

  document.addEventListener("live:lists", ({ detail }) => {
    newest = detail;
    refresh();
  });

  // Times in words grow old while the page is hidden.
  document.addEventListener("visibilitychange", () => document.visibilityState === "visible" && load());

  function refresh() {
    if (lists() && lists().dataset.lists !== newest) load();
  }

  async function load() {
    if (isLoading || !lists()) return;
    const wanted = newest;
    const target = `#${lists().id}`;
    isLoading = true;
    // After a failure, the next event or poll leads to another request.
    await htmx.ajax("GET", location.pathname + location.search, { source: target, target, swap: "morph" })
      .catch(() => {});
    isLoading = false;
    if (newest !== wanted) refresh();
  }

  // A row that moves to another list keeps its link or its button, so the same one gets the focus again.
  let focused = null;
  const pathOf = (element) => element.getAttribute("href") || element.form?.getAttribute("action");
  let lead = "";
  document.addEventListener("htmx:beforeSwap", () => {
    const active = document.activeElement;
    focused = lists()?.contains(active) ? { tag: active.localName, path: pathOf(active) } : null;
    lead = document.getElementById("lead")?.textContent;
  });
  document.addEventListener("htmx:afterSettle", () => {
    const same = focused && [...lists().querySelectorAll(focused.tag)].find((one) => pathOf(one) === focused.path);
    if (same && document.activeElement === document.body) same.focus({ preventScroll: true });
    const newLead = document.getElementById("lead");
    if (newLead && newLead.textContent !== lead) Announcer.say(newLead.textContent);
  });
})();
