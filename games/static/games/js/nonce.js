/* A form that takes a seat sends a new random nonce, which the site mixes into the deal. */
"use strict";
document.addEventListener("formdata", ({ formData }) => {
  if (!formData.has("nonce")) return;
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  formData.set("nonce", Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join(""));
});
