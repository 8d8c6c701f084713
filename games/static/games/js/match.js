/* Keep the page of a duplicate match up to date.
 *
 * stream.js receives its version, which grows with each change. #match[data-version] is the version that the page
 * shows.
 */
"use strict";
(() => {
  const match = () => document.getElementById("match");
  let newest = 0;
  let isBusy = false; // while a new part is loaded, or a form is sent, whose response is a new page

  document.addEventListener("live:version", ({ detail }) => {
    newest = Math.max(newest, Number(detail));
    refresh();
  });
  document.addEventListener("live:gone", () => isBusy || location.reload());
  document.addEventListener("submit", () => { isBusy = true; });
  window.addEventListener("pageshow", () => { isBusy = false; });

  async function refresh() {
    if (isBusy || newest <= Number(match().dataset.version)) return;
    const wanted = newest;
    isBusy = true;
    // After a failure, the next event or poll leads to another request.
    await htmx.ajax("GET", location.pathname, { source: "#match", target: "#match", swap: "morph" }).catch(() => {});
    isBusy = false;
    Announcer.say(match().dataset.announcement);
    if (newest > wanted) refresh();
  }
})();
