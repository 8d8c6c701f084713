/* A button copies the link or text of its field ([data-copies]), or opens the share menu of touch screens. Without a
 * field it copies the address in data-link. Where the button has no visible text, css/game.css shows what it has done.
 *
 * Where the browser refuses, the field is selected for copying by hand, and a dialog has the field of a button without
 * one. A button with a field is hidden where the browser supports neither; the field can be selected everywhere.
 */
"use strict";
(() => {
  const SHOWN_FOR = 2_500; // ms
  const canShare = Boolean(navigator.share) && matchMedia("(pointer: coarse)").matches;
  const showButtons = () => document.querySelectorAll("[data-copies]:not([data-link])").forEach((button) => {
    button.hidden = !canShare && !navigator.clipboard;
  });

  document.addEventListener("click", async (event) => {
    const button = event.target.closest("[data-copies]");
    if (!button) return;
    const field = document.getElementById(button.dataset.copies);
    const value = field ? field.value : new URL(button.dataset.link, location).href;
    try {
      if (canShare) return await navigator.share({ title: document.title, [button.dataset.shares || "url"]: value });
      await navigator.clipboard.writeText(value);
      if (field) button.querySelector("span").textContent = button.dataset.done;
      else showFor(button);
      Announcer.say(button.dataset.done);
    } catch (error) {
      if (error.name === "AbortError") return; // The person closed the share menu.
      if (field) button.querySelector("span").textContent = button.dataset.refused;
      selectByHand(field ?? fieldOfDialog(value));
    }
  });

  function selectByHand(field) {
    field.focus();
    field.select();
  }

  function fieldOfDialog(value) {
    document.getElementById("by-hand").showModal();
    return Object.assign(document.getElementById("link"), { value });
  }

  function showFor(button) {
    button.classList.add("is-done");
    setTimeout(() => button.classList.remove("is-done"), SHOWN_FOR);
  }

  document.addEventListener("htmx:afterSettle", showButtons);
  showButtons();
})();
