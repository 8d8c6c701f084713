"""The forms of sleeping hours and vacations."""

from datetime import date, timedelta
from typing import Any

from django import forms
from django.utils import timezone
from django.utils.dates import WEEKDAYS
from django.utils.translation import gettext_lazy as _

from accounts.clock import zone_names
from games.clocks import BadHours, Hours, Sleep, zone_named

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


class HoursForm(forms.Form):
    """The sleeping hours and the day off of a person, and whether vacations start by themselves."""

    time_zone = forms.ChoiceField(
        label=_("Time zone"),
        choices=lambda: [(name, name) for name in zone_names()],
        widget=forms.Select(attrs={"translate": "no"}),
    )
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
        help_text=_("It lasts until the end of the day, as long as you have vacation days left."),
        required=False,
    )

    def clean(self) -> dict[str, Any]:
        cleaned = super().clean() or {}
        if not self.errors:
            self._read(cleaned)
        return cleaned

    def _read(self, cleaned: dict[str, Any]) -> None:
        start, end = cleaned["sleep_start"], cleaned["sleep_end"]
        if (start is None) != (end is None):
            self.add_error("sleep_end", _("Please enter both times, or neither."))
            return
        try:
            self.sleep = None if start is None else Sleep(start, end)
        except BadHours:
            self.add_error("sleep_end", _("Please enter two times that differ, at most 10 hours apart."))

    @property
    def hours(self) -> Hours:
        """The hours of a valid form."""
        return Hours(zone_named(self.cleaned_data["time_zone"]), self.sleep, self.cleaned_data["day_off"])


class VacationForm(forms.Form):
    """The first and the last day of a vacation, in the next years."""

    first = forms.DateField(label=_("First day"), widget=DateInput)
    last = forms.DateField(label=_("Last day"), widget=DateInput)

    def clean_first(self) -> date:
        first: date = self.cleaned_data["first"]
        if first > timezone.localdate() + LATEST_VACATION:
            raise forms.ValidationError(_("Please choose a day in the next two years."))
        return first
