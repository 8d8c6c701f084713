"""Emails of a title: what it adds to those of the house, and its pictures."""

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple, Protocol

from games.titles.lines import View


class Offer(NamedTuple):
    """A legal action in an email: as a line, and what it would bring, in a few words and in detail."""

    line: str
    title: str
    detail: str


class Mails(Protocol[View]):
    """What a title shows in emails, in answers to replies, and in pictures.

    The house writes what happened, whose turn it is, the links and how to reply. The title has a template for
    each email that shows a position. It extends the template of the same name in `mail/`, and fills its
    blocks with the values that the methods here return. An email can be forwarded, so nothing in it may be
    worth more than what its reader may know.
    """

    @property
    def mail_templates(self) -> str:
        """The folder of the templates, such as "chess/mail".

        They are `turn.html`, `turn.txt`, `over.html`, `over.txt`, `reply_problem.txt`, `plan_answer.txt` for
        titles with plans, and `move.html`, the page that confirms an action.
        """
        ...

    def offers(self, view: View) -> Sequence[Offer]:
        """Return legal actions of the viewer that an email lists, best first; none if it is not their turn.

        An email about a turn shows each as a link. All are fine if they are few, or else some good ones.
        """
        ...

    def turn_values(self, view: View) -> Mapping[str, object]:
        """Return what `turn`, `reply_problem` and `plan_answer` show of the newest position."""
        ...

    def end_values(self, view: View) -> Mapping[str, object]:
        """Return what `over` shows of the end of a game."""
        ...

    def move_values(self, view: View, action: Any) -> Mapping[str, object]:
        """Return what `move.html` shows: an action of the viewer that is legal in the newest position.

        None instead of an action is for the shown position, after the action was played.
        """
        ...

    def describe_end(self, view: View) -> str:
        """Return what decided a finished game, or how it ended, as whole sentences.

        The subject of the email, which the reader sees before, says who has won.
        """
        ...

    def draw_turn(self, view: View) -> bytes | None:
        """Return a picture of the newest position as the viewer sees it, as a JPEG; None without one."""
        ...

    def draw_preview(self, view: View) -> bytes | None:
        """Return the picture that other sites show with a link to the game, as a JPEG; None without one.

        The view is the one of a spectator. Without a picture, links show the one of the site.
        """
        ...
