/* Keep what a person types or chooses until its form has been accepted, also when the page is closed or left.
 *
 * A draft belongs to a person (body[data-person]), the address of a form and a field, and lives in the storage of the
 * browser for a week. It is shown again where the field still has the value that it had before. If that value has
 * changed elsewhere, the page shows the typed text beside it. Forms with a password or data-no-drafts have none. A visitor's drafts
 * last as long as the tab, and logging out removes the person's.
 */
"use strict";
(() => {
  const LONGEST_LIFE = 7 * 24 * 3600 * 1000; // ms
  const MOST_DRAFTS = 60;
  const LONGEST_TEXT = 10_000;
  const { person } = document.body.dataset;
  const prefix = `draft ${person} `;

  /** Run something with the storage of drafts. A browser can refuse storage, or have none left. */
  function withStorage(use) {
    try {
      return use(person ? localStorage : sessionStorage);
    } catch {
      return undefined;
    }
  }

  const addressOf = (form) => new URL(form.getAttribute("action") || location.pathname, location).pathname;
  // The site stores texts without spaces around them.
  const isSame = (one, other) => one.trim() === other.trim();
  const hasDrafts = (form) => !("noDrafts" in form.dataset) && !form.querySelector("[type=password]");
  // After a refusal, the server shows what was typed, which is not what it has stored.
  const isRefused = document.querySelector(".error, .errorlist, [aria-invalid=true], .error-page") !== null;

  function keyOf(field) {
    const same = [...document.querySelectorAll(`[name="${CSS.escape(field.name)}"]`)]
      .filter((one) => one.form && addressOf(one.form) === addressOf(field.form));
    return `${prefix}${addressOf(field.form)} ${field.name} ${same.indexOf(Fields.first(field))}`;
  }

  function read(key) {
    return withStorage((storage) => JSON.parse(storage.getItem(key)));
  }

  function write(key, draft) {
    withStorage((storage) => storage.setItem(key, JSON.stringify(draft)));
  }

  function remove(key) {
    withStorage((storage) => storage.removeItem(key));
  }

  function keep(field) {
    if (!hasDrafts(field.form)) return;
    const key = keyOf(field);
    const [value, given] = [Fields.value(field), Fields.given(field)];
    const earlier = read(key);
    const stored = earlier && !earlier.accepted && earlier.value === given ? earlier.stored : given;
    if (value === stored) return remove(key);
    if (value.length > LONGEST_TEXT) return;
    const sent = earlier?.accepted ? undefined : earlier?.sent;
    write(key, { value, stored, sent, at: earlier?.value === value ? earlier.at : Date.now() });
  }

  const keepEdited = () => Fields.within(document).filter(Fields.isEdited).forEach(keep);

  /** Keep a draft that was accepted: a page that was requested before, and comes after, has an older text. */
  function markAccepted(key) {
    const draft = read(key);
    if (draft) write(key, { ...draft, accepted: Date.now() });
  }

  /** Note in a draft what is sent: a page that is left gets no answer, and the site may have stored it. */
  function markSent(key) {
    const draft = read(key);
    if (draft) write(key, { ...draft, sent: draft.value });
  }

  /** Remove drafts that were accepted before this page was requested or are too old, and the oldest of too many. */
  function clean() {
    withStorage((storage) => {
      const drafts = Object.keys(storage).filter((key) => key.startsWith("draft "))
        .map((key) => ({ key, at: 0, ...read(key) })).sort((one, other) => other.at - one.at);
      drafts.filter(({ at, accepted }, nth) => accepted < performance.timeOrigin
        || nth >= MOST_DRAFTS || Date.now() - at > LONGEST_LIFE).forEach(({ key }) => remove(key));
    });
  }

  /** Remove the drafts of the form that led to this page, if the site has accepted it: then it redirected. */
  function removeSent() {
    try {
      const sent = JSON.parse(sessionStorage.getItem("sent"));
      sessionStorage.removeItem("sent");
      const [{ type, redirectCount }] = performance.getEntriesByType("navigation");
      if (!sent || sent.person !== person || type !== "navigate" || !redirectCount) return;
      for (const [key, value] of sent.fields) if (read(key)?.value === value) remove(key);
    } catch { /* A browser without storage has no drafts. */ }
  }

  function restore(field) {
    const key = keyOf(field);
    const draft = read(key);
    if (!draft) return;
    if (isSame(draft.value, Fields.given(field))) return isRefused || remove(key);
    const isOwn = [draft.stored, draft.sent ?? draft.stored].some((text) => isSame(text, Fields.given(field)));
    const notice = isOwn ? noticeOfDraft(field, draft) : noticeOfConflict(field, draft);
    if (notice) show(field, notice, key);
  }

  function noticeOfDraft(field, { value }) {
    Fields.set(field, value);
    if (Fields.value(field) !== value) return Fields.set(field, Fields.given(field)); // The choice does not exist any more.
    // A table or a chat line that does not exist is plainly not stored. Of settings, people could believe it.
    return field.form.matches(".fields") ? noticeFrom("draft-restored") : null;
  }

  function noticeOfConflict(field, { value }) {
    const notice = noticeFrom("draft-conflict");
    notice.querySelector("q").textContent = labelOf(field, value);
    notice.querySelector("[data-draft=use]").addEventListener("click", () => {
      Fields.set(field, value);
      field.focus();
      notice.remove();
    });
    return notice;
  }

  const noticeFrom = (id) => document.getElementById(id).content.firstElementChild.cloneNode(true);

  /** Return a value as the person sees it. */
  function labelOf(field, value) {
    if (field.localName === "select") return [...field.options].find((one) => one.value === value)?.text ?? value;
    if (field.type === "checkbox") return field.labels[0]?.textContent.trim() ?? value;
    return Fields.group(field).find((one) => one.type === "radio" && one.value === value)?.labels[0]?.textContent.trim() ?? value;
  }

  /** Show a notice once in its form: a form with several drafts says so once, and each conflict is shown. */
  function show(field, notice, key) {
    const isConflict = notice.querySelector("q") !== null;
    const shown = isConflict ? null : field.form.querySelector(":scope > .draft:not(:has(q))");
    if (!shown) (isConflict ? Fields.group(field).at(-1).closest(".field, label, p, div") : field.form.lastElementChild).after(notice);
    (shown ?? notice).querySelector("[data-draft=discard]").addEventListener("click", () => {
      remove(key);
      if (!isConflict) Fields.set(field, Fields.given(field));
      (shown ?? notice).remove();
    });
  }

  document.addEventListener("input", ({ target }) => target.matches(Fields.TYPED) && keep(Fields.first(target)));
  document.addEventListener("change", ({ target }) => target.matches(Fields.TYPED) && keep(Fields.first(target)));
  window.addEventListener("pagehide", keepEdited);

  document.addEventListener("submit", (event) => {
    const form = event.target;
    if (event.defaultPrevented || form.method !== "post") return;
    if ("forgets" in form.dataset) return forget();
    keepEdited();
    const fields = Fields.within(form).map((field) => [keyOf(field), Fields.value(field)]);
    try {
      sessionStorage.setItem("sent", JSON.stringify({ person, fields }));
    } catch { /* As above. */ }
  });

  /** Remove the person's drafts, because somebody else may use this browser next. */
  function forget() {
    window.removeEventListener("pagehide", keepEdited);
    withStorage((storage) => Object.keys(storage).filter((key) => key.startsWith(prefix)).forEach(remove));
  }

  document.addEventListener("htmx:beforeRequest", ({ detail: { requestConfig: { verb, elt } } }) => {
    if (verb === "post" && elt.matches(Fields.TYPED)) markSent(keyOf(elt));
  });

  // What the person has typed since the request stays a draft.
  document.addEventListener("htmx:beforeSwap", ({ detail }) => {
    const { verb, elt, formData } = detail.requestConfig;
    const form = elt.closest("form");
    if (verb !== "post" || !form || detail.xhr.status >= 400) return;
    for (const field of Fields.within(form).filter((one) => Fields.value(one) === formData.get(one.name))) {
      // A field that saves itself keeps its text; others, such as that of a chat line, are empty now.
      if (elt === field) markAccepted(keyOf(field));
      else remove(keyOf(field));
      Fields.accept(field);
    }
  }, { capture: true });

  clean();
  removeSent();
  Fields.within(document).filter(({ form }) => hasDrafts(form)).forEach(restore);
})();
