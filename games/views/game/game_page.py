"""What the page of a started game shows to one viewer: the board, and what the house adds to it."""

import uuid
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any, NamedTuple

from django.http import QueryDict
from django.utils import timezone

from accounts.clock import zone_of
from accounts.models import User, Viewer
from games.http import SiteRequest
from games.models import Game, is_spectator, needs_account_to_talk, needs_agreement, seats_of
from games.queries.access import access_review
from games.queries.browsing.watching import describe_lead, follows_game, next_to_watch
from games.queries.clocks import estimated_turn
from games.queries.deals.public import PublicDeal, public_deal
from games.queries.deals.same_deal import SameDeal, same_deal
from games.queries.hand_overs import ShownOffer, seat_offers
from games.queries.lists import NextTurn, next_turn, rematch_of
from games.queries.notifications import is_silent
from games.queries.nudges import NudgeState, nudge_state
from games.queries.people.profiles import followable_players
from games.queries.standings import Verdict, verdict
from games.queries.summaries import GameSummary
from games.queries.viewing import wants_tips
from games.queries.votes import LatestVote, PossibleVotes, latest_vote, possible_votes
from games.shown.addresses import rules_url
from games.shown.clocks import describe_estimate
from games.shown.words import join_words
from games.titles.boards import Board
from games.titles.history import HistoryLink, LogEntry, history_links
from games.titles.registry import has_talent, title_named
from games.titles.talents import Talent


class MenuWays(NamedTuple):
    """Where the menu of a game leads; equal ones are rendered once."""

    key: str
    rules_url: str  # empty without rules
    has_shortcuts: bool
    is_over: bool
    is_opened: bool  # whether the secret of the deal is known
    can_vote: bool
    can_cancel: bool
    can_hand_over: bool
    can_report: bool


