"""The forms of the chat and of private notes."""

from django import forms
from django.utils.translation import gettext_lazy as _

from accounts.written_text import has_visible, tidy
from games.forms.once import OnceForm
from games.models import LONGEST_LINE, LONGEST_NOTE


class ChatForm(OnceForm):
    """A line for the chat, which has something to see. Line breaks become spaces."""

    text = forms.CharField(max_length=LONGEST_LINE)

    def clean_text(self) -> str:
        # Composing can make a text longer.
        line = tidy(" ".join(self.cleaned_data["text"].split()))[:LONGEST_LINE]
        if not has_visible(line):
            raise forms.ValidationError("", code="invisible")  # The page has its own words.
        return line


class ReadForm(forms.Form):
    """The id of a line of the chat."""

    line = forms.IntegerField(min_value=0, max_value=2**62)


class NoteForm(forms.Form):
    """The private note of a player, the version that they have read, and the page that it was posted from."""

    note = forms.CharField(required=False)
    read = forms.CharField(max_length=16, required=False)
    page = forms.CharField(max_length=8, required=False)

    def clean_note(self) -> str:
        # Browsers count a line break as one character, and send two.
        note: str = self.cleaned_data["note"].replace("\r\n", "\n")
        if len(note) > LONGEST_NOTE:
            raise forms.ValidationError(_("Not saved: a note has at most 5000 characters."))
        # Stored as it was typed: only its writer reads it, and the page compares both to see a conflict.
        return note
