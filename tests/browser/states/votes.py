"""Votes: an absent player whom the others call, another pace, and a cancelled game."""

from datetime import timedelta

from django.utils import timezone

from accounts.models import User
from games.models import Game, Kind, Vote
from games.services import votes
from tests import play
from tests.browser.states.catalogue import Visit, minor_state
from tests.browser.states.making import game_of_three
from tests.browser.states.notifications import mail_about, show_mail

BOT, OUT, CANCEL = Vote.Purpose.BOT, Vote.Purpose.OUT, Vote.Purpose.CANCEL


def game_of_absent_player() -> tuple[Game, User, list[User]]:
    """Return a game that has long waited for a player, that player, and the others."""
    game = game_of_three()
    began_at = timezone.now() - timedelta(days=16)
    Game.objects.filter(pk=game.pk).update(started_at=began_at, moved_at=began_at)
    game.actions.update(at=began_at)
    absent = play.mover(game)
    seats = game.seats.exclude(user=absent).select_related("user").order_by("number")
    return play.fresh(game), absent, [seat.user for seat in seats if seat.user]


def called_game(purpose: str) -> tuple[Game, User, list[User]]:
    """Return such a game in which the first of the others has started a vote."""
    game, absent, others = game_of_absent_player()
    votes.start(game.key, others[0], purpose)
    return play.fresh(game), absent, others


def cancelled_game() -> tuple[Game, list[User]]:
    game, _absent, others = called_game(CANCEL)
    votes.start(game.key, others[1], CANCEL)
    return play.fresh(game), others


@minor_state
def vote_start() -> Visit:
    game, _absent, others = game_of_absent_player()
    return Visit(f"{game.get_absolute_url()}vote/", others[0])


@minor_state
def vote_earlier() -> Visit:
    game, absent, others = game_of_absent_player()
    votes.start(game.key, others[0], Vote.Purpose.PACE, Game.Pace.SLOW)
    votes.answer(game.key, absent, game.votes.get().pk, agrees=False)
    return Visit(f"{game.get_absolute_url()}vote/", others[0])


@minor_state
def vote_start_of_call() -> Visit:
    game, absent, others = game_of_absent_player()
    votes.start(game.key, absent, Vote.Purpose.PACE, Game.Pace.SLOW)
    return Visit(f"{game.get_absolute_url()}vote/", others[0])


@minor_state
def vote_board_of_absent() -> Visit:
    game, _absent, others = game_of_absent_player()
    return Visit(game.get_absolute_url(), others[0])


@minor_state
def vote_asked() -> Visit:
    game, _absent, others = called_game(BOT)
    return Visit(game.get_absolute_url(), others[1])


@minor_state
def vote_agreed() -> Visit:
    game, _absent, others = called_game(OUT)
    return Visit(f"{game.get_absolute_url()}vote/", others[0])


@minor_state
def vote_absent() -> Visit:
    game, absent, _others = called_game(OUT)
    return Visit(game.get_absolute_url(), absent)


@minor_state
def vote_text() -> Visit:
    game, _absent, others = called_game(CANCEL)
    return Visit(f"{game.get_absolute_url()}text/", others[1])


@minor_state
def vote_home() -> Visit:
    _game, _absent, others = called_game(CANCEL)
    return Visit("/", others[1])


@minor_state
def vote_bot_plays() -> Visit:
    game, _absent, others = called_game(BOT)
    votes.start(game.key, others[1], BOT)
    return Visit(game.get_absolute_url(), others[1])


@minor_state
def vote_cancelled() -> Visit:
    game, others = cancelled_game()
    return Visit(game.get_absolute_url(), others[0])


@minor_state
def vote_cancelled_text() -> Visit:
    game, others = cancelled_game()
    return Visit(f"{game.get_absolute_url()}text/", others[0])


@minor_state
def mail_vote() -> Visit:
    game = game_of_three()
    [other] = [seat.user for seat in game.seats.select_related("user") if seat.name == "Tobias"]
    votes.start(game.key, other, CANCEL)
    return show_mail(mail_about((Kind.VOTE, game), version=game.votes.get().pk))


@minor_state
def mail_cancelled() -> Visit:
    game, _others = cancelled_game()
    return show_mail(mail_about((Kind.OVER, game)))