@dataclass(frozen=True)
class GamePage:
    """A started game as its page and its text mode show it to one viewer.

    Each rendering has a new `request_id`, which its forms send. `choice` is the query of its address without
    the shown action. `question` is what the page asks before it sends a form: "resign", "hint" or nothing.
    `is_silent` is None for a viewer who gets no notifications about the game anyway. `turn_estimate` says
    when it is probably their turn. `possible_votes`, `latest_vote` and `seat_offers` are for players in a
    running game. What is below them is for finished games, except for `can_hand_over`.
    """

    game: Game
    board: Board
    viewer: Viewer
    talents: frozenset[Talent]
    choice: QueryDict
    request_id: uuid.UUID
    reports_choice: bool  # whether the page says why a choice is not legal
    leads_on: bool  # whether the page that this one updates has a link to the next game to watch
    question: str
    deal: PublicDeal
    tip: Any
    is_silent: bool | None
    nudge: NudgeState | None
    turn_estimate: str
    possible_votes: PossibleVotes | None
    latest_vote: LatestVote
    seat_offers: Sequence[ShownOffer]
    can_hand_over: bool
    offers_lessons: bool
    asks_review: bool  # whether one press asks for the review, because nobody has yet
    rematch: GameSummary | None
    same_deal: SameDeal | None
    verdict: Verdict | None

    @property
    def ways(self) -> MenuWays:
        """Where the menu of the game leads."""
        votes = self.possible_votes
        return MenuWays(
            self.game.key,
            rules_url=rules_url(self.game.title),
            has_shortcuts=self.board.has_shortcuts,
            is_over=self.game.is_over,
            is_opened=self.deal.is_opened,
            can_vote=votes is not None,
            can_cancel=votes is not None and votes.can_cancel,
            can_hand_over=self.can_hand_over,
            can_report=self.can_report,
        )

    @property
    def can_report(self) -> bool:
        """Whether the viewer is logged in, and another person plays or has played."""
        return self.viewer.is_authenticated and self._has_other_people

    @property
    def has_chat(self) -> bool:
        """Whether the viewer can write to other players or spectators, or could with an account."""
        talks = is_spectator(self.game, self.viewer) or needs_account_to_talk(self.game, self.viewer)
        return talks or (self.board.is_seated and self._has_other_people)

    @property
    def _has_other_people(self) -> bool:
        return bool({seat.user_id for seat in seats_of(self.game)} - {None, self.viewer.pk})

    @property
    def steps(self) -> tuple[HistoryLink, ...]:
        """The links of the action bar through the history, which keep what the viewer has chosen.

        In a review, all of them name the action, also the last one, so that each has its judgement.
        """
        history = self.board.history
        if history.review_part:
            return history.links
        return history_links(history.shown, history.last, self._query_at)

    @property
    def query_of_now(self) -> str:
        """The query of the page that shows the newest position with the viewer's choice."""
        return self._query_at(None)

    def _query_at(self, number: int | None) -> str:
        query = self.choice.copy()
        if number is not None:
            query["at"] = str(number)
        return f"?{query.urlencode()}" if query else ""

    @property
    def asks_to_take_back(self) -> bool:
        """Whether others have to agree to a take-back."""
        return needs_agreement(seats_of(self.game))

    @property
    def action_to_take_back(self) -> int | None:
        """The number of the action that the viewer can take back, or ask to; None if there is none."""
        number = self.board.action_to_take_back
        is_asked = self.latest_vote.running is not None and self.asks_to_take_back
        return None if is_asked or number == self.latest_vote.kept_action else number

    @property
    def last_action(self) -> int:
        """The number of the last action, up to which a take-back undoes all since the one of the viewer."""
        return self.board.next_number - 1

    @property
    def other_voters(self) -> str:
        """The names of the other people who have to agree to what a player proposes."""
        return join_words([s.name for s in seats_of(self.game) if s.is_voter and not s.is_of(self.viewer)])

    @property
    def entry_asked_back(self) -> LogEntry | None:
        """The action that a running vote is about, as the history describes it."""
        number = self.latest_vote.running and self.latest_vote.running.number
        return next((entry for entry in self.board.history.entries if entry.number == number), None)

    @property
    def action_asked_back(self) -> int | None:
        """The number of the action that the viewer cannot ask to take back, because somebody asks or did."""
        number = self.board.action_to_take_back
        return None if number is None or self.action_to_take_back else number

    @property
    def asked(self) -> str:
        """Which vote or rematch waits for an answer of the viewer; empty if none does."""
        vote = self.latest_vote.running
        if vote is not None and vote.is_waiting:
            return f"vote-{vote.pk}"
        return self.rematch.key if self.rematch is not None and self.rematch.is_kept_for_you else ""

    @property
    def can_try(self) -> bool:
        """Whether the viewer can try what could follow."""
        return Talent.TRY_LINES in self.talents

    @property
    def can_review(self) -> bool:
        """Whether the game has a review."""
        return Talent.REVIEWS in self.talents and self.board.has_moves

    @property
    def offers_reviewed_action(self) -> bool:
        """Whether the page shows a past action without the finished review of the game."""
        board = self.board
        if (
            not (self.can_review and board.has_ended and board.history.shown)
            or board.is_over
            or board.is_reviewed
        ):
            return False
        review = access_review(self.viewer, self.game)
        return review is not None and review.finished_at is not None

    @cached_property
    def next_game(self) -> NextTurn | None:
        """The most urgent other game that waits for the viewer; not shown on their own turn."""
        return next_turn(self.viewer, exclude=self.game)

    @property
    def ahead(self) -> str:
        """Who is ahead in a running game, as a sentence for spectators; empty if nobody is."""
        return describe_lead(self.game) if self.board.is_watched else ""

    @cached_property
    def is_followed(self) -> bool | None:
        """Whether the viewer follows the game; None if they cannot."""
        return None if self.board.is_seated else follows_game(self.viewer, self.game)

    @cached_property
    def people_to_follow(self) -> list[tuple[str, bool]]:
        """The names of the other people whom the viewer can follow, and whether they do."""
        return followable_players(self.viewer, self.game)

    @property
    def keeps_next_to_watch(self) -> bool:
        """Whether the page keeps its link to the next game to watch, so that an update looks for none."""
        return self.leads_on and not self.board.is_over

    @cached_property
    def next_to_watch(self) -> Game | None:
        """The game that a spectator can watch next."""
        return None if self.board.is_seated else next_to_watch(self.viewer, self.game)


