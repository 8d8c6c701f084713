"""Separates what a person wrote in an email from quotes, signatures and the notes of mail programs.

Mail programs word the beginning of a quote in many ways, but it always has a date, a time or an address. So
these are recognised and not the words.
"""

import re

from games.replies.characters import one_line
from games.replies.notes import is_note, is_warning, without_tag

# More than a turn mail has. If its quote is not recognised, all moves that it lists are read, and they are
# refused because they are several.
MOST_LINES = 100
LONGEST_LINE = 500
# A quote that is marked can be long, and the reply can be below it.
MOST_LINES_READ = 2000

# An email that contains this in a line asks people to write above that line.
CUT_MARK = "#-#"

# A line with a letter, a digit or a thumb says something.
_WORD = re.compile(r"[^\W_]|[👍👎]")
_TIME = re.compile(r"(?<!\d)\d{1,2} ?[:.h时時点點] ?\d\d(?!\d)")
_DATE = re.compile(
    r"(?<!\d)20\d\d(?!\d)|(?<!\d)\d{1,2}[./-]\d{1,2}[./-]\d\d(?!\d)|\d{1,2} ?[月월] ?\d{1,2} ?[日일]"
)
_ADDRESS = re.compile(r"\S+@\S+")
_FIELD = re.compile(r"\*{0,2}[^\W\d][^:\d@]{0,19}:\*{0,2} ?\S")
_SEPARATOR = re.compile(r"-{2,} ?(?!BEGIN PGP SIGNED)[^-\s].*[^-\s] ?-{2,}")
_SIGNATURE = re.compile(r"--|__")
# Footers, and some quotes, are below a line of these.
_RULE = re.compile(r"[-_=*~]{5,}")
_BROKEN_AT = 55  # characters and more, where mail programs break lines
_LONGEST_ATTRIBUTION = 3  # lines, because programs wrap it
_MOST_FIELDS = 8


def own_lines(text: str, *, is_wrapped: bool = True) -> tuple[str, ...]:
    """Return the lines of an email's text that its sender wrote, each with a word, at most 100.

    `is_wrapped` says that a program may have broken long lines; they are joined.
    """
    lines = [one_line(line[:LONGEST_LINE]) for line in text.splitlines()[:MOST_LINES_READ]]
    own: list[str] = []
    at = 0
    own_end = 0  # of the line after the last own one
    while at < len(lines) and len(own) < MOST_LINES:
        line = lines[at]
        if introduction := _introduction(lines, at):
            at += introduction
            if not _is_quoted_next(lines, at):
                break  # The quote has no marks, so it is all of the rest.
        elif CUT_MARK in line and not _is_quoted(line):
            break
        elif _SIGNATURE.fullmatch(line) or (own and _RULE.fullmatch(line)):
            at = _next_quote(lines, at)
        elif not own and (warning := _warning(lines, at, is_wrapped)):
            at += warning
        else:
            if not own:
                line = without_tag(line)
            at += 1
            if not _WORD.search(line) or _is_quoted(line) or is_note(line):
                continue
            if is_wrapped and own_end == at - 1 and own and _is_broken(own[-1]):
                own[-1] += f" {line}"
            else:
                own.append(line)
            own_end = at
    return tuple(own)


def _is_broken(line: str) -> bool:
    """Return whether a program has probably broken a line here, in the middle of a sentence."""
    return len(line) >= _BROKEN_AT and not line.endswith((".", "!", "?", ":", "。"))


def _warning(lines: list[str], at: int, is_wrapped: bool) -> int:
    """Return how many lines from `at` on are the warning of a gateway."""
    end = at
    while end < len(lines) and (
        is_warning(lines[end]) or (is_wrapped and end > at and _is_broken(lines[end - 1]))
    ):
        end += 1
    return end - at


def _introduction(lines: list[str], at: int) -> int:
    """Return how many lines from `at` on introduce a quote, such as "On 22 Nov at 10:14, Ines wrote:"."""
    if _is_quoted(lines[at]):
        return 0
    if _SEPARATOR.fullmatch(lines[at]):
        return 1 + _count_fields(lines, at + 1)
    return _count_fields(lines, at) or _attribution(lines, at)


def _count_fields(lines: list[str], at: int) -> int:
    """Return how many lines from `at` on are the header of a quoted email, such as "From: Ines"."""
    end = at
    while end < min(len(lines), at + _MOST_FIELDS) and _FIELD.match(lines[end]):
        end += 1
    return end - at if end - at > 1 and _evidence(lines[at:end]) > 1 else 0


def _attribution(lines: list[str], at: int) -> int:
    """Return how many lines from `at` on say when somebody wrote what follows."""
    for end in range(at + 1, min(at + _LONGEST_ATTRIBUTION, len(lines)) + 1):
        if not lines[end - 1] or _is_quoted(lines[end - 1]):
            break
        if lines[end - 1].endswith(":"):
            # If it begins only on a later line, the first line is the person's own.
            begins_later = _evidence(lines[at + 1 : end]) > 1
            is_one = _evidence(lines[at:end]) > 1 or (end == at + 1 and _is_attribution(lines, at))
            return end - at if is_one and not begins_later else 0
    return 1 if _evidence(lines[at : at + 1]) == 3 else 0


def _is_attribution(lines: list[str], at: int) -> bool:
    """Return whether a line that ends with a colon says who wrote what follows, or when."""
    if _ADDRESS.search(lines[at]):
        return True
    return _evidence(lines[at : at + 1]) == 1 and _is_quoted_next(lines, at + 1)


def _evidence(lines: list[str]) -> int:
    """Return how many of an address, a date and a time these lines have."""
    without_addresses, addresses = _ADDRESS.subn(" ", " ".join(lines))
    return sum(map(bool, (addresses, _DATE.search(without_addresses), _TIME.search(without_addresses))))


def _is_quoted_next(lines: list[str], at: int) -> bool:
    return next((_is_quoted(line) for line in lines[at:] if line), False)


def _next_quote(lines: list[str], at: int) -> int:
    """Return the index of the line after `at` where a quote begins, or of the end."""
    later = range(at + 1, len(lines))
    return next((each for each in later if _is_quoted(lines[each]) or _introduction(lines, each)), len(lines))


def _is_quoted(line: str) -> bool:
    return line.startswith(">")
