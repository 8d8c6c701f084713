"""Reads replies: which line of a person is meant as an action, and what to answer if none is."""

import re
import unicodedata
from collections.abc import Callable, Sequence
from typing import NamedTuple

from django.utils.translation import gettext as _

from games.shown.words import join_words
from games.titles.lines import CannotPlay, NotUnderstood

_TOKEN = re.compile(r"[^\W\d_]+|[0-9]+")
_THANKS = re.compile(
    r"(?:thank|thx|sorry|good game|gg|well played|cheers|bye|danke|merci|gracias)", re.IGNORECASE
)
# "No hurry" and "Wait until Friday" take nothing back.
_TAKES_BACK = re.compile(
    r"""(?:oh\W+)?(?:
        no\W*(?:$|\bwait\b|\bsorry\b|\bstop\b|\bnot\b)
        | (?:wait|stop|undo|cancel|oops)\W*$
        | (?:wait|stop|oops)\b\ ?[,.!:–—-]
        | (?:cancel|undo|scrap|ignore|forget|delete)\ (?:it|my|that|the|this)\b
    )""",
    re.IGNORECASE | re.VERBOSE,
)
_THEN = re.compile(r";|\b(?:and\s+)?then\b", re.IGNORECASE)
_LONGEST_LINE = 200
_LONGEST_QUOTE = 60

Test = Callable[[str], bool]


class Found(NamedTuple):
    """The line of a reply that is most probably an action, and the line after it; both can be empty."""

    line: str
    after: str

    def is_taken_back(self, *, resigns: bool) -> bool:
        """Return whether the line after it takes the action back, or makes a resignation conditional."""
        return bool(_TAKES_BACK.match(self.after)) or (resigns and _is_condition(self.after))

    def not_understood(self, example: str) -> NotUnderstood:
        """Return the error of an action that the line after it takes back."""
        return not_understood(f"{self.line} {self.after}", example)


def find_line(lines: Sequence[str], is_move: Test, names_move: Test) -> Found:
    """Return the only line that is a move, or else the first line.

    `names_move` is asked whether the line after the move names another one, as in "No wait, take 2". Raises
    CannotPlay if there are several moves.
    """
    moves = [line for line in lines if is_move(line)]
    after = next(iter(lines[lines.index(moves[0]) + 1 :]), "") if len(moves) == 1 else ""
    if names_move(after):
        moves.append(after)
    if len(moves) > 1:
        named = join_words([quote(move) for move in moves])
        raise CannotPlay(_("Your reply has several moves: %(moves)s. Write only one.") % {"moves": named})
    return Found(next(iter([*moves, *lines]), ""), after)


def split_actions(
    lines: Sequence[str], is_action: Test, is_resignation: Test, goes_on: Test | None = None
) -> Sequence[Sequence[str]]:
    """Return lines in parts of one action each: the first begins with the first line, others with an action.

    A line can have several actions, as in "choose 3; choose 5" or "choose 3, then choose 5". `goes_on` is
    asked whether a part after the first one is an action too, which can be shorter, as in "choose 3, then 5".
    A reply with a resignation is one part, because nothing else can be meant with it.

    >>> split_actions(["Hello!", "go 1; go 2", "Ines"], lambda line: "go" in line, lambda line: False)
    [['Hello!', 'go 1'], ['go 2', 'Ines']]
    """
    parts: list[list[str]] = [[]]
    has_action = False
    for line in lines:
        first, *more = (part.strip(" ,") for part in _THEN.split(line))
        is_several = bool(more) and is_action(first) and all(map(goes_on or is_action, more))
        for each in (first, *more) if is_several else (line,):
            if is_resignation(each):
                return [lines]
            if is_action(each) or is_several:
                if has_action:
                    parts.append([])
                has_action = True
            parts[-1].append(each)
    return parts


def tokens_of(line: str) -> list[str]:
    """Return the words and numbers of a line in lower case; none of a line that is too long for an action.

    >>> tokens_of("Take blue 4 at E1, please.")
    ['take', 'blue', '4', 'at', 'e', '1', 'please']
    """
    return [] if len(line) > _LONGEST_LINE else _TOKEN.findall(unicodedata.normalize("NFKC", line).lower())


def not_understood(line: str, example: str) -> NotUnderstood:
    """Return the error of a line that is empty or no notation, with a line that would be right."""
    words = {"line": quote(line), "example": example}
    if not line:
        return NotUnderstood(_("Your reply is empty. Write one line, for example: %(example)s") % words)
    return NotUnderstood(_("We don't understand %(line)s. Write one line, for example: %(example)s") % words)


def quote(line: str) -> str:
    """Return a line in quotation marks, and only its beginning if it is long."""
    text = line if len(line) <= _LONGEST_QUOTE else f"{line[:_LONGEST_QUOTE]}…"
    return _("“%(text)s”") % {"text": text}


def _is_condition(line: str) -> bool:
    """Whether a line after a resignation can take it back, such as "or should I?"."""
    return (line[:1].islower() and not _THANKS.match(line)) or "?" in line
