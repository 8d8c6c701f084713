"""What one viewer may see of one position, as plain data for templates, mails and the API.

Positions come in without their undrawn tiles; nothing here asks for them.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime

from games.addresses import page_query
from games.bar import about, heading, what_now
from games.choices import choices
from games.choosing import NOTHING_CHOSEN, Choice, Chosen, RefillOffer, check, coming, refill_offer
from games.drawing import DrawnDisplay, draw_display
from games.engine import MultiplayerPosition, Position, SoloPosition, Step
from games.hinting import Hint, ShownHint, may_ask, show_hint
from games.history import History, history
from games.players import Player, players
from games.result import Ranked, SoloScore, ranked, solo_score
from games.wheel import DrawnTrack, DrawnWheel, draw_track, draw_wheel
from games.words import Person, told

__all__ = ["Board", "Choice", "Hint", "Person", "board", "told"]


@dataclass(frozen=True)
class Board:
    """Everything that a game's page shows of a position to one viewer."""

    turn: str  # in the newest position: "mine", "other" or "over"
    version: int  # how many actions the log has
    is_solo: bool
    is_past: bool
    is_seated: bool
    can_resign: bool
    goal_discs: int
    moved_at: datetime | None
    heading: str
    about: str
    what: str
    hint: str
    news: str
    chosen: Chosen
    choices: Mapping[str, object]
    refill: RefillOffer | None
    can_ask: bool  # for a hint
    hinted: ShownHint | None
    wheel: DrawnWheel
    display: DrawnDisplay
    opponents: tuple[DrawnDisplay, ...]
    players: tuple[Player, ...]
    history: History
    ranking: tuple[Ranked, ...]
    score: SoloScore | None

    @property
    def next_number(self) -> int:
        """The number that the next action will have in the log."""
        return self.version + 1

    @property
    def can_act(self) -> bool:
        """Whether the viewer may choose something here and now."""
        return self.turn == "mine" and not self.is_past

    @property
    def is_over(self) -> bool:
        """Whether this is the board of a finished game as it was left."""
        return self.turn == "over" and not self.is_past

    @property
    def query(self) -> str:
        """The query of a page that shows the same action, and keeps what is chosen."""
        tile = self.chosen.tile.code if self.chosen.tile else None
        return page_query(self.history.shown if self.is_past else None, Choice(tile, self.chosen.cell))

    @property
    def wins_by_resignation(self) -> Person | None:
        """Who would be left alone, and win, if the viewer resigned now."""
        others = [one.person for one in self.players if not (one.has_left or one.person.is_you)]
        return others[0] if len(others) == 1 else None

    @property
    def problem(self) -> str:
        """What is wrong with what was chosen, in words; empty where all is well."""
        return self.chosen.problem


def board(
    position: Position,
    steps: Sequence[Step],
    people: Sequence[Person],
    viewer: int | None,
    choice: Choice = NOTHING_CHOSEN,
    now_showing: int | None = None,
    moved_at: datetime | None = None,
    hint: Hint | None = None,
) -> Board:
    """Return what the person on seat `viewer` (None: a watcher) may see of `position`.

    `steps` is the whole log. `position` is the newest, or the one after action `now_showing`: then nothing
    can be chosen. A `choice` is followed as far as it is legal. A `hint` is for the viewer's turn.
    """
    newest = steps[-1].position if steps else position
    is_past = now_showing is not None
    my_turn = viewer is not None and viewer == newest.to_move
    may_choose = my_turn and not is_past
    in_play = viewer in newest.in_play and not newest.over
    chosen = check(choice, position, viewer if may_choose else None, is_past=is_past)
    seat = viewer or 0  # a watcher sits beside the first seat
    what, aside = what_now(position, steps, people, viewer, chosen, now_showing)
    return Board(
        turn="over" if newest.over else "mine" if my_turn else "other",
        version=len(steps),
        is_solo=isinstance(position, SoloPosition),
        is_past=is_past,
        is_seated=viewer is not None,
        can_resign=in_play,
        goal_discs=position.setup.goal_discs,
        moved_at=moved_at,
        heading=heading(position, steps, people, viewer, now_showing),
        about=about(people, viewer),
        what=what,
        hint=aside,
        news=told(steps[-1], people, viewer) if steps else "",
        chosen=chosen,
        choices=choices(chosen.options, position, people, viewer),
        refill=refill_offer(position) if may_choose else None,
        can_ask=may_choose and hint is None and may_ask(position, people),
        hinted=show_hint(hint, position) if may_choose and hint is not None else None,
        wheel=draw_wheel(
            position,
            can_take=bool(chosen.options),
            chosen=chosen.tile,
            trial=chosen.cell,
            track=_track(position, people, chosen),
        ),
        display=draw_display(
            position.displays[seat],
            people[seat],
            chosen=chosen.tile,
            covers={cell: coming(step) for cell, step in chosen.steps.items()},
            trial=chosen.cell,
            can_place=bool(chosen.options),
            margin=in_play,
        ),
        opponents=tuple(
            draw_display(position.displays[other], people[other])
            for other in (*range(seat + 1, position.seats), *range(seat))
        ),
        players=players(position, people),
        history=history(steps, people, viewer, now_showing),
        ranking=() if is_past else ranked(position, people, steps),
        score=solo_score(position) if isinstance(position, SoloPosition) else None,
    )


def _track(position: Position, people: Sequence[Person], chosen: Chosen) -> DrawnTrack | None:
    if not isinstance(position, MultiplayerPosition):
        return None
    return draw_track(position.track, people, position.to_move, chosen.options, chosen.tile)
