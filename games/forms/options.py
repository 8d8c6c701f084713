"""The questions of a title about the options of a table, as fields of a form."""

from django import forms
from django.utils.translation import gettext_lazy as _

from games.titles.options import Choice, Number, Numbers, Question, YesNo


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


class NumbersField(forms.Field):
    """A field for whole numbers with spaces or commas between them."""

    def __init__(self, question: Numbers) -> None:
        super().__init__(
            label=question.label,
            help_text=question.help_text,
            initial=" ".join(map(str, question.initial)),
            required=False,
        )
        self.question = question

    def to_python(self, value: object) -> list[int] | None:
        """Return the numbers, or None if nothing was entered. Raises ValidationError."""
        words = str(value or "").replace(",", " ").split()
        question = self.question
        allowed = [str(number) for number in range(question.least, question.most + 1)]
        if words and (len(words) != len(question.initial) or not {*words} <= {*allowed}):
            raise forms.ValidationError(
                _("Please enter %(count)d whole numbers from %(least)d to %(most)d, separated by spaces."),
                params={"count": len(question.initial), "least": question.least, "most": question.most},
            )
        return [int(word) for word in words] or None
