"""Duplicate matches: who sits where, the deal of all tables, and what can't happen in their games."""

import uuid
from datetime import timedelta
from unittest import mock

import pytest
from django.utils import timezone

from accounts.models import User
from games.log.deals import matches_commitment, mixed_deal, revealed_text
from games.models import Deal, DuplicateMatch, Game, PlayerRating, Vote
from games.models.match_seating import seating
from games.novaluna.engine import Resign
from games.novaluna.rules import NovaLunaRules
from games.queries.access import is_closed_to_others
from games.queries.deals.duplicates import view_match
from games.queries.overviews import overview
from games.services import deals, hand_overs, hints, pruning, tables, votes
from games.services.errors import Conflict, Gone, NotSeated
from games.services.play import play
from games.services.projections.games import rebuild
from games.services.projections.ratings import rebuild_ratings
from games.services.pruning import people as pruned_people
from games.services.tables import duplicates, limits
from tests.clients import client_of
from tests.play import fresh, match_of, mover, person, play_bots, play_out

pytestmark = pytest.mark.django_db


@pytest.fixture
def users() -> list[User]:
    return [person(name) for name in ("Ines", "Tobias", "Noor", "Mina")]


def open_match(user: User, **options: object) -> DuplicateMatch:
    return duplicates.open_match(user, 2, 2, **{"pace": "day", "is_public": True, **options})


def names_of(game: Game) -> list[str]:
    return [seat.name for seat in game.seats.select_related("user").order_by("number")]


def resign(game: Game, user: User) -> None:
    play(game.key, user, Resign(0), fresh(game).version + 1, uuid.uuid4())


@pytest.mark.parametrize("tables", [2, 3, 5, 16])
@pytest.mark.parametrize("seats", [2, 3, 4])
def test_everybody_has_one_seat_and_no_seat_has_all_of_those_who_were_first(tables: int, seats: int) -> None:
    for people in range(1, tables * seats + 1):
        found = seating(people, tables, seats)
        flat = [person for table in found for person in table if person is not None]
        assert sorted(flat) == list(range(people))
        sizes = [sum(person is not None for person in table) for table in found]
        assert max(sizes) - min(sizes) <= 1, "no table has two people more than another"
    firsts = [table.index(number) for number, table in enumerate(seating(tables, tables, seats))]
    assert len(set(firsts)) == min(tables, seats)


