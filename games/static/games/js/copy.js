/* A button that copies the link of its field ([data-copies]), or hands it to the device's own way of sharing. It is to
 * be seen only where one of both works; the field can be selected by hand anywhere.
 */
"use strict";
(() => {
  const canShare = Boolean(navigator.share) && matchMedia("(pointer: coarse)").matches;
  const show = () => document.querySelectorAll("[data-copies]").forEach((button) => {
    button.hidden = !canShare && !navigator.clipboard;
  });

  document.addEventListener("click", async (event) => {
    const button = event.target.closest("[data-copies]");
    if (!button) return;
    const { value } = document.getElementById(button.dataset.copies);
    try {
      if (canShare) return await navigator.share({ title: document.title, url: value });
      await navigator.clipboard.writeText(value);
      button.querySelector("span").textContent = button.dataset.done;
    } catch {
      document.getElementById(button.dataset.copies).select(); // not allowed, or thought better of
    }
  });

  document.addEventListener("htmx:afterSettle", show);
  show();
})();
