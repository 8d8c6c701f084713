"""Forms of settings that store only what a person has changed on their page."""

from collections.abc import Mapping
from typing import Any

from django import forms
from django.utils.html import format_html, format_html_join
from django.utils.safestring import SafeString

MARK = "has_initials"


class KeptForm(forms.BaseForm):
    """A form whose page has the values that it showed in hidden fields, as the browser would send them.

    So a page that was open for long overwrites nothing that has been changed on another page since, and a
    value that browsers or choices cannot show stays as it is.
    """

    @property
    def initials(self) -> SafeString:
        """The hidden fields, for the page."""
        pairs = (
            (self.add_initial_prefix(name), one) for name in self.fields for one in self.shown_on_page(name)
        )
        inputs = format_html_join("", '<input type="hidden" name="{}" value="{}">', pairs)
        return format_html('<input type="hidden" name="{}" value="on">{}', MARK, inputs)

    @property
    def changes(self) -> dict[str, Any]:
        """The values of a valid form that differ from those on its page; all if the page does not say."""
        return {name: value for name, value in self.cleaned_data.items() if self.is_changed(name)}

    def is_changed(self, name: str) -> bool:
        """Return whether a field of a form that was sent differs from what its page showed."""
        return MARK not in self.data or sorted(self._sent(name)) != sorted(self.shown_on_page(name))

    def merged(self, stored: Mapping[str, Any]) -> dict[str, Any]:
        """Return stored values with those that the person has changed."""
        return {**stored, **self.changes}

    def shown_on_page(self, name: str) -> list[str]:
        """Return what the page showed in a field, as a browser sends it; by default the stored value."""
        if MARK in self.data:
            return self._sent(self.add_initial_prefix(name))
        value, widget = self.get_initial_for_field(self.fields[name], name), self.fields[name].widget
        if isinstance(widget, forms.CheckboxInput):
            return ["on"] if value else []
        shown = widget.format_value(value)
        return [str(one) for one in shown] if isinstance(shown, list) else [str(shown or "")]

    def _sent(self, name: str) -> list[str]:
        # Tests give forms a plain mapping.
        data: Any = self.data
        sent = data.getlist(name) if hasattr(data, "getlist") else data.get(name, [])
        return [sent] if isinstance(sent, str) else [str(one) for one in sent]
