"""How games ended, in a few words for lists, and why players left them."""

from collections import defaultdict
from collections.abc import Collection, Mapping, Sequence

from games.marked import gettext as _
from games.models import Action
from games.queries.seats import SeatSummary
from games.shown.words import join_words

Departures = Mapping[int, str]  # by the number of the seat: "time", "absent", or empty for who resigned


def departures_from(games: Collection[int]) -> Mapping[int, Departures]:
    """Return who left these games and why, by the id of the game, with one query if there are any games."""
    found: defaultdict[int, dict[int, str]] = defaultdict(dict)
    if games:
        left = Action.objects.filter(game__in=games, payload__do="resign")
        for game_id, seat, payload in left.values_list("game_id", "seat", "payload"):
            if seat is not None:
                found[game_id][seat] = payload.get("reason") or ""
    return found


def describe_end(
    winners: Sequence[SeatSummary],
    seats: Sequence[SeatSummary],
    reader: SeatSummary | None,
    departures: Departures,
) -> str:
    """Return who has won a game, or whether the reader has, and whether it ended because somebody left.

    The `reader` is None on a list that is not about the seat of the viewer.
    """
    [first, *partners] = winners
    name = join_words([_("You") if seat.is_you else seat.name for seat in winners])
    if not partners and reader is not None and reader != first and reader.number in departures:
        return _describe_own_exit(departures[reader.number])
    losers = [seat for seat in seats if seat not in winners]
    if not partners and len(losers) == 1:
        return _describe_duel(name, losers[0], reader, departures.get(losers[0].number))
    return _("Won") if [reader] == winners else _("%(name)s won") % {"name": name}


def _describe_own_exit(reason: str) -> str:
    if reason == "time":
        return _("Lost on time")
    return _("Lost: you were absent") if reason == "absent" else _("Lost: you resigned")


def _describe_duel(name: str, loser: SeatSummary, reader: SeatSummary | None, reason: str | None) -> str:
    """Return how a game for two ended that `name` won; `reason` is None if nobody left."""
    if reader == loser:
        return _("Lost")
    words = {"name": name, "other": loser.name}
    if reason is None:
        text = _("Won") if reader else _("%(name)s won")
    elif reason == "time":
        text = _("Won on time") if reader else _("%(name)s won on time")
    elif reason == "absent":
        text = _("Won: %(other)s was absent") if reader else _("%(name)s won: %(other)s was absent")
    else:
        text = _("Won: %(other)s resigned") if reader else _("%(name)s won: %(other)s resigned")
    return text % words
