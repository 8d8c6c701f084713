"""A request that counts once."""

import uuid

from django import forms


class OnceForm(forms.Form):
    """A request that counts once: to start a game, or to play as a guest."""

    # Each page has a new id, so a form that is sent twice makes one game and one guest. A page can have
    # several of these forms, so their elements have no id.
    request_id = forms.UUIDField(initial=uuid.uuid4, widget=forms.HiddenInput({"id": False}))
