/* The fields in which a person types or chooses what a form sends to the site. */
"use strict";
const Fields = {
  TYPED: "form[method=post] :is(input, textarea, select):not([type=hidden], [type=password], [type=submit], "
    + "[type=button], [type=file], [readonly], [autocomplete=one-time-code])",

  /** Return the fields of a form or page; of radio buttons of which one can be chosen, only the first. */
  within: (part) => [...part.querySelectorAll(Fields.TYPED)].filter((field) => Fields.first(field) === field),

  /** Return the radio buttons of which one can be chosen, or the field itself. */
  group: (field) => field.type !== "radio" ? [field]
    : [...field.form.elements].filter((one) => one.type === "radio" && one.name === field.name),

  first: (field) => Fields.group(field)[0],

  /** Return what a person has typed or chosen, as text. */
  value(field) {
    if (field.type === "radio") return Fields.group(field).find((one) => one.checked)?.value ?? "";
    if (field.type === "checkbox") return field.checked ? "on" : "";
    return field.value;
  },

  /** Return the value that the server gave to a field, as text. */
  given(field) {
    if (field.type === "radio") return Fields.group(field).find((one) => one.defaultChecked)?.value ?? "";
    if (field.type === "checkbox") return field.defaultChecked ? "on" : "";
    if (field.localName !== "select") return field.defaultValue;
    const options = [...field.options];
    return (options.find((one) => one.defaultSelected) ?? options[0])?.value ?? "";
  },

  isEdited: (field) => Fields.value(field) !== Fields.given(field),

  /** Type or choose a value, as a person does. */
  set(field, value) {
    if (field.type === "radio") Fields.group(field).forEach((one) => { one.checked = one.value === value; });
    else if (field.type === "checkbox") field.checked = value !== "";
    else field.value = value;
    field.dispatchEvent(new Event("input", { bubbles: true }));
  },

  /** Count the current value as given by the server. */
  accept(field) {
    if (field.type === "radio") Fields.group(field).forEach((one) => { one.defaultChecked = one.checked; });
    else if (field.type === "checkbox") field.defaultChecked = field.checked;
    else if (field.localName === "select") [...field.options].forEach((one) => { one.defaultSelected = one.selected; });
    else field.defaultValue = field.value;
  },
};
