"""Each title gets its deal from its rules, and deals from before there were titles stay what they were."""

import hashlib
import hmac
import json
import uuid
from importlib import import_module
from io import StringIO

import pytest
from django.apps import apps
from django.core.management import CommandError, call_command
from django.test import Client

from games.log.deals import commitment_to, drawn_deal, matches_commitment, mixed_deal, setup_of, text_of
from games.log.replay import public_log
from games.models import Deal, Game
from games.novaluna.rules import NovaLunaRules
from games.services import deals, tables
from games.services.play import play
from tests.play import fresh, game_of, person, play_some
from tests.titles.pairs.rules import Choose, PairsRules

pytestmark = pytest.mark.django_db

NONCES = [digit * 32 for digit in "abcd"]


@pytest.fixture(autouse=True)
def _true_deals(monkeypatch: pytest.MonkeyPatch) -> None:
    """Mix the deals of these tests from their secrets and nonces."""
    monkeypatch.setattr(deals, "mixed_deal", mixed_deal)


def pairs_game(**options: object) -> Game:
    """Return a started game of Pairs for four people."""
    chosen = tables.TableOptions(4, title="pairs", options=options)
    table = tables.open_table(person("Ines"), chosen, nonce=NONCES[0])
    for name, nonce in zip(["Tobias", "Mina", "Noor"], NONCES[1:], strict=True):
        tables.join(table.key, person(name), nonce=nonce)
    return fresh(table)


def shuffled_by_hand(items: list[int], seed: bytes) -> list[int]:
    """Return the shuffle that docs/deals.md describes; no number is skipped in so short a shuffle."""
    for number, last in enumerate(range(len(items) - 1, 0, -1)):
        drawn = int.from_bytes(hmac.digest(seed, number.to_bytes(8, "big"), "sha256"), "big") % (last + 1)
        items[last], items[drawn] = items[drawn], items[last]
    return items


@pytest.mark.usefixtures("pairs")
def test_the_deal_of_another_title_follows_from_the_secret_the_nonces_and_the_options() -> None:
    game = pairs_game(rounds=2)
    assert game.is_running
    assert game.options == {"rounds": 2, "hand": 3}
    deal = game.deal
    assert deal.title == "pairs"
    assert deal.nonces == NONCES

    # By hand, as docs/deals.md and the rules of the title say.
    assert hashlib.sha256(deal.salt.encode()).hexdigest() == deal.commitment
    seed = hmac.digest(deal.salt.encode(), " ".join(NONCES).encode(), "sha256")
    cards = shuffled_by_hand(sorted([*range(1, 8), *range(1, 8)]), hmac.digest(seed, b"cards", "sha256"))
    bonuses = shuffled_by_hand([3, 4, 5, 6], hmac.digest(seed, b"bonuses", "sha256"))
    assert deal.dealt == {
        "hands": [sorted(cards[seat * 3 : seat * 3 + 3]) for seat in range(4)],
        "bonuses": bonuses[:2],
    }
    assert setup_of(game).dealt == deal.dealt


@pytest.mark.usefixtures("pairs")
def test_verify_deal_checks_the_deal_of_another_title() -> None:
    game = pairs_game()
    call_command("verify_deal", game.key, stdout=(out := StringIO()))
    assert "The deal matches its commitment." in out.getvalue()
    assert game.deal.salt not in out.getvalue()
    for column, value in {"dealt": {**game.deal.dealt, "bonuses": [3, 3, 3]}, "nonces": NONCES[::-1]}.items():
        stored = getattr(game.deal, column)
        Deal.objects.filter(pk=game.deal.pk).update(**{column: value})
        with pytest.raises(CommandError, match="NOT"):
            call_command("verify_deal", game.key, stdout=StringIO())
        Deal.objects.filter(pk=game.deal.pk).update(**{column: stored})
    Game.objects.filter(pk=game.pk).update(options={"rounds": 1, "hand": 3})
    assert not matches_commitment(fresh(game)), "the options belong to the deal"


