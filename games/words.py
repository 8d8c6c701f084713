"""The board in words: tiles, goals, and what happened, for pages, mails and the API."""

from collections.abc import Collection, Sequence
from dataclasses import dataclass

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext

from games.engine import (
    ORIGIN,
    TILES,
    Cell,
    Colour,
    Ending,
    GameOver,
    Goal,
    GoalsCompleted,
    PhaseEnded,
    SeatLeft,
    Step,
    Tile,
    TilesRevealed,
    TileTaken,
)
from games.engine.display import Support

COLOUR_WORDS = {
    Colour.BLUE: gettext_lazy("blue"),
    Colour.RED: gettext_lazy("red"),
    Colour.TURQUOISE: gettext_lazy("turquoise"),
    Colour.YELLOW: gettext_lazy("yellow"),
}

# A phrase for each number and colour, so that a language may inflect both as it must.
DOT_WORDS = {
    Colour.BLUE: (
        gettext_lazy("one blue"),
        gettext_lazy("two blue"),
        gettext_lazy("three blue"),
        gettext_lazy("four blue"),
    ),
    Colour.RED: (
        gettext_lazy("one red"),
        gettext_lazy("two red"),
        gettext_lazy("three red"),
        gettext_lazy("four red"),
    ),
    Colour.TURQUOISE: (
        gettext_lazy("one turquoise"),
        gettext_lazy("two turquoise"),
        gettext_lazy("three turquoise"),
        gettext_lazy("four turquoise"),
    ),
    Colour.YELLOW: (
        gettext_lazy("one yellow"),
        gettext_lazy("two yellow"),
        gettext_lazy("three yellow"),
        gettext_lazy("four yellow"),
    ),
}

BOT_LEVELS = {
    "easy": gettext_lazy("easy"),
    "medium": gettext_lazy("medium"),
    "hard": gettext_lazy("hard"),
    "expert": gettext_lazy("expert"),
}

# For those who choose: a name with a few words that fit in a list, and a sentence.
BOT_CHARACTERS = {
    "easy": gettext_lazy("Easy: a friendly beginner"),
    "medium": gettext_lazy("Medium: a family player"),
    "hard": gettext_lazy("Hard: a club player"),
    "expert": gettext_lazy("Expert: the strongest"),
}
BOT_MANNERS = {
    "easy": gettext_lazy("A bot that sees the obvious goals and errs like a person."),
    "medium": gettext_lazy("A bot that plans its goals, one turn at a time."),
    "hard": gettext_lazy("A bot that thinks ahead, and seldom wastes a turn."),
    "expert": gettext_lazy("A bot that ponders each turn and is hard to beat for anybody."),
}


@dataclass(frozen=True)
class Person:
    """Who sits on a seat; `bot` is the level of a bot, empty for people."""

    seat: int
    name: str
    bot: str = ""
    is_you: bool = False

    @property
    def level(self) -> str:
        """The level of a bot, in words."""
        return str(BOT_LEVELS.get(self.bot, self.bot))


def named(tile: Tile) -> str:
    """Return a tile's name: `blue 4`."""
    return _("%(colour)s %(cost)d") % {"colour": COLOUR_WORDS[tile.colour], "cost": tile.cost}


def dots(needs: Support) -> str:
    """Return dots in words, from how many there are of each colour.

    >>> dots((0, 2, 1, 0))
    'two red and one turquoise'
    """
    each = [str(DOT_WORDS[colour][count - 1]) for colour, count in zip(Colour, needs, strict=True) if count]
    return in_a_row(each)


def described(
    tile: Tile,
    covered: Collection[int] = (),
    coming: Collection[int] = (),
    support: Support | None = None,
) -> str:
    """Return a tile's name and goals; `covered` goals have their disc, `coming` ones would get it.

    With the `support` of a tile that lies on a display, the other goals tell what they lack.

    >>> described(TILES["B4c"], covered=[0])
    'blue 4: one blue and one red, done; one turquoise and one yellow'
    """
    if not tile.goals:
        return _("%(tile)s, no goals") % {"tile": named(tile)}
    goals = [_goal(goal, nth in covered, nth in coming, support) for nth, goal in enumerate(tile.goals)]
    return _("%(tile)s: %(goals)s") % {"tile": named(tile), "goals": _("; ").join(goals)}


def _goal(goal: Goal, is_covered: bool, is_coming: bool, support: Support | None) -> str:
    words = {"goal": dots(goal.needs)}
    if is_covered:
        return _("%(goal)s, done") % words
    if is_coming:
        return _("%(goal)s, would be done") % words
    if support is None:
        return words["goal"]
    if goal.is_fulfilled_by(support):
        return _("%(goal)s, waits for a disc") % words
    return _("%(goal)s, lacks %(dots)s") % {**words, "dots": dots(_missing(goal.needs, support))}


def _missing(needs: Support, support: Support) -> Support:
    blue, red, turquoise, yellow = (max(need - has, 0) for need, has in zip(needs, support, strict=True))
    return blue, red, turquoise, yellow


def told(step: Step, people: Sequence[Person], viewer: int | None) -> str:
    """Return what an action brought about, as `viewer` is told: "Tobias took blue 4 and …"."""
    covered = sum(len(event.goals) for event in step.events if isinstance(event, GoalsCompleted))
    sentences = []
    for event in step.events:
        match event:
            case TileTaken():
                sentences.append(_taken(event, covered, people[event.seat].name, event.seat == viewer))
            case TilesRevealed(seat, tiles):
                sentences.append(
                    _revealed([code for _space, code in tiles], people[seat].name, seat == viewer)
                )
                if covered:
                    sentences.append(_waited(covered))
            case PhaseEnded(score):
                sentences.append(_("Phase 1 counts %(score)d") % {"score": score})
            case SeatLeft(seat, reason):
                sentences.append(_left(reason, people[seat].name, seat == viewer))
            case GameOver():
                sentences.append(outcome(event, people, viewer))
            case GoalsCompleted():
                pass  # told with the tile or the refill that brought it about
    return _(". ").join(sentences)


