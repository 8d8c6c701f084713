// Suggests the time zone of the device to people who have not chosen one.
const zones = document.querySelector("#id_time_zone");
if (zones && !zones.value) {
  const here = Intl.DateTimeFormat().resolvedOptions().timeZone;
  if ([...zones.options].some((option) => option.value === here)) zones.value = here;
}