def test_the_text_of_a_drawn_deal_has_all_its_values() -> None:
    old = Deal(rule=Deal.Rule.DRAWN, salt="00ff", deck=["B1", "R1"], start_order=[1, 0])
    assert text_of(old) == "00ff B1 R1 1 0"
    new = drawn_deal("novaluna", {"start_order": [1, 0], "deck": ["B1", "R1"]}, "00ff")
    assert (text_of(new), new.deck, new.start_order) == ("00ff B1 R1 1 0", ["B1", "R1"], [1, 0])
    assert new.commitment == commitment_to("00ff B1 R1 1 0")
    pairs = drawn_deal("pairs", {"hands": [[1, 2], [3, 4]], "bonuses": [5]}, "00ff")
    assert text_of(pairs) == "00ff 5 1 2 3 4"


def as_from_before_titles(game: Game) -> Game:
    """Return a game as a process of the release before has stored it."""
    Game.objects.filter(pk=game.pk).update(options=None)
    Deal.objects.filter(pk=game.deal_id).update(dealt=None)
    return fresh(game)


def test_a_game_of_a_process_of_the_release_before_is_the_same() -> None:
    game = play_some(game_of(person("Ines"), person("Tobias"), person("Mina"), beginner=True), 5)
    log = public_log(game, seat=None)
    old = as_from_before_titles(game)
    assert (old.options, old.deal.dealt) == (None, None)
    assert old.all_options == {"discs": 17}
    assert matches_commitment(old)
    assert public_log(old, seat=None) == log
    assert play_some(old, 1).version == 6


@pytest.mark.databases
def test_such_a_process_can_deal_for_a_table_of_this_release() -> None:
    table = tables.open_table(person("Ines"), tables.TableOptions(2))
    assert not table.deal.is_dealt
    dealt = mixed_deal(NovaLunaRules(), table.deal.salt, ["", ""], {})
    Deal.objects.filter(pk=table.deal_id).update(
        deck=dealt["deck"], start_order=dealt["start_order"], nonces=["", ""]
    )
    assert fresh(table).deal.is_dealt
    assert matches_commitment(fresh(table))


@pytest.mark.databases
def test_the_migration_fills_options_and_deals(monkeypatch: pytest.MonkeyPatch) -> None:
    migration = import_module("games.migrations.0062_fill_options_and_deals")
    monkeypatch.setattr(migration, "BATCH", 2)
    games = [game_of(person(name), person(f"{name}2")) for name in ("Ines", "Tobias", "Mina")]
    table = tables.open_table(person("Noor"), tables.TableOptions(3))
    before = {game.pk: (game.options, game.deal.dealt) for game in [*games, fresh(table)]}
    for game in [*games, table]:
        as_from_before_titles(game)
    migration.fill(apps, None)
    assert {game.pk: (game.options, game.deal.dealt) for game in map(fresh, [*games, table])} == before
    assert before[table.pk] == ({"discs": 20}, None)
    assert json.dumps(fresh(games[0]).options) == '{"discs": 20}'


@pytest.mark.usefixtures("pairs")
def test_the_secret_of_another_title_is_shown_when_its_game_is_over() -> None:
    game = pairs_game(rounds=1)
    path = f"/g/{game.key}"
    assert game.deal.salt not in Client().get(f"{path}/deal/").text
    assert Client().get(f"{path}/record.json").status_code == 409
    for number, seat in enumerate(game.seats.order_by("number"), 1):
        action = Choose(seat.number, game.deal.dealt["hands"][seat.number][0])
        play(game.key, seat.user, action, number, uuid.uuid4())
    assert fresh(game).is_over
    assert game.deal.salt in Client().get(f"{path}/deal/").text
    record = Client().get(f"{path}/record.json").json()
    assert (record["secret"], record["nonces"], record["dealt"]) == (game.deal.salt, NONCES, game.deal.dealt)
    assert mixed_deal(PairsRules(), record["secret"], record["nonces"], record["options"]) == record["dealt"]
