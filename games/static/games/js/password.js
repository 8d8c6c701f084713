/* Show the password in a field while its button is pressed in; what is sent to the site is hidden again. */
"use strict";
(() => {
  function show(button, isShown) {
    button.setAttribute("aria-pressed", isShown);
    document.getElementById(button.dataset.shows).type = isShown ? "text" : "password";
  }

  document.addEventListener("click", ({ target }) => {
    if (target.matches("[data-shows]")) show(target, target.getAttribute("aria-pressed") === "false");
  });
  // A browser offers to store what was typed only in fields for passwords.
  document.addEventListener("submit", () => document.querySelectorAll("[data-shows]").forEach((button) => show(button, false)));
})();
