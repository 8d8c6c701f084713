"""The record of a game, in the record format."""

from games.log.deals import deal_of, setup_of
from games.log.replay import actions_of
from games.models import Deal, Game, SeatChange
from games.titles.registry import title_named


def record_of(game: Game) -> dict[str, object]:
    """Return a game's record, which contains the whole deck.

    In addition to the keys of the record format, it has the players' names, the times, the commitment, and
    the changes of who plays a seat. What was taken back is not in it.
    """
    deal, rules = deal_of(game), title_named(game.title).rules
    actions = actions_of(game, rules)
    return {
        **rules.write_record(setup_of(game), actions.values()),
        "game": game.key,
        "rules_version": game.rules_version,
        "players": [seat.name for seat in game.seats.select_related("user")],
        "started": game.started_at and game.started_at.isoformat(),
        "ended": game.moved_at and game.moved_at.isoformat(),
        "seat_changes": [
            {
                "seat": change.seat,
                "from": 1 + sum(number < change.number for number in actions),
                "bot": change.bot or None,
                "player": change.user and change.user.get_username(),
                "former": change.former and change.former.get_username(),
                "reason": change.reason,
            }
            for change in SeatChange.objects.filter(game=game).select_related("user", "former")
        ],
        "deal_rule": deal.rule,
        "commitment": deal.commitment,
        **(
            {"secret": deal.salt, "nonces": deal.nonces}
            if deal.rule == Deal.Rule.MIXED
            else {"salt": deal.salt}
        ),
    }