def game_page(request: SiteRequest, game: Game, board: Board) -> GamePage:
    """Return the page of a started game with this board."""
    viewer, plays = request.user, board.can_resign
    is_over, is_solo = board.is_over, board.is_solo
    return GamePage(
        game=game,
        board=board,
        viewer=viewer,
        talents=title_named(game.title).talents,
        choice=_choice(request),
        request_id=uuid.uuid4(),
        reports_choice=_reports_choice(request),
        leads_on="X-Leads-On" in request.headers,
        question=_question(request, game, board),
        deal=public_deal(game),
        tip=board.tip if board.tip and wants_tips(viewer, game) else None,
        is_silent=is_silent(game, viewer) if board.is_seated and game.is_running else None,
        nudge=nudge_state(game, viewer) if game.is_running and not board.is_past else None,
        turn_estimate=_describe_turn(viewer, game, board),
        possible_votes=possible_votes(game, viewer) if plays else None,
        latest_vote=latest_vote(game, viewer) if plays else LatestVote(),
        seat_offers=seat_offers(game, viewer) if plays else (),
        can_hand_over=plays and not is_solo and game.duplicate is None,
        offers_lessons=_offers_lessons(game, board, viewer),
        asks_review=_asks_review(game, board, viewer),
        rematch=rematch_of(game, viewer) if is_over and not is_solo else None,
        same_deal=same_deal(game, viewer) if is_solo else None,
        verdict=verdict(game, viewer) if is_over and is_solo else None,
    )


def _choice(request: SiteRequest) -> QueryDict:
    """Return the query of the address without what says which action it shows, and how much of the log."""
    choice = request.GET.copy()
    for name in ("at", "older"):
        choice.pop(name, None)
    return choice


def _reports_choice(request: SiteRequest) -> bool:
    """Return whether the page says why the choice in its address is not legal.

    A page that refreshes itself, or answers a vote, is silent about a choice that its viewer has made
    elsewhere; what they were choosing for a plan, others may have taken.
    """
    return request.htmx.trigger not in {"game", "vote", "ask-back"} or "X-Plans" in request.headers


def _asks_review(game: Game, board: Board, viewer: Viewer) -> bool:
    if not (board.is_over and board.has_moves and viewer.is_authenticated):
        return False
    return has_talent(game.title, Talent.REVIEWS) and access_review(viewer, game) is None


def _offers_lessons(game: Game, board: Board, viewer: Viewer) -> bool:
    """Return whether lessons may help the viewer now: they have lost their first game of the title.

    Who plays a live or rated game knows how to play.
    """
    if (
        not has_talent(game.title, Talent.LESSONS)
        or not board.is_over
        or game.is_live
        or game.changes_ratings
    ):
        return False
    own = next((seat for seat in seats_of(game) if seat.is_of(viewer)), None)
    return own is not None and (own.place or 1) > 1 and wants_tips(viewer, game)


def _question(request: SiteRequest, game: Game, board: Board) -> str:
    """Return what the viewer has asked for and has to confirm."""
    if "resign" in request.GET and board.can_resign and not board.is_past:
        return "resign"
    if "back" in request.GET and not board.is_past and needs_agreement(seats_of(game)):
        return "back"
    # A game without hints is one that counts.
    return "hint" if "hint" in request.GET and board.can_ask_hint and game.is_without_hints else ""


def _describe_turn(viewer: Viewer, game: Game, board: Board) -> str:
    """Return in words when it is probably the viewer's turn; empty if nobody can say."""
    # A live game is played now, and its clocks run beside it.
    turn = None if game.is_live else estimated_turn(game, board.people_before_viewer)
    if turn is None or not isinstance(viewer, User):
        return ""
    return describe_estimate(turn, zone_of(viewer.time_zone), timezone.now())
