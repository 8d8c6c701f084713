"""Every action of a finished game as the expert judges it."""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass

from games.marked import gettext as _
from games.novaluna.board.events import describe_action
from games.novaluna.board.game_view import GameView
from games.novaluna.board.reviewed import describe_better
from games.novaluna.board.worth import format_worth
from games.novaluna.bots.face import Chance, Worth, worth_from_float
from games.novaluna.engine import Place, Refill, Resign, action_from_json
from games.shown.history import changes_after
from games.shown.leaving import describe_reason
from games.shown.past_clocks import NO_TIME, action_time
from games.shown.words import describe_level, join_words
from games.titles.actions import TakeBack
from games.titles.people import Person

MAX_KEY_ACTIONS = 3
NOTHING: Mapping[int, str] = {}
# The viewer's own losses come before larger ones of others from this part of the largest loss on.
LEAST_OWN_LOSS = 0.25
# A game is decided if the player to move wins, or loses, with at most this chance in per cent.
MAX_CHANCE_DECIDED = 3


@dataclass(frozen=True)
class JudgedAction:
    """An action compared with the best one.

    `worth` belongs to the best action, and `loss` is how much of it was given away, both for the player.
    Both are None if the action was not judged. `line` has the actions that the expert expects after the best
    one.
    `side` is the player whose chance pages show: the reader in a game for two, else the player of the action.
    """

    number: int
    person: Person | None  # None for a cancel, which belongs to no seat
    action: Place | Refill | None  # None for a resignation or a cancel
    best: Place | Refill | None
    worth: Worth | None
    loss: Worth | None
    line: tuple[Place | Refill, ...]
    caretaker: str = ""  # the level of the bot that made the action for a person
    other: str = ""  # of an action without a tile, in words; empty for a cancel
    side: Person | None = None
    has_left: bool = False  # whether the player left the game with it
    is_key: bool = False  # whether it is one of those that mattered most
    luck: str = ""  # of the tiles that the action revealed, in few words, if it was large
    is_taken_back: bool = False  # then it is not judged
    changes: tuple[str, ...] = ()  # who plays a seat since then, and outages before the next action, in words
    time: str = ""  # how long the action took and what was left then, in words; empty if they say nothing
    has_failed: bool | None = None  # whether the search failed if it is not judged; None in earlier versions

    @property
    def action_text(self) -> str:
        """The action in words."""
        if self.action:
            return describe_action(self.action)
        return self.other or _("The players agreed to cancel the game")

    @property
    def better_text(self) -> str:
        """The better action, in words; empty if there was none."""
        return describe_better(self.best, self.action) if self.best and self.is_mistake else ""

    @property
    def is_decided(self) -> bool:
        """Whether the player hardly had a chance, or could hardly lose and did not throw the game away."""
        worth, lost = self.worth, self.loss.whole if self.loss else 0
        if not isinstance(worth, Chance):
            return False
        is_won = 100 - worth.whole <= MAX_CHANCE_DECIDED and lost <= MAX_CHANCE_DECIDED
        return is_won or worth.whole <= MAX_CHANCE_DECIDED

    @property
    def is_mistake(self) -> bool:
        """Whether the action gave something away."""
        return self.loss is not None and self.loss.value > 0

    @property
    def shown_worth(self) -> Worth | None:
        """The worth of the best action to `side`; None if the action was not judged."""
        return self._for_side(self.worth) if self.worth else None

    def _for_side(self, worth: Worth) -> Worth:
        is_other = self.side and self.person and self.side.seat != self.person.seat
        return worth.for_opponent() if is_other and isinstance(worth, Chance) else worth

    @property
    def worth_text(self) -> str:
        """The worth of the best action to `side`, such as "35%" or "92"; a dash if it was not judged."""
        return format_worth(self.shown_worth) if self.shown_worth else "–"

    @property
    def change_text(self) -> str:
        """The worth to `side` before the action and after it, such as "99% → 88%"; one if it lost nothing."""
        if not self.worth or not self.loss or not self.is_mistake:
            return self.worth_text
        return f"{self.worth_text} → {format_worth(self._for_side(self.worth.after(self.loss)))}"

    @property
    def loss_text(self) -> str:
        """The loss in points of the chance or of the score, such as "12"; empty if nothing was given away."""
        return str(self.loss.whole) if self.loss and self.is_mistake else ""


