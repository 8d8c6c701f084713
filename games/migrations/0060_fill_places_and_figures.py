"""Fills the places and figures of the games that have started, all of the first title.

Not atomic: each batch is stored on its own and locks nothing for long. An interrupted migration can run
again. If a process of the release before stores an action meanwhile, `projected_version` differs from
`version`, and the sweep of this release rebuilds the game (`services/projections/healing.py`).
"""

from collections import defaultdict

from django.db import migrations
from django.db.models import Count

BATCH = 200


def fill(apps, schema_editor):
    games = apps.get_model("games", "Game").objects.exclude(status="open").filter(projected_version=None)
    pk = 0
    while batch := list(games.filter(pk__gt=pk).order_by("pk")[:BATCH]):
        pk = batch[-1].pk
        fill_seats(apps, batch)
        for game in batch:
            game.projected_version = game.version
        # Last, so that an interrupted batch is filled again.
        apps.get_model("games", "Game").objects.bulk_update(batch, ["projected_version"])


def fill_seats(apps, games):
    seats = apps.get_model("games", "Seat").objects
    by_game = defaultdict(list)
    for seat in seats.filter(game__in=games).order_by("number"):
        by_game[seat.game_id].append(seat)
    actions = apps.get_model("games", "Action").objects.filter(game__in=games, payload__do="place")
    solo = actions.filter(game__mode="solo").order_by().values_list("game")
    tiles = dict(solo.annotate(Count("pk")))
    for game in games:
        own = by_game[game.pk]
        for seat, place in zip(own, places_of(game, own), strict=True):
            seat.place = place
            seat.figures = figures_of(game, seat, tiles.get(game.pk, 0))
    seats.bulk_update([seat for own in by_game.values() for seat in own], ["place", "figures"])


def places_of(game, seats):
    """Return the place of each seat: the winner, then by the discs left; who has left shares the last."""
    if game.mode == "solo" or game.winner is None:
        return [None] * len(seats)
    keys = [
        (True, True, 0) if seat.has_left else (False, seat.number != game.winner, seat.discs)
        for seat in seats
    ]
    return [1 + sum(other < own for other in keys) for own in keys]


def figures_of(game, seat, tiles):
    if game.mode == "solo":
        figures = {"discs": seat.discs, "tiles": tiles}
        return figures if game.score is None else {**figures, "score": game.score}
    figures = {"discs": seat.discs, "time": seat.time}
    return figures if seat.rank is None else {**figures, "rank": seat.rank}


class Migration(migrations.Migration):

    atomic = False

    dependencies = [
        ("games", "0059_places_and_figures"),
    ]

    operations = [
        migrations.RunPython(fill, migrations.RunPython.noop, elidable=True),
    ]
