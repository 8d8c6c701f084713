"""What pages and messages show of votes: the one that runs, and those that a player can start."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta

from django.db.models import F
from django.utils import timezone
from django.utils.translation import gettext_lazy, ngettext

from accounts.models import User, Viewer
from games import marked
from games.clocks import LIVE_PACES, PACES
from games.marked import gettext as _
from games.models import (
    Game,
    Seat,
    Vote,
    absent_seats,
    facts_of,
    has_stand_in,
    possible_paces,
    repeated_after,
    seats_of,
    waits_since,
)
from games.shown.clocks import A_DAY, A_MINUTE, PACE_FACTS
from games.shown.words import join_words

SETTLED_SHOWN = 10
OUTCOME_SHOWN = timedelta(days=3)  # how long players see that the pace has changed, or that others declined
LIVE_DECLINED_SHOWN = timedelta(seconds=20)
OUTCOMES = {
    Vote.Outcome.AGREED: gettext_lazy("Everybody agreed."),
    Vote.Outcome.DECLINED: gettext_lazy("A player declined."),
    Vote.Outcome.WITHDRAWN: gettext_lazy("It was withdrawn."),
    Vote.Outcome.BACK: gettext_lazy("The absent player came back."),
    Vote.Outcome.LAPSED: gettext_lazy("It ended without a result."),
}


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
    number: int | None
    must_move: bool
    silent_from: datetime | None

    @property
    def is_on_take_back(self) -> bool:
        """Whether it is about the action `number` of the starter."""
        return self.number is not None

    @property
    def is_waiting(self) -> bool:
        """Whether the vote waits for an answer of the viewer."""
        return self.is_asked and not self.has_agreed

    @property
    def is_among_several(self) -> bool:
        """Whether others than the starter and the viewer answer it."""
        return self.is_absent or len(self.agreed) + len(self.missing) > 2

    @property
    def agreed_names(self) -> str:
        """Who has agreed, as "a, b and you"."""
        return join_words(self.agreed)

    @property
    def missing_names(self) -> str:
        """Who has not answered yet, as "a, b and you"."""
        return join_words(self.missing)


@dataclass(frozen=True)
class SettledVote:
    """A vote that is over: what was asked, by whom, who agreed, how it ended and when."""

    question: str
    starter: str
    agreed_names: str
    outcome: str
    settled_at: datetime


@dataclass(frozen=True)
class Absence:
    """A player who has not moved for so long that the others can go on without them."""

    name: str
    since: datetime
    is_only_voter: bool  # whether nobody but the viewer is asked


@dataclass(frozen=True)
class PossibleVotes:
    """On what a player can start a vote now, and when again on what others declined, as a sentence."""

    paces: Sequence[str]  # "" is no clock
    again: str
    can_cancel: bool
    absence: Absence | None

    @property
    def can_change_pace(self) -> bool:
        """Whether the game can have another pace."""
        return bool(self.paces)

    @property
    def is_alone(self) -> bool:
        """Whether nobody else plays who would have to agree."""
        return not self.can_cancel


@dataclass(frozen=True)
class LatestVote:
    """The vote that runs, if there is one; else what has just come of the latest, in words.

    That is the pace on which the players have agreed or, until the viewer acts, that others declined what the
    viewer wanted. `kept_action` is the one that the others did not want to take back.
    """

    running: ShownVote | None = None
    agreed_pace: str = ""
    declined: str = ""
    kept_action: int | None = None


def latest_vote(game: Game, viewer: Viewer) -> LatestVote:
    """Return the latest vote of a running game, for the people who play in it."""
    if not isinstance(viewer, User) or not game.is_running or game.is_solo:
        return LatestVote()
    if "votes" not in facts_of(game, viewer.pk):
        return LatestVote()
    vote = game.votes.order_by(F("settled_at").desc(nulls_first=True)).first()
    own = next((seat for seat in seats_of(game) if seat.is_of(viewer) and not seat.has_left), None)
    if vote is None or own is None:
        return LatestVote()
    if vote.settled_at is None:
        return LatestVote(running=show_vote(vote, own))
    if timezone.now() >= vote.settled_at + OUTCOME_SHOWN:
        return LatestVote()
    if vote.outcome == Vote.Outcome.AGREED and vote.purpose == Vote.Purpose.PACE:
        return LatestVote(agreed_pace=str(PACE_FACTS[vote.pace]))
    if vote.outcome in {Vote.Outcome.DECLINED, Vote.Outcome.WITHDRAWN}:
        return LatestVote(declined=_declined(vote, own), kept_action=vote.number)
    return LatestVote()


def _declined(vote: Vote, own: Seat) -> str:
    """Return who declined which vote that the player of the seat `own` wanted; empty once they have acted.

    In a live game, players look at the page when it happens, so that soon after it, nothing is said.
    """
    is_wanted = vote.outcome == Vote.Outcome.DECLINED and own.number in vote.agreed
    if vote.game.is_live and vote.settled_at and timezone.now() >= vote.settled_at + LIVE_DECLINED_SHOWN:
        return ""
    if not is_wanted or vote.game.actions.filter(made_by=own.user_id, at__gt=vote.settled_at).exists():
        return ""
    names = {seat.number: seat.name for seat in seats_of(vote.game)}
    missing = [names[seat.number] for seat in vote.asked if seat.number not in vote.agreed]
    question = _question(vote, "" if vote.seat is None else names[vote.seat])
    if len(missing) > 1:
        return _("A player declined: “%(question)s”") % {"question": question}
    return _("%(name)s declined: “%(question)s”") % {"name": join_words(missing), "question": question}


def running_vote(game: Game, viewer: Viewer) -> ShownVote | None:
    """Return the vote that runs in a game; None if there is none, or if `viewer` does not play."""
    return latest_vote(game, viewer).running


def show_vote(vote: Vote, own: Seat) -> ShownVote:
    """Return a vote as the player of the seat `own` sees it."""
    seats = {seat.number: seat for seat in seats_of(vote.game)}
    asked = [seat.number for seat in vote.asked]
    is_absent = own.number == vote.seat
    # Empty if it is the reader.
    name = "" if vote.seat is None or is_absent else seats[vote.seat].name
    return ShownVote(
        pk=vote.pk,
        question=_question(vote, name),
        effect=_effect(vote, name),
        starter=_starter(vote),
        agreed=[_name_for(own, seats[number]) for number in vote.agreed],
        missing=[_name_for(own, seats[number]) for number in asked if number not in vote.agreed],
        has_started=vote.started_by_id == own.user_id,
        has_agreed=own.number in vote.agreed,
        is_asked=own.number in asked,
        is_absent=is_absent,
        number=vote.number,
        must_move=is_absent and vote.was_back_before(),
        silent_from=vote.is_silent_from,
    )


def _name_for(own: Seat, seat: Seat) -> str:
    """Return the name of a player for the player of the seat `own`: "you" for that player."""
    return _("you") if seat.number == own.number else seat.name


def settled_votes(game: Game) -> list[SettledVote]:
    """Return the latest votes of a game that are over, newest first."""
    names = {seat.number: seat.name for seat in seats_of(game)}
    over = game.votes.filter(settled_at__isnull=False).select_related("started_by").order_by("-settled_at")
    return [
        SettledVote(
            question=_question(vote, "" if vote.seat is None else names[vote.seat]),
            starter=_starter(vote),
            agreed_names=join_words([names[number] for number in vote.agreed]),
            outcome=str(OUTCOMES[Vote.Outcome(vote.outcome)]),
            settled_at=vote.settled_at,
        )
        for vote in over[:SETTLED_SHOWN]
        if vote.settled_at
    ]


def _starter(vote: Vote) -> str:
    return marked.name(vote.started_by.username) if vote.started_by else _("A former player")


def possible_votes(game: Game, viewer: Viewer) -> PossibleVotes | None:
    """Return on what the viewer can start a vote; None if they do not play themselves in a running game.

    Nobody votes in a duplicate match.
    """
    if not game.is_running or game.is_solo or game.duplicate:
        return None
    people = [seat for seat in seats_of(game) if seat.is_voter]
    if not any(seat.is_of(viewer) for seat in people):
        return None
    absence = None
    if absent := [seat for seat in absent_seats(game) if not seat.is_of(viewer)]:
        absence = Absence(absent[0].name, waits_since(absent[0]), is_only_voter=len(people) == 2)
    paces = () if has_stand_in(seats_of(game)) else possible_paces(game, len(people))
    return PossibleVotes(paces, _describe_again(game), can_cancel=len(people) > 1, absence=absence)


def _describe_again(game: Game) -> str:
    wait = repeated_after(game)
    if wait < A_DAY:
        words = ngettext(
            "A declined proposal can be made again after %(count)d minute.",
            "A declined proposal can be made again after %(count)d minutes.",
            count := wait // A_MINUTE,
        )
    else:
        words = ngettext(
            "A declined proposal can be made again after %(count)d day.",
            "A declined proposal can be made again after %(count)d days.",
            count := wait // A_DAY,
        )
    return words % {"count": count}


def asked_games(viewer: User) -> set[int]:
    """Return the ids of the games with a vote that this person has not answered."""
    own_seat = {"game__seats__user": viewer, "game__seats__has_left": False, "game__seats__caretaker": ""}
    votes = Vote.objects.running().filter(**own_seat).annotate(own=F("game__seats__number"))
    return {vote.game_id for vote in votes if vote.own not in (*vote.agreed, vote.seat)}


def _question(vote: Vote, name: str) -> str:
    """Return what is asked. `name` is the absent player's; empty for that player."""
    if vote.purpose == Vote.Purpose.PACE:
        return _("Change the pace to %(pace)s?") % {"pace": PACE_FACTS[vote.pace]}
    if vote.purpose == Vote.Purpose.BOT:
        return _("Let a bot play for %(name)s?") % {"name": name} if name else _("Let a bot play for you?")
    if vote.purpose == Vote.Purpose.TAKE_BACK:
        return _("Take back action %(number)d?") % {"number": vote.number}
    if vote.purpose == Vote.Purpose.OUT:
        return _("Play on without %(name)s?") % {"name": name} if name else _("Play on without you?")
    return _("Cancel the game?")


def _effect(vote: Vote, name: str) -> str:
    """Return what happens then. `name` is the absent player's; empty for that player."""
    if vote.purpose == Vote.Purpose.PACE and vote.pace in LIVE_PACES:
        return _(
            "Everybody then starts with %(minutes)d minutes, as soon as the last player agrees. Sleeping "
            "hours and vacations don't stop live clocks: players who are away run out of time."
        ) % {"minutes": PACES[vote.pace].bank // A_MINUTE}
    if vote.purpose == Vote.Purpose.PACE:
        return _("All clocks are then full again.")
    if vote.purpose == Vote.Purpose.BOT:
        if not name:
            return _("You can take the seat back at any time.")
        return _("%(name)s can take the seat back at any time.") % {"name": name}
    if vote.purpose == Vote.Purpose.TAKE_BACK:
        return _("The game then goes back to before that action, and does not count for the results.")
    if vote.purpose == Vote.Purpose.OUT:
        if not name:
            return _("You then leave the game, and can't return.")
        return _("%(name)s then leaves the game, and can't return.") % {"name": name}
    return _("The game then ends immediately, and nobody wins.")
