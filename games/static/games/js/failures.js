/* Say inside the page that a request has failed, and why. The page stays as it is, with everything that was typed.
 *
 * A refused action has a part of the page as its response, which htmx shows. Anything else with an error status is a
 * page of the site. After a log-in in another tab, that page has the token for the next request, so that pressing the
 * button once more is enough. A response without the header of the site is from a proxy or a login page of a wireless
 * network. It can have status 200, and says nothing about whether the site got the request. If the person of the page has
 * left (person.js), the message stays until they are back, and the page requests nothing by itself. Lists with data-rests
 * are not requested while the page is hidden.
 */
"use strict";
(() => {
  const box = document.getElementById("failure");
  if (!box) return;
  const message = box.querySelector("p");
  const reload = box.querySelector("a");
  const close = box.querySelector("button");
  const BACKGROUND = ["#game", "[data-lists]", "#match", "#chat-panel", "[hx-trigger*=every]"];
  const isBackground = ({ elt }) => BACKGROUND.some((selector) => elt.matches(selector));

  const reasonOf = (page) => page.querySelector(".error-page p")?.textContent.trim() ?? "";

  let failed = null; // the element whose request has failed

  function show(elt, title, text) {
    failed = elt;
    box.hidden = false;
    message.replaceChildren(Object.assign(document.createElement("b"), { textContent: title }), ` ${text}`);
  }

  /** Take over the token of an answer to the same person. */
  function renewToken(answer) {
    const headers = answer.body.getAttribute("hx-headers");
    if (!headers || answer.body.dataset.person !== document.body.dataset.person) return;
    document.body.setAttribute("hx-headers", headers);
    const token = JSON.parse(headers)["X-CSRFToken"];
    document.querySelectorAll("[name=csrfmiddlewaretoken]").forEach((field) => { field.value = token; });
  }

  /** Return whether this success makes the message old. A new board shows what became of a press in the board. */
  function answersFailed({ elt, verb }) {
    return verb === "post" || elt === failed || (elt.id === "game" && elt.contains(failed));
  }

  function isPart(xhr) {
    const isHtml = (xhr.getResponseHeader("Content-Type") ?? "").startsWith("text/html");
    return isHtml && /^\s*<(?!!doctype|html)/i.test(xhr.responseText);
  }

  // Captured, because parts of the page keep their events to themselves.
  document.addEventListener("htmx:beforeOnLoad", (event) => {
    const { xhr, requestConfig } = event.detail;
    if (xhr.getResponseHeader("X-Nova-Luna")) return;
    event.preventDefault();
    if (!isBackground(requestConfig)) show(requestConfig.elt, box.dataset.failed, "");
  }, { capture: true });

  document.addEventListener("htmx:beforeSwap", ({ detail }) => {
    const { xhr, requestConfig } = detail;
    if (xhr.status < 400) Person.comeBack();
    if (xhr.status < 400 && answersFailed(requestConfig)) box.hidden = true;
    if (xhr.status < 400 || isPart(xhr)) return;
    detail.shouldSwap = false;
    const answer = new DOMParser().parseFromString(xhr.responseText, "text/html");
    if (Person.hasLeft(answer)) return;
    renewToken(answer);
    // The next update or poll leads to another request.
    if (isBackground(requestConfig) && xhr.status >= 500) return;
    const title = answer.querySelector(".error-page h1")?.textContent;
    if (title) show(requestConfig.elt, title, reasonOf(answer));
    else show(requestConfig.elt, box.dataset.failed, "");
  }, { capture: true });

  document.addEventListener("htmx:beforeRequest", (event) => {
    const { requestConfig } = event.detail;
    const rests = document.visibilityState !== "visible" && "rests" in requestConfig.elt.dataset;
    if (rests || (Person.isAway() && isBackground(requestConfig))) event.preventDefault();
  }, { capture: true });

  document.addEventListener("person:left", ({ detail: page }) => {
    if (page) show(null, page.querySelector(".error-page h1").textContent, reasonOf(page));
    else message.replaceChildren(...message.childNodes); // As a new text, it is spoken again.
    reload.hidden = false;
    close.hidden = true;
  });
  document.addEventListener("person:back", () => {
    box.hidden = reload.hidden = true;
    close.hidden = false;
  });

  close.addEventListener("click", () => { box.hidden = true; });
})();
