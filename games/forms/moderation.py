"""The forms of reports, decisions about them, and objections."""

from collections.abc import Mapping, Sequence
from typing import Any

from django import forms
from django.utils.translation import gettext_lazy as _

from accounts.models import User
from accounts.written_text import has_visible, tidy
from games.models import LONGEST_WORDS, Measure, Report

LENGTHS = {
    "1": _("a day"),
    "3": _("three days"),
    "7": _("a week"),
    "30": _("a month"),
    "365": _("a year"),
    "0": _("for good"),
}


class WordsField(forms.CharField):
    """What somebody writes about a decision: a few sentences, which have something to see."""

    def __init__(self, **options: Any) -> None:
        super().__init__(
            max_length=LONGEST_WORDS,
            widget=forms.Textarea({"rows": 4, "maxlength": LONGEST_WORDS, "dir": "auto"}),
            **options,
        )

    def clean(self, value: object) -> str:
        words = tidy(str(super().clean(value)).replace("\r\n", "\n"))[:LONGEST_WORDS]
        if self.required and not has_visible(words):
            raise forms.ValidationError(_("Please write something that others can see."))
        return words


class ReportForm(forms.Form):
    """What is reported about whom, with optional words."""

    about = forms.ChoiceField()  # a button for each, so that the choice is the press
    person = forms.ModelChoiceField(User.objects.none(), label=_("Who is it about?"), empty_label=None)
    words = WordsField(label=_("What happened? (optional)"), required=False)

    def __init__(
        self,
        data: Mapping[str, Any] | None,
        people: Sequence[User],
        abouts: Sequence[Report.About],
    ) -> None:
        super().__init__(data)
        about, person = self.fields["about"], self.fields["person"]
        assert isinstance(about, forms.ChoiceField)
        assert isinstance(person, forms.ModelChoiceField)
        about.choices = [(one.value, one.label) for one in abouts]
        person.queryset = User.objects.filter(pk__in=[one.pk for one in people])
        person.initial = people[0].pk
        if len(people) == 1:
            person.widget = forms.HiddenInput()


class DecisionForm(forms.Form):
    """A decision about a report: dismiss it, or a measure with a reason, an end and a text."""

    DISMISS = "dismiss"
    WORDS = {
        Measure.Kind.WARN: _("Warn them"),
        Measure.Kind.HIDE_LINE: _("Hide this line"),
        Measure.Kind.RENAME: _("Give them another name, and ask them to choose one"),
        Measure.Kind.MUTE: _("No writing in chats"),
        Measure.Kind.NO_PUBLIC_TABLES: _("No public tables"),
        Measure.Kind.UNLIST_RESULT: _("Unlist the result of this game"),
        Measure.Kind.SUSPEND: _("Suspend the account"),
    }

    kind = forms.ChoiceField(label=_("Decision"), widget=forms.RadioSelect)
    rule = forms.ChoiceField(label=_("House rule"), choices=Measure.Rule, required=False)
    days = forms.ChoiceField(
        label=_("For how long"),
        choices=list(LENGTHS.items()),
        initial="7",
        required=False,
        help_text=_("For chats, public tables and suspensions."),
    )
    text = WordsField(
        label=_("Your text to the person"),
        required=False,
        help_text=_("Those who reported it don't see it."),
    )

    def __init__(self, data: Mapping[str, Any] | None, kinds: Sequence[Measure.Kind]) -> None:
        super().__init__(data)
        kind = self.fields["kind"]
        assert isinstance(kind, forms.ChoiceField)
        measures = [(one.value, self.WORDS[one]) for one in kinds]
        kind.choices = [(self.DISMISS, _("Dismiss: no rule was broken")), *measures]

    @property
    def days_chosen(self) -> int | None:
        """For how many days the measure lasts; None for good."""
        return int(self.cleaned_data["days"] or 0) or None

    @property
    def is_dismissal(self) -> bool:
        return bool(self.cleaned_data["kind"] == self.DISMISS)

    def clean(self) -> dict[str, object]:
        """Ask for a rule, a text to the person, and a length of what lasts, except for a dismissal."""
        cleaned = super().clean() or {}
        if cleaned.get("kind") not in (None, self.DISMISS):
            if not cleaned.get("rule"):
                self.add_error("rule", _("Please choose the rule that was broken."))
            if not cleaned.get("text"):
                self.add_error("text", _("Please write to the person what they did."))
            if cleaned["kind"] in Measure.LASTING and not cleaned.get("days"):
                self.add_error("days", _("Please choose for how long."))
        return cleaned


class ObjectionForm(forms.Form):
    """What a person objects to a measure."""

    text = WordsField(
        label=_("Why is this wrong?"),
        help_text=_("You can object once. Another moderator decides, if there is one."),
    )


class AnswerForm(forms.Form):
    """Whether to keep or to lift a measure, and a text to the person."""

    do = forms.ChoiceField(choices=[("keep", "keep"), ("lift", "lift")])
    text = WordsField(label=_("Your text to the person"))
