"""The form that searches the finished games of a person."""

from typing import Any

from django import forms
from django.utils.translation import gettext_lazy as _

from games.forms.people import NameInput
from games.queries.browsing.archive import Filters
from games.titles.registry import TITLES, offers
from games.titles.talents import Talent

RESULTS = {
    "won": _("Won"),
    "drawn": _("Tied"),
    "lost": _("Lost"),
    "uncounted": _("Not counted"),
    "none": _("Cancelled"),
}
LENGTHS = {"short": _("Up to 30 actions"), "medium": _("31 to 60 actions"), "long": _("More than 60 actions")}
ANY = ("", _("Any"))
YES_OR_NO = {"yes": True, "no": False}


class ArchiveForm(forms.Form):
    """What somebody looks for among their finished games. Every field may be empty."""

    who = forms.CharField(
        label=_("Opponent"), required=False, max_length=150, widget=NameInput(type="search")
    )
    title = forms.ChoiceField(label=_("Game"), required=False)
    result = forms.ChoiceField(label=_("Result"), required=False, choices=[ANY, *RESULTS.items()])
    players = forms.TypedChoiceField(label=_("Players"), required=False, coerce=int, empty_value=None)
    length = forms.ChoiceField(label=_("Length"), required=False, choices=[ANY, *LENGTHS.items()])
    rated = forms.ChoiceField(
        label=_("Rated"), required=False, choices=[ANY, ("yes", _("Rated")), ("no", _("Not rated"))]
    )
    review = forms.ChoiceField(
        label=_("Review"), required=False, choices=[ANY, ("yes", _("With a review")), ("no", _("Without"))]
    )
    since = forms.DateField(label=_("From"), required=False, widget=forms.DateInput({"type": "date"}))
    until = forms.DateField(label=_("To"), required=False, widget=forms.DateInput({"type": "date"}))
    chat = forms.BooleanField(label=_("With lines in the chat"), required=False)

    def __init__(self, *arguments: Any, **options: Any) -> None:
        super().__init__(*arguments, **options)
        sizes = {size for title in TITLES.values() for size in title.rules.seat_counts}
        self._offer("players", [(str(size), str(size)) for size in sorted(sizes)])
        if len(TITLES) > 1:
            self._offer("title", [(title.key, title.pages.name) for title in TITLES.values()])
        else:
            del self.fields["title"]
        if not offers(Talent.REVIEWS):
            del self.fields["review"]

    def clean(self) -> None:
        since, until = self.cleaned_data.get("since"), self.cleaned_data.get("until")
        if since and until and until < since:
            self.add_error("until", _("This day is before the first day."))

    def _offer(self, name: str, choices: list[tuple[str, str]]) -> None:
        field = self.fields[name]
        assert isinstance(field, forms.ChoiceField)
        field.choices = [ANY, *choices]

    @property
    def first(self) -> list[forms.BoundField]:
        """The fields that the page always shows, after the name."""
        return [self[name] for name in ("result", "title") if name in self.fields]

    @property
    def more(self) -> list[forms.BoundField]:
        """The other fields, except the one for the chat."""
        shown = ("who", "result", "title", "chat")
        return [self[name] for name in self.fields if name not in shown]

    @property
    def filters(self) -> Filters:
        """What the form asks for; a field with an error restricts nothing."""
        self.is_valid()
        data = self.cleaned_data
        return Filters(
            opponent=data.get("who", ""),
            title=data.get("title", ""),
            result=data.get("result", ""),
            players=data.get("players"),
            length=data.get("length", ""),
            is_rated=YES_OR_NO.get(data.get("rated", "")),
            has_review=YES_OR_NO.get(data.get("review", "")),
            since=data.get("since"),
            until=data.get("until"),
            has_chat=data.get("chat", False),
        )

    @property
    def set_count(self) -> int:
        """How many fields have a value, with or without an error."""
        return sum(bool(self.data.get(field.html_name)) for field in self)

    @property
    def is_narrow(self) -> bool:
        """Whether it asks for something that the page shows only on demand."""
        return any(self.data.get(field.html_name) for field in [*self.more, self["chat"]])
