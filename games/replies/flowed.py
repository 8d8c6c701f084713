"""Joins the lines that mail programs have wrapped (format=flowed, RFC 3676)."""

import re

_QUOTE = re.compile(r"(>*) ?(.*)", re.DOTALL)
_SIGNATURE = "-- "


def unflowed(text: str, *, deletes_space: bool) -> str:
    """Return a text with each of its paragraphs on one line, and ">" before those that are quotes.

    `deletes_space` says that the space at the end of a wrapped line is no part of the text (DelSp=yes).
    """
    lines: list[str] = []
    open_depth = -1
    for raw in text.splitlines():
        match = _QUOTE.fullmatch(raw)
        assert match is not None, "the pattern fits every line"
        marks, line = match.groups()
        is_flowed = line.endswith(" ") and line != _SIGNATURE
        if is_flowed and deletes_space:
            line = line[:-1]
        if open_depth == len(marks) and line != _SIGNATURE:
            lines[-1] += line
        else:
            lines.append(f"{marks} {line}" if marks else line)
        open_depth = len(marks) if is_flowed else -1
    return "\n".join(lines)
