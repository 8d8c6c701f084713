/* Passkeys: a form with `data-passkey` asks the browser to make or use one, and sends what it answers. */
"use strict";
(() => {
  /* The site sends new options with the page, or to a request for them. */
  async function optionsOf(form) {
    if (form.dataset.options) return JSON.parse(form.dataset.options);
    const response = await fetch(form.action, { headers: { Accept: "application/json" } });
    if (!response.ok) throw new Error(`no options: ${response.status}`);
    return (await response.json()).request_options;
  }

  async function ask(form) {
    if (!window.PublicKeyCredential) throw new DOMException("", "NotSupportedError");
    const options = await optionsOf(form);
    if (form.dataset.passkey === "use") return window.webauthnJSON.get(options);
    // The device checks the person and keeps the name, so the passkey can be the only thing to log in with.
    Object.assign(options.publicKey.authenticatorSelection, {
      residentKey: "required", requireResidentKey: true, userVerification: "required",
    });
    return window.webauthnJSON.create(options);
  }

  // Until now a press would have sent an empty form.
  for (const button of document.querySelectorAll("[data-passkey] [type=submit]")) button.disabled = false;

  document.addEventListener("submit", async (event) => {
    const form = event.target;
    if (!form.matches("[data-passkey]")) return;
    event.preventDefault();
    const button = form.querySelector("[type=submit]"), error = form.querySelector("[data-failures]");
    button.disabled = true;
    error.hidden = true;
    try {
      form.elements.credential.value = JSON.stringify(await ask(form));
      form.submit();
    } catch ({ name }) {
      const texts = JSON.parse(error.dataset.failures);
      error.textContent = texts[name] || texts.other;
      error.hidden = false;
      button.disabled = false;
    }
  });
})();
