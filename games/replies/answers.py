"""Reads a reply to an invitation: yes or no."""

import re
from collections.abc import Sequence

_WORD = re.compile(r"[^\W\d_]+")
_YES = {"accept", "gerne", "ja", "ok", "okay", "oui", "si", "sure", "sí", "volontiers", "y", "yes"}
_NO = {"decline", "n", "nee", "nein", "no", "non", "nope", "sorry"}


def read_answer(lines: Sequence[str]) -> bool | None:
    """Return whether a reply says yes; None if its first word says neither yes nor no.

    >>> read_answer(["Yes, please!", "Ines"]), read_answer(["Nein danke"]), read_answer(["Hello"])
    (True, False, None)
    """
    words = _WORD.findall(lines[0].lower()) if lines else []
    if not words:
        return None
    return True if words[0] in _YES else False if words[0] in _NO else None
