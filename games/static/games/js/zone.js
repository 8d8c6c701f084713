/* Send the time zone of the device with each request, in which visitors read times, and which new accounts get; and
 * offer it to people whose pages are in another one.
 */
"use strict";
(() => {
  const here = Intl.DateTimeFormat().resolvedOptions().timeZone;
  if (!here) return;
  const cookie = `zone=${here}`;
  if (!document.cookie.split("; ").includes(cookie)) {
    const secure = location.protocol === "https:" ? "; secure" : "";
    document.cookie = `${cookie}; path=/; max-age=31536000; samesite=lax${secure}`;
  }

  const page = document.querySelector("[data-minutes]");
  const note = page?.querySelector("[data-device]");
  // Zones have several names, so only their clocks are compared.
  if (note && Number(page.dataset.minutes) !== -new Date().getTimezoneOffset()) {
    note.textContent = note.dataset.device.replace("{zone}", here.replaceAll("_", " "));
    note.hidden = false;
  }

  const offer = document.querySelector("[data-offer]");
  const zones = document.querySelector("#id_time_zone");
  if (offer && zones && zones.value !== here && [...zones.options].some((option) => option.value === here)) {
    offer.textContent = offer.dataset.offer.replace("{zone}", here.replaceAll("_", " "));
    offer.hidden = false;
    offer.addEventListener("click", () => { zones.value = here; offer.hidden = true; zones.focus(); });
  }
})();
