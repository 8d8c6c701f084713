"""The forms of sleeping hours and vacations."""

from collections.abc import Mapping
from datetime import date, timedelta
from typing import Any

from django import forms
from django.utils import timezone
from django.utils.dates import WEEKDAYS
from django.utils.translation import gettext_lazy as _

from accounts.clock import zone_choices, zone_of
from accounts.kept_form import KeptForm
from games.clocks import BadHours, Hours, Sleep

LATEST_VACATION = timedelta(days=2 * 366)


class TimeInput(forms.TimeInput):
    """A field for a time of day, without seconds, as browsers show it."""

    input_type = "time"

    def __init__(self) -> None:
        super().__init__(format="%H:%M")


class DateInput(forms.DateInput):
    """A field for a date, as browsers show it."""

    input_type = "date"

    def __init__(self) -> None:
        super().__init__(format="%Y-%m-%d")


def zone_field() -> forms.ChoiceField:
    """Return a field for the time zone of a person. `offer_zones` gives it its choices."""
    return forms.ChoiceField(
        label=_("Time zone"), required=False, widget=forms.Select(attrs={"translate": "no"})
    )


def offer_zones(form: forms.BaseForm, stored: str) -> None:
    """Let a person choose a time zone in a form: any zone, or to leave theirs as it is."""
    field = form.fields["time_zone"]
    assert isinstance(field, forms.ChoiceField)
    field.choices = zone_choices(stored) if stored else [("", _("Not chosen (UTC)")), *zone_choices("")]


class HoursForm(KeptForm, forms.Form):
    """The sleeping hours and the day off of a person, and whether vacations start by themselves."""

    time_zone = zone_field()
    sleep_start = forms.TimeField(label=_("Sleep from"), required=False, widget=TimeInput)
    sleep_end = forms.TimeField(label=_("Sleep until"), required=False, widget=TimeInput)
    day_off = forms.TypedChoiceField(
        label=_("Day off each week"),
        choices=lambda: [("", _("None")), *WEEKDAYS.items()],
        coerce=int,
        empty_value=None,
        required=False,
    )
    automatic_vacation = forms.BooleanField(
        label=_("If my clock runs out, start a vacation day automatically"),
        help_text=_("The clock then stops until the end of the day. This uses one of your vacation days."),
        required=False,
    )

    def __init__(self, data: Mapping[str, Any] | None = None, *, initial: dict[str, Any]) -> None:
        super().__init__(data, initial=initial)
        offer_zones(self, initial["time_zone"])

    def clean(self) -> dict[str, Any]:
        cleaned = super().clean() or {}
        if not self.errors:
            self._read(self.merged(self.initial))
        return cleaned

    def _read(self, values: Mapping[str, Any]) -> None:
        # Both times belong together, so both are those of this page if one of them has changed.
        times = self.cleaned_data if {"sleep_start", "sleep_end"} & {*self.changes} else values
        zone = zone_of(values["time_zone"] or self.initial["time_zone"])
        start, end = times["sleep_start"], times["sleep_end"]
        if (start is None) != (end is None):
            self.add_error("sleep_end", _("Please enter both times, or neither."))
            return
        try:
            sleep = None if start is None or end is None else Sleep(start, end)
        except BadHours:
            self.add_error("sleep_end", _("Please enter two times that differ, at most 10 hours apart."))
        else:
            self.hours = Hours(zone, sleep, values["day_off"])
            self.starts_vacations = bool(values["automatic_vacation"])


class VacationForm(forms.Form):
    """The first and the last day of a vacation, in the next years."""

    first = forms.DateField(label=_("First day"), widget=DateInput)
    last = forms.DateField(label=_("Last day"), widget=DateInput)

    def clean_first(self) -> date:
        first: date = self.cleaned_data["first"]
        if first > timezone.localdate() + LATEST_VACATION:
            raise forms.ValidationError(_("Please choose a day in the next two years."))
        return first
