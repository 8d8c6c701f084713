"""What pages and messages show of votes: the one that runs, and those that a player can start."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

from django.db.models import F
from django.utils.translation import gettext as _

from accounts.models import User, Viewer
from games.board.clocks import PACE_FACTS
from games.board.words import join_words
from games.models import Game, Seat, Vote, absent_seat, voters, waits_since


@dataclass(frozen=True)
class ShownVote:
    """A vote as one player sees it: what for, who started it, who has agreed and who is still asked.

    Only a player who `is_asked` or `is_absent` can answer it. An absent player who `must_move` cannot end it
    by saying that they are back. From `silent_from` on, those who have not answered count as agreeing.
    """

    pk: int
    question: str
    effect: str
    starter: str
    agreed: Sequence[str]
    missing: Sequence[str]
    has_started: bool
    has_agreed: bool
    is_asked: bool
    is_absent: bool
    must_move: bool
    silent_from: datetime | None

    @property
    def is_waiting(self) -> bool:
        """Whether the vote waits for an answer of the viewer."""
        return self.is_asked and not self.has_agreed

    @property
    def agreed_names(self) -> str:
        """The names of those who have agreed, as "a, b and c"."""
        return join_words(self.agreed)

    @property
    def missing_names(self) -> str:
        """The names of those who have not answered yet, as "a, b and c"."""
        return join_words(self.missing)


@dataclass(frozen=True)
class Absence:
    """A player who has not moved for so long that the others can go on without them."""

    name: str
    since: datetime
    is_only_voter: bool  # whether nobody but the viewer is asked


@dataclass(frozen=True)
class PossibleVotes:
    """On what a player can start a vote now."""

    can_cancel: bool
    absence: Absence | None


def running_vote(game: Game, viewer: Viewer) -> ShownVote | None:
    """Return the vote that runs in a game, for the people who play in it; None in every other case."""
    if not isinstance(viewer, User) or not game.is_running or game.is_solo:
        return None
    vote = game.votes.running().select_related("started_by").first()
    own = game.seats.of(viewer).filter(has_left=False).first() if vote else None
    return None if vote is None or own is None else show_vote(vote, own)


def show_vote(vote: Vote, own: Seat) -> ShownVote:
    """Return a vote as the player of the seat `own` sees it."""
    seats = {seat.number: seat for seat in vote.game.seats.select_related("user")}
    asked = [seat.number for seat in vote.asked]
    is_absent = own.number == vote.seat
    name = "" if vote.seat is None else seats[vote.seat].name
    return ShownVote(
        pk=vote.pk,
        question=_question(vote, name),
        effect=_effect(vote, name),
        starter=vote.started_by.username if vote.started_by else _("A former player"),
        agreed=[seats[number].name for number in vote.agreed],
        missing=[seats[number].name for number in asked if number not in vote.agreed],
        has_started=vote.started_by_id == own.user_id,
        has_agreed=own.number in vote.agreed,
        is_asked=own.number in asked,
        is_absent=is_absent,
        must_move=is_absent and vote.was_back_before(),
        silent_from=vote.is_silent_from,
    )


def possible_votes(game: Game, viewer: Viewer) -> PossibleVotes | None:
    """Return on what the viewer can start a vote; None if they do not play themselves in a running game."""
    if not game.is_running or game.is_solo:
        return None
    people = list(voters(game))
    if not any(seat.is_of(viewer) for seat in people):
        return None
    absent = absent_seat(game)
    absence = None
    if absent is not None and not absent.is_of(viewer):
        absence = Absence(absent.name, waits_since(game, absent.number), is_only_voter=len(people) == 2)
    return PossibleVotes(can_cancel=len(people) > 1, absence=absence)


def asked_games(viewer: User) -> set[int]:
    """Return the ids of the games with a vote that this person has not answered."""
    own_seat = {"game__seats__user": viewer, "game__seats__has_left": False, "game__seats__caretaker": ""}
    votes = Vote.objects.running().filter(**own_seat).annotate(own=F("game__seats__number"))
    return {vote.game_id for vote in votes if vote.own not in (*vote.agreed, vote.seat)}


def _question(vote: Vote, name: str) -> str:
    if vote.purpose == Vote.Purpose.PACE:
        return _("Change the pace to %(pace)s?") % {"pace": PACE_FACTS[vote.pace]}
    if vote.purpose == Vote.Purpose.BOT:
        return _("Let a bot play for %(name)s?") % {"name": name}
    if vote.purpose == Vote.Purpose.OUT:
        return _("Play on without %(name)s?") % {"name": name}
    return _("Cancel the game?")


def _effect(vote: Vote, name: str) -> str:
    if vote.purpose == Vote.Purpose.PACE:
        return _("Everybody then starts with a full bank.")
    if vote.purpose == Vote.Purpose.BOT:
        return _("%(name)s can take the seat back at any time, and keeps the result.") % {"name": name}
    if vote.purpose == Vote.Purpose.OUT:
        return _("%(name)s is then out of the game and can't return.") % {"name": name}
    return _("The game then ends immediately, and nobody wins.")
