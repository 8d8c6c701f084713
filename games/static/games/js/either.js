/* Untick the box for one kind of email when the other one is ticked, because one email is enough. */
"use strict";
document.querySelector(".grid")?.addEventListener("change", ({ target }) => {
  if (!target.checked || !["mail", "digest"].includes(target.value)) return;
  const other = target.value === "mail" ? "digest" : "mail";
  for (const box of target.closest(".grid__row").querySelectorAll(`[value=${other}]`)) {
    if (!box.checked) continue;
    box.checked = false;
    box.dispatchEvent(new Event("change", { bubbles: true })); // Drafts keep what has changed.
  }
});