def outcome(over: GameOver, people: Sequence[Person], viewer: int | None) -> str:
    """Return how a game ended, in a few words."""
    if over.reason is Ending.CANCELLED:
        return _("The game was called off")
    if over.winner is None:
        if over.score is None:
            return _("The game ends without a score")
        return _("The game ends with a score of %(score)d") % {"score": over.score}
    name = people[over.winner].name
    if over.winner == viewer:
        return {
            Ending.DISCS: _("You win with your last disc"),
            Ending.TILES: _("You win with the fewest discs left"),
        }.get(over.reason, _("You win, for the others have left"))
    return {
        Ending.DISCS: _("%(name)s wins with the last disc"),
        Ending.TILES: _("%(name)s wins with the fewest discs left"),
    }.get(over.reason, _("%(name)s wins, for the others have left")) % {"name": name}


def names(people: Sequence[Person]) -> str:
    """Return the names of some people in a row: "Halley and Tobias"."""
    return in_a_row([person.name for person in people])


def in_a_row(words: Sequence[str]) -> str:
    """Return some words as one says them in a row.

    >>> in_a_row(["Tobias", "Halley", "Mina"])
    'Tobias, Halley and Mina'
    """
    if len(words) < 2:
        return "".join(words)
    return _("%(some)s and %(last)s") % {"some": _(", ").join(words[:-1]), "last": words[-1]}


def bots(levels: Collection[str]) -> str:
    """Return the bots at a table by their levels, the weakest first, each level once.

    >>> bots(["hard", "easy", "hard"])
    'bots: easy and hard'
    """
    if not levels:
        return ""
    named = in_a_row([str(name) for level, name in BOT_LEVELS.items() if level in levels])
    return ngettext("bot: %(levels)s", "bots: %(levels)s", len(levels)) % {"levels": named}


def gauge(placed: int, left: int) -> str:
    """Return the discs placed and all, in words."""
    return _("%(placed)d of %(total)d discs placed") % {"placed": placed, "total": placed + left}


def goals(count: int) -> str:
    """Return a number of goals in words."""
    return ngettext("%(count)d goal", "%(count)d goals", count) % {"count": count}


def discs_left(count: int) -> str:
    """Return a number of discs in words."""
    return ngettext("%(count)d disc left", "%(count)d discs left", count) % {"count": count}


def discs_at_the_end(discs: Sequence[int], people: Sequence[Person], viewer: int | None) -> str:
    """Return how many discs everybody has left: "Discs left: you 3, Halley 5"."""
    if len(people) == 1:
        return discs_left(discs[0])
    each = [
        _("%(name)s %(count)d") % {"name": _("you") if seat == viewer else people[seat].name, "count": count}
        for seat, count in enumerate(discs)
    ]
    return _("Discs left: %(list)s") % {"list": _(", ").join(each)}


def time_spent(before: int, after: int) -> str:
    """Return how far a disc moves, in words."""
    return _("Time %(before)d → %(after)d") % {"before": before, "after": after}


def _taken(taken: TileTaken, covered: int, name: str, is_you: bool) -> str:
    words = {"name": name, "tile": named(TILES[taken.tile]), "where": _where(taken.cell), "count": covered}
    if covered and is_you:
        what = ngettext(
            "You took %(tile)s, placed it %(where)s and covered %(count)d goal",
            "You took %(tile)s, placed it %(where)s and covered %(count)d goals",
            covered,
        )
    elif covered:
        what = ngettext(
            "%(name)s took %(tile)s, placed it %(where)s and covered %(count)d goal",
            "%(name)s took %(tile)s, placed it %(where)s and covered %(count)d goals",
            covered,
        )
    elif is_you:
        what = _("You took %(tile)s and placed it %(where)s")
    else:
        what = _("%(name)s took %(tile)s and placed it %(where)s")
    return _("%(what)s: time %(before)d → %(after)d") % {
        "what": what % words,
        "before": taken.time_before,
        "after": taken.time_after,
    }


def _where(cell: Cell) -> str:
    return _("as the first tile") if cell == ORIGIN else _("at %(cell)s") % {"cell": cell.name}


def _revealed(codes: Sequence[str], name: str, is_you: bool) -> str:
    count = len(codes)
    if is_you:
        what = ngettext(
            "You refilled the wheel with %(count)d tile: %(tiles)s",
            "You refilled the wheel with %(count)d tiles: %(tiles)s",
            count,
        )
    else:
        what = ngettext(
            "%(name)s refilled the wheel with %(count)d tile: %(tiles)s",
            "%(name)s refilled the wheel with %(count)d tiles: %(tiles)s",
            count,
        )
    tiles = _(", ").join(named(TILES[code]) for code in codes)
    return what % {"name": name, "count": count, "tiles": tiles}


def _waited(count: int) -> str:
    return ngettext(
        "%(count)d goal that had waited for a disc was covered",
        "%(count)d goals that had waited for a disc were covered",
        count,
    ) % {"count": count}


def _left(reason: str | None, name: str, is_you: bool) -> str:
    if reason == "time":
        return _("You ran out of time") if is_you else _("%(name)s ran out of time") % {"name": name}
    return _("You left the game") if is_you else _("%(name)s left the game") % {"name": name}
