"""Separates what a person wrote in an email from quotes, signatures and the notes of mail programs.

Mail programs word the beginning of a quote in many ways, but it always has a date, a time or an address. So
these are recognised and not the words.
"""

import re

# More than a turn mail has. If its quote is not recognised, all moves that it lists are read, and they are
# refused because they are several.
MOST_LINES = 100
LONGEST_LINE = 500
# A quote that is marked can be long, and the reply can be below it.
MOST_LINES_READ = 2000

# An email that contains this in a line asks people to write above that line.
CUT_MARK = "#-#"

_INVISIBLE = dict.fromkeys(map(ord, "\u00ad\u200b\u200c\u200d\u200e\u200f\u2060\ufeff"))
_WORD = re.compile(r"[^\W_]")
_TIME = re.compile(r"\b\d{1,2} ?[:.h] ?\d\d\b")
_DATE = re.compile(r"\b20\d\d\b|\b\d{1,2}[./-]\d{1,2}[./-]\d\d\b")
_ADDRESS = re.compile(r"\S+@\S+")
_FIELD = re.compile(r"\*?[^\W\d][^:\d@]{0,19}:\*? ?\S")
_SEPARATOR = re.compile(r"-{2,} ?(?!BEGIN PGP SIGNED)[^-\s].*[^-\s] ?-{2,}")
_SIGNATURE = re.compile(r"--|__")
_NOTE_OF_PROGRAM = re.compile(
    r"""(?:
        sent\ (?:from|with|via|using) | get\ outlook | (?:gesendet|verschickt)\ (?:von|mit|aus)
        | von\ mein.*\ gesendet | diese\ nachricht\ wurde\ von | outlook\ für
        | (?:envoyé|téléchargez|télécharger|obtenez)\ | skickat\ från | inviato\ da | enviado\ desde
        | verzonden\ v
    )""",
    re.IGNORECASE | re.VERBOSE,
)
_LONGEST_ATTRIBUTION = 3  # lines, because programs wrap it
_MOST_FIELDS = 8


def own_lines(text: str) -> tuple[str, ...]:
    """Return the lines of an email's text that its sender wrote, each with a letter or digit, at most 100."""
    lines = [_clean(line) for line in text.splitlines()[:MOST_LINES_READ]]
    own: list[str] = []
    at = 0
    while at < len(lines) and len(own) < MOST_LINES:
        line = lines[at]
        if introduction := _introduction(lines, at):
            at += introduction
            if not _is_quoted_next(lines, at):
                break  # The quote has no marks, so it is all of the rest.
        elif CUT_MARK in line and not _is_quoted(line):
            break
        elif _SIGNATURE.fullmatch(line):
            at = _next_quote(lines, at)
        else:
            if _WORD.search(line) and not _is_quoted(line) and not _NOTE_OF_PROGRAM.match(line):
                own.append(line)
            at += 1
    return tuple(own)


def _clean(line: str) -> str:
    return " ".join(line[:LONGEST_LINE].translate(_INVISIBLE).split())


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
            is_one = _evidence(lines[at:end]) > 1 or (end == at + 1 and _ADDRESS.search(lines[at]))
            return end - at if is_one and not begins_later else 0
    return 1 if _evidence(lines[at : at + 1]) == 3 else 0


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