def test_the_last_person_starts_all_tables_on_one_deal_that_everybody_added_to(
    users: list[User], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(deals, "mixed_deal", mixed_deal)
    nonces = [digit * 32 for digit in "abcd"]
    match = open_match(users[0], nonce=nonces[0])
    commitment = match.deal.commitment
    for user, nonce in zip(users[1:], nonces[1:], strict=True):
        assert not Game.objects.exists()
        duplicates.enter(match.key, user, nonce)
    first, second = Game.objects.order_by("pk")
    assert first.is_running
    assert second.is_running
    assert (names_of(first), names_of(second)) == (["Ines", "Noor"], ["Mina", "Tobias"])
    deal = Deal.objects.get()
    assert (first.deal, second.deal, deal.commitment) == (deal, deal, commitment)
    assert deal.nonces == [nonces[0] + nonces[3], nonces[2] + nonces[1]]
    assert deal.dealt == mixed_deal(NovaLunaRules(), deal.salt, deal.nonces, {})
    assert matches_commitment(first)
    assert {game.pace for game in (first, second)} == {"day"}
    with pytest.raises(Conflict, match="started without you"):
        duplicates.enter(match.key, person("Emil"))


def test_the_opener_starts_with_bots_once(users: list[User]) -> None:
    match = open_match(users[0])
    duplicates.enter(match.key, users[1])
    with pytest.raises(NotSeated):
        duplicates.start(match.key, users[1], "easy")
    for _press in range(2):
        duplicates.start(match.key, users[0], "easy")
    games = Game.objects.order_by("pk")
    assert [[seat.bot for seat in game.seats.order_by("number")] for game in games] == [
        ["", "easy"],
        ["easy", ""],
    ]


def test_bots_count_as_in_other_games_of_their_opener(users: list[User]) -> None:
    match = open_match(users[0])
    with mock.patch.object(limits, "MOST_GAMES_WITH_BOTS", 1):
        with pytest.raises(Conflict, match="games with bots"):
            duplicates.start(match.key, users[0], "easy")
        assert not Game.objects.exists()
    with mock.patch.object(limits, "MOST_GAMES_WITH_BOTS", 2):
        duplicates.start(match.key, users[0], "easy")


@pytest.mark.databases
def test_a_double_press_opens_one_match_and_enters_once(users: list[User]) -> None:
    request_id = uuid.uuid4()
    match, again = (open_match(users[0], request_id=request_id) for _press in range(2))
    assert match == again
    for _press in range(2):
        duplicates.enter(match.key, users[1])
    assert [entry.user for entry in match.entries.all()] == users[:2]


def test_nobody_opens_a_fourth_match_that_waits(users: list[User]) -> None:
    for _match in range(3):
        match = open_match(users[0])
    with pytest.raises(Conflict, match="three duplicate matches"):
        open_match(users[0])
    duplicates.start(match.key, users[0], "easy")
    open_match(users[0])


def test_people_leave_and_the_opener_closes_a_match_before_its_start(users: list[User]) -> None:
    match = open_match(users[0])
    duplicates.enter(match.key, users[1])
    with pytest.raises(NotSeated):
        duplicates.leave(match.key, users[2])
    with pytest.raises(Conflict, match="close it"):
        duplicates.leave(match.key, users[0])
    duplicates.leave(match.key, users[1])
    assert match.entries.count() == 1
    with pytest.raises(NotSeated):
        duplicates.close(match.key, users[1])
    duplicates.close(match.key, users[0])
    assert not Deal.objects.exists()
    with pytest.raises(Gone):
        duplicates.enter(match.key, users[1])


def test_nobody_leaves_or_closes_a_match_that_runs(users: list[User]) -> None:
    games = match_of(*users[:2])
    key = games[0].duplicate.key
    with pytest.raises(Conflict):
        duplicates.leave(key, users[1])
    with pytest.raises(Conflict):
        duplicates.close(key, users[0])
    assert Game.objects.count() == 2


def test_a_match_that_waits_for_two_weeks_is_closed(users: list[User]) -> None:
    late, new, started = open_match(users[0]), open_match(users[0]), open_match(users[0])
    duplicates.start(started.key, users[0], "easy")
    for match, days in ((late, 15), (new, 13), (started, 15)):
        opened_at = timezone.now() - timedelta(days=days)
        DuplicateMatch.objects.filter(pk=match.pk).update(opened_at=opened_at)
    pruning.prune()
    assert set(DuplicateMatch.objects.all()) == {new, started}
    assert set(Deal.objects.all()) == {new.deal, started.deal}


def test_a_deleted_account_leaves_matches_that_wait(users: list[User]) -> None:
    own, other = open_match(users[0]), open_match(users[1])
    duplicates.enter(other.key, users[0])
    User.objects.filter(pk=users[0].pk).update(is_active=False, removal_due_at=timezone.now())
    pruned_people.remove_account(users[0].pk)
    assert not DuplicateMatch.objects.filter(pk=own.pk).exists()
    assert [entry.user for entry in other.entries.all()] == [users[1]]


def test_the_deal_opens_at_the_end_of_the_last_game_of_people(users: list[User]) -> None:
    first, second, bots_only = match_of(*users[:2], tables=3, seats=2)
    resign(first, users[0])
    play_bots(first)
    assert revealed_text(fresh(first)) == ""
    assert set(Game.objects.closed_to_others()) == {first, second, bots_only}
    assert is_closed_to_others(fresh(first))
    resign(second, users[1])
    play_bots(second)
    assert revealed_text(fresh(second)) == second.deal.salt
    assert not Game.objects.closed_to_others().exists()
    assert not is_closed_to_others(fresh(bots_only))
    assert not fresh(bots_only).is_over, "bots can't peek"


def test_the_projections_of_a_rated_match_are_right(users: list[User]) -> None:
    match = open_match(users[0], changes_ratings=True)
    for user in users[1:]:
        duplicates.enter(match.key, user)
    for game in Game.objects.all():
        play_out(game)
        assert rebuild(fresh(game), check_only=True) == []
    assert PlayerRating.objects.count() == 4
    assert rebuild_ratings(check_only=True).differences == []


def test_guests_play_in_matches_without_ratings_and_list_none() -> None:
    guest = User.objects.create(username="guest-1", is_guest=True)
    own = open_match(guest, changes_ratings=True)
    assert (own.is_public, own.changes_ratings) == (False, False)
    rated = open_match(person("Ines"), changes_ratings=True)
    with pytest.raises(Conflict, match="Guests have no rating"):
        duplicates.enter(rated.key, guest)
    duplicates.enter(open_match(person("Tobias")).key, guest)


def test_seats_never_change_hands_and_nobody_votes_in_a_match(users: list[User]) -> None:
    first, _second = match_of(*users)
    with pytest.raises(Conflict, match="don't change hands"):
        hand_overs.offer(first.key, users[0], is_public=True)
    for purpose in (Vote.Purpose.PACE, Vote.Purpose.CANCEL):
        with pytest.raises(Conflict, match="has no proposals"):
            votes.start(first.key, users[0], purpose, "")


def test_nobody_gets_a_hint_against_the_bots_of_a_match(users: list[User]) -> None:
    # One of two people has the seat that begins.
    [game] = [game for game in match_of(*users[:2]) if game.seats.awaited().played_by_people()]
    user = mover(game)
    with pytest.raises(Conflict, match="no hints in duplicate matches"):
        hints.ask(game.key, user, game.version + 1)
    link = f"/g/{game.key}/?hint=1"
    assert link not in client_of(user).get(f"/g/{game.key}/").text
    with mock.patch.object(Game, "duplicate", None):
        assert link in client_of(user).get(f"/g/{game.key}/").text, "other games with bots have hints"


def test_a_rematch_is_an_ordinary_game_on_a_deal_of_its_own(users: list[User]) -> None:
    first, _second = match_of(*users)
    resign(first, users[0])
    again = tables.rematch(first.key, users[0])
    assert again.deal != first.deal
    assert again.duplicate is None


@pytest.mark.databases
def test_scores_compare_players_in_the_same_seat(users: list[User]) -> None:
    """A hand-made example: two of three first seats won by four discs, and one lost by two."""
    games = match_of(*users[:3], tables=3)
    discs = [(0, 4), (2, 0), (0, 4)]
    for game, left in zip(games, discs, strict=True):
        Game.objects.filter(pk=game.pk).update(status=Game.Status.OVER)
        for number, own in enumerate(left):
            figures = {"discs": own, "rank": 1 if own == min(left) else 2}
            game.seats.filter(number=number).update(figures=figures)
    view = view_match(games[0].duplicate, users[0])
    shown = [[(score.table, score.result.lead, score.percent) for score in seat] for seat in view.seats]
    assert shown == [
        [(1, 4, 75), (3, 4, 75), (2, -2, 0)],
        [(2, 2, 100), (1, -4, 25), (3, -4, 25)],
    ]
    assert [score.rank for score in view.scores] == [1, 2, 2, 4, 4, 6]
    # Who leaves is last, also with more discs than somebody who has lost.
    games[0].seats.filter(number=1).update(has_left=True, figures={"discs": 1, "rank": 2})
    view = view_match(games[0].duplicate, users[0])
    assert [(score.table, score.percent) for score in view.seats[1]] == [(2, 100), (3, 50), (1, 0)]


def test_a_match_that_waits_shows_who_would_sit_where(users: list[User]) -> None:
    match = open_match(users[0])
    duplicates.enter(match.key, users[1])
    tables = view_match(match, users[1]).tables
    names = [user.username for user in users]
    assert str(tables[0].players) == f"seat 1: {names[0]} · seat 2: free"
    assert str(tables[1].players) == f"seat 1: free · seat 2: {names[1]}"
    assert [table.is_yours for table in tables[:2]] == [False, True]


def test_home_pages_update_when_a_match_changes(users: list[User]) -> None:
    versions = [overview(users[3].pk).lists]
    match = open_match(users[0])
    versions.append(overview(users[3].pk).lists)
    duplicates.enter(match.key, users[1])
    versions.append(overview(users[3].pk).lists)
    duplicates.close(match.key, users[0])
    versions.append(overview(users[3].pk).lists)
    assert len(set(versions[:3])) == 3
    assert versions[3] == versions[0]