def reader_of(view: GameView) -> Person:
    """Return the player whose chance a review of a game for two shows: the viewer, or the first player."""
    return view.people[view.viewer or 0]


def judged_actions(
    view: GameView, judgements: Sequence[Mapping[str, object]], lucky_reveals: Mapping[int, str] = NOTHING
) -> list[JudgedAction]:
    """Return every action with its judgement, and in words how lucky it was, for those in `lucky_reveals`.

    Which actions mattered most is known when all are judged.
    """
    keys = _key_actions(judgements, view) if len(judgements) == view.version else ()
    return [
        _build_action(number, judgement, view, number in keys, lucky_reveals.get(number, ""))
        for number, judgement in enumerate(judgements, 1)
    ]


def describe_keys(actions: Sequence[JudgedAction], most_names: int = 4) -> str:
    """Return whose the key actions are, as a heading, without names if there are more than `most_names`."""
    people = {judged.person.name: judged.person for judged in actions if judged.is_key and judged.person}
    if not people or len(people) > most_names:
        return _("Key actions")
    if all(person.is_you for person in people.values()):
        return _("Your key actions")
    return _("Key actions of %(names)s") % {"names": join_words([*people])}


def _key_actions(judgements: Sequence[Mapping[str, object]], view: GameView) -> Collection[int]:
    """Return the numbers of the actions with the largest losses.

    People come to learn from their own mistakes, so these count before those of others.
    """
    losses = {
        number: judgement["lost"]
        for number, judgement in enumerate(judgements, 1)
        if isinstance(judgement["lost"], float | int) and judgement["lost"]
    }
    least_own = LEAST_OWN_LOSS * max(losses.values(), default=0)

    def is_own(number: int) -> bool:
        seat = view.steps[number - 1].seat
        return seat is not None and view.people[seat].is_you and losses[number] >= least_own

    worst_first = sorted(losses, key=lambda number: (is_own(number), losses[number]), reverse=True)
    return worst_first[:MAX_KEY_ACTIONS]


def _build_action(
    number: int, judgement: Mapping[str, object], view: GameView, is_key: bool, luck: str
) -> JudgedAction:
    step = view.steps[number - 1]
    action = step.action
    best = judgement["best"] and action_from_json(judgement["best"])
    person = None if step.seat is None else view.as_played(number).people[step.seat]
    return JudgedAction(
        number=number,
        person=person,
        action=action if isinstance(action, Place | Refill) else None,
        best=best if isinstance(best, Place | Refill) else None,
        worth=read_worth(judgement["value"], view),
        loss=read_worth(judgement["lost"], view),
        line=_read_line(judgement),
        caretaker=describe_level(view.caretaker_at(number)),
        other=_describe_other(action),
        side=reader_of(view) if len(view.people) == 2 else person,
        has_left=isinstance(action, Resign),
        is_key=is_key,
        luck=luck,
        is_taken_back=number in view.numbers_taken_back,
        changes=changes_after(number, view),
        time=time.time if (time := action_time(number, view) or NO_TIME).says_something else "",
        has_failed=None if (failed := judgement.get("failed")) is None else bool(failed),
    )


def _describe_other(action: object) -> str:
    """Return what happened without a tile in a few words; empty for a cancel."""
    if isinstance(action, TakeBack):
        return _("took back action %(number)d") % {"number": action.to + 1}
    return describe_reason(action.reason) if isinstance(action, Resign) else ""


def read_worth(stored: object, view: GameView) -> Worth | None:
    return worth_from_float(view.start.setup.mode, stored) if isinstance(stored, float | int) else None


def _read_line(judgement: Mapping[str, object]) -> tuple[Place | Refill, ...]:
    """Return the expected actions of a judgement; none in judgements of earlier versions."""
    line = judgement.get("line") or ()
    assert isinstance(line, Sequence)
    actions = map(action_from_json, line)
    return tuple(action for action in actions if isinstance(action, Place | Refill))
