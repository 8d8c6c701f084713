"""The questions of a title about the options of a table, as fields of a form."""

from collections.abc import Mapping
from itertools import zip_longest
from typing import Any

from django import forms
from django.template.loader import render_to_string
from django.utils.safestring import SafeString
from django.utils.translation import gettext_lazy as _

from games.titles.options import Choice, Number, Numbers, Question, YesNo

# Stands for a field without a number, which has none of those that are possible.
MISSING = "–"


def field_of(question: Question) -> forms.Field:
    """Return the field for a question. It needs no answer: a box is not ticked, and others give None."""
    match question:
        case YesNo(label=label, help_text=help_text, initial=initial):
            return forms.BooleanField(label=label, help_text=help_text, initial=initial, required=False)
        case Choice(label=label, help_text=help_text, initial=initial):
            return forms.TypedChoiceField(
                label=label,
                help_text=help_text,
                initial=initial,
                choices=list(question.choices.items()),
                coerce=type(initial),
                empty_value=None,
                required=False,
            )
        case Number(label=label, help_text=help_text, initial=initial):
            return forms.IntegerField(
                label=label,
                help_text=help_text,
                initial=initial,
                min_value=question.least,
                max_value=question.most,
                required=False,
            )
        case Numbers():
            return NumbersField(question)
    raise TypeError(f"{type(question).__name__} is no question that the form of a new table can ask.")


class NumbersWidget(forms.Widget):
    """A small field for each number, whose label is its place from 0. Its value has spaces between them."""

    use_fieldset = True

    def __init__(self, question: Numbers) -> None:
        super().__init__()
        self.question = question

    def id_for_label(self, id_: str) -> str:
        return f"{id_}_0" if id_ else ""

    def value_from_datadict(self, data: Mapping[str, Any], files: object, name: str) -> str | None:
        """Return what was entered; pages from before these fields send one for all numbers."""
        del files
        names = [f"{name}_{place}" for place in range(len(self.question.initial))]
        if any(data.get(one) for one in names):
            return " ".join(str(data.get(one, "")).strip() or MISSING for one in names)
        return data.get(name)

    def value_omitted_from_data(self, data: Mapping[str, Any], files: object, name: str) -> bool:
        return name not in data and f"{name}_0" not in data

    def render(
        self, name: str, value: object, attrs: dict[str, Any] | None = None, renderer: object = None
    ) -> SafeString:
        """Return the fields as HTML, the first wrong one with the focus."""
        del renderer
        words = str(value or "").replace(",", " ").split()
        allowed = _allowed(self.question)
        wrong = [place for place, word in enumerate(words) if word not in allowed]
        fields = [
            {
                "place": place,
                "value": "" if word == MISSING else word,
                "is_wrong": place in wrong,
                "is_first_wrong": [place] == wrong[:1],
            }
            for place, word in zip_longest(
                range(len(self.question.initial)), words[: len(self.question.initial)], fillvalue=""
            )
        ]
        widget = {"name": name, "attrs": attrs or {}}
        return render_to_string(
            "games/_numbers.html", {"widget": widget, "question": self.question, "fields": fields}
        )


class NumbersField(forms.Field):
    """A field for whole numbers with spaces or commas between them."""

    def __init__(self, question: Numbers) -> None:
        super().__init__(
            label=question.label,
            help_text=question.help_text,
            initial=" ".join(map(str, question.initial)),
            widget=NumbersWidget(question),
            required=False,
        )
        self.question = question

    def to_python(self, value: object) -> list[int] | None:
        """Return the numbers, or None if nothing was entered. Raises ValidationError."""
        words = str(value or "").replace(",", " ").split()
        question = self.question
        if words and (len(words) != len(question.initial) or not {*words} <= _allowed(question)):
            raise forms.ValidationError(
                _("Please enter %(count)d whole numbers from %(least)d to %(most)d."),
                params={"count": len(question.initial), "least": question.least, "most": question.most},
            )
        return [int(word) for word in words] or None


def _allowed(question: Numbers) -> set[str]:
    return {str(number) for number in range(question.least, question.most + 1)}
