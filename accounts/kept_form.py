"""Forms of settings that store only what a person has changed on their page."""

from collections.abc import Mapping, Sequence
from typing import Any

from django import forms
from django.utils.html import format_html, format_html_join
from django.utils.safestring import SafeString
from django.utils.translation import gettext as _

MARK = "has_initials"


class KeptForm(forms.BaseForm):
    """A form whose page has the values that it showed in hidden fields, as the browser would send them.

    So a page that was open for long overwrites nothing that has been changed on another page since, and a
    value that browsers or choices cannot show stays as it is. If both pages have changed what is typed into a
    field, the second one shows both, and stores its own when it is saved again.
    """

    conflicts: Sequence[str] = ()  # the fields into which both pages have typed

    def clean(self) -> dict[str, Any] | None:
        cleaned = super().clean()
        self.conflicts = [name for name in self.fields if self._is_conflict(name)]
        for name in self.conflicts:
            text = _(
                "Not saved: another page has changed this to “%(value)s”. To keep your version, save again."
            )
            self.add_error(name, text % {"value": ", ".join(self._stored(name)) or _("nothing")})
        return cleaned

    def _is_conflict(self, name: str) -> bool:
        if isinstance(self.fields[name], forms.ChoiceField):
            return False  # The newest choice counts, and nothing typed is lost.
        stored = sorted(self._stored(name))
        is_read = MARK not in self.data or sorted(self.shown_on_page(name)) == stored
        return not is_read and self.is_changed(name) and sorted(self._sent(name)) != stored

    @property
    def initials(self) -> SafeString:
        """The hidden fields, for the page."""
        pairs = (
            (self.add_initial_prefix(name), one)
            for name in self.fields
            for one in (self._stored(name) if name in self.conflicts else self.shown_on_page(name))
        )
        inputs = format_html_join("", '<input type="hidden" name="{}" value="{}">', pairs)
        return format_html('<input type="hidden" name="{}" value="on">{}', MARK, inputs)

    @property
    def changes(self) -> dict[str, Any]:
        """The values of a valid form that differ from those on its page; all if the page does not say."""
        return {name: value for name, value in self.cleaned_data.items() if self.is_changed(name)}

    def is_changed(self, name: str) -> bool:
        """Return whether a field of a form that was sent differs from what its page showed.

        A damaged request, which has no field of the form, changes nothing.
        """
        if MARK not in self.data:
            return any(self.add_prefix(field) in self.data for field in self.fields)
        return sorted(self._sent(name)) != sorted(self.shown_on_page(name))

    def merged(self, stored: Mapping[str, Any]) -> dict[str, Any]:
        """Return stored values with those that the person has changed."""
        return {**stored, **self.changes}

    def shown_on_page(self, name: str) -> list[str]:
        """Return what the page showed in a field, as a browser sends it; by default the stored value."""
        if MARK in self.data:
            return self._sent(self.add_initial_prefix(name))
        return self._stored(name)

    def _stored(self, name: str) -> list[str]:
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
