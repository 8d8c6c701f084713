/* Notice that the person of this page has logged out in another tab, or that somebody else has logged in.
 *
 * Scripts name the person of the page (X-Person) in each request, and the site answers nobody else: it sends an error
 * page that says who is logged in now. failures.js shows that ("person:left"), and until the person is back
 * ("person:back") the page shows nothing new and sends no form, because all of it would be somebody else's.
 * The same happens when moderators have suspended the person.
 * Each new page says to the other tabs whose it is, so that they ask the site ("person:doubt").
 */
"use strict";
const Person = (() => {
  const own = document.body.dataset.person;
  let isAway = false;

  /** Return whether the site has sent this page, as a document, to somebody else, or to somebody who is suspended. */
  function hasLeft(answer) {
    const { person, suspended } = answer.body.dataset;
    if (person === undefined || (person === own && suspended === undefined)) return false;
    isAway = true;
    document.dispatchEvent(new CustomEvent("person:left", { detail: answer }));
    return true;
  }

  /** The site has answered the person of this page. */
  function comeBack() {
    if (!isAway) return;
    isAway = false;
    document.dispatchEvent(new Event("person:back"));
  }

  const tabs = new BroadcastChannel("person");
  tabs.addEventListener("message", ({ data }) => {
    if (data !== own || isAway) document.dispatchEvent(new Event("person:doubt"));
  });
  tabs.postMessage(own);

  // htmx names the person when it sends a form. The browser does not.
  document.addEventListener("submit", (event) => {
    if (!isAway || event.target.method !== "post" || event.target.hasAttribute("hx-post")) return;
    event.preventDefault();
    document.dispatchEvent(new CustomEvent("person:left"));
  }, { capture: true });

  return { own, hasLeft, comeBack, isAway: () => isAway };
})();
