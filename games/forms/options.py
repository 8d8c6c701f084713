"""The questions of a title about the options of a table, as fields of a form."""

from django import forms

from games.titles.options import Choice, Number, Question, YesNo


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
    raise TypeError(f"{type(question).__name__} is no question that the form of a new table can ask.")
