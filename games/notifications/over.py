"""The kind of notification for the end of a game."""

from collections.abc import Mapping, Sequence
from dataclasses import replace

from django.conf import settings
from django.urls import reverse
from django.utils.translation import gettext as _

from games.models import Game, Notification, ReceivedReply
from games.notifications.kind import Kind, Message
from games.notifications.match import match_facts
from games.notifications.turn import display_rows, score_rows
from games.novaluna.board.decision import describe_turning_point
from games.novaluna.board.events import describe_outcome
from games.novaluna.board.game_view import GameView
from games.novaluna.board.players import ranking
from games.queries.mail_links import url_for_reader
from games.queries.viewing import view_game
from games.shown.words import begin_sentence


class OverKind(Kind):
    """Each person who has not left is owed one such notification when a game with others ends."""

    def why_unwanted(self, notification: Notification) -> str:
        """Return "seen" if the user ended the game on its page, or has looked at it since; else nothing."""
        game, user = notification.game, notification.user
        was_seen = game.seats.filter(user=user, seen_at__gt=game.moved_at).exists()
        has_ended_it = game.actions.latest("number").made_by == user
        by_reply = ReceivedReply.objects.filter(
            game=game, user=user, number=game.version, outcome=ReceivedReply.Outcome.PLAYED
        )
        return "seen" if was_seen or (has_ended_it and not by_reply.exists()) else ""

    def context(self, notification: Notification) -> Mapping[str, object]:
        """Return the result, what decided it, and the addresses of what comes next."""
        game = notification.game
        view = view_game(game, notification.user)
        assert view.viewer is not None, "the user has no seat"
        return {
            "opponents": view.opponents,
            "winner": begin_sentence(_winner(view)),
            "losers": _losers(view),
            "is_cancelled": game.winner is None,
            "sentences": _sentences(view),
            "rows": _ranked_rows(view),
            "display": display_rows(view.position.displays[view.viewer]),
            # The panel with the next steps, where one press offers a rematch.
            "rematch_url": f"{url_for_reader(game.get_absolute_url(), notification.user)}#what-next",
            "review_url": _review_url(game, view),
            **match_facts(notification),
        }

    def details(self, notification: Notification) -> Sequence[str]:
        """Return what decided the game, and the reader's rating."""
        return _sentences(view_game(notification.game, notification.user))

    def brief(self, notification: Notification) -> Message:
        """Return what decided the game, the reader's rating, and the score."""
        message = super().brief(notification)
        return replace(message, text="\n".join([" ".join(self.details(notification)), message.text]))


def _review_url(game: Game, view: GameView) -> str:
    """Return the address of the review; empty if nobody has moved, because then it has nothing to show."""
    return settings.SITE_URL + reverse("games:review", args=[game.key]) if view.has_moves else ""


def _winner(view: GameView) -> str:
    """Return the name of the winner; empty if it is the reader or nobody."""
    winner = view.game_over.winner if view.game_over else None
    return "" if winner is None or winner == view.viewer else view.people[winner].name


def _losers(view: GameView) -> list[str]:
    """Return "you", and the names of the others who have lost to somebody else than the reader."""
    return [_("you"), *(name for name in view.opponents if name != _winner(view))]


def _ranked_rows(view: GameView) -> list[dict[str, object]]:
    """Return the rows of the score, the best player first; in seat order after a cancel."""
    rows, places = score_rows(view), ranking(view)
    return [rows[place.person.seat] for place in places] or rows


def _sentences(view: GameView) -> list[str]:
    """Return what decided the game, or that it was cancelled, and the viewer's rating after it."""
    assert view.game_over is not None, "the game is not over"
    rating = next((row.rating for row in ranking(view) if row.person.is_you), "")
    why = describe_turning_point(view) or f"{describe_outcome(view.game_over, view)}."
    return [why, *filter(None, [rating and f"{rating}."])]
