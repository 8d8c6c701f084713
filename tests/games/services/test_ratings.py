"""Ratings are stored with the end of a rated game, and equal what the logs of all rated games give."""

import random
import uuid
from importlib.metadata import version
from io import StringIO
from itertools import pairwise

import pytest
from django.core.management import call_command
from django.db.models import F

from accounts.models import User
from games.models import Game, PlayerRating, RatingChange, SeatChange, SeatOffer
from games.novaluna.engine import Place, Refill, Resign
from games.novaluna.title_bots import LEVELS
from games.ratings import MODEL, Entrant, Rating, rate
from games.services import hand_overs, hints, seat_changes, tables
from games.services.errors import Conflict
from games.services.play import cancel, lock_game, play, resign_for
from tests.play import fresh, person, play_all, play_out, position_of, random_actions

pytestmark = pytest.mark.django_db


def rated_game(*users: User, bots: tuple[str, ...] = (), caretaker: str = "") -> Game:
    """Return a started rated game of these users and bots."""
    opener, *others = users
    table = tables.open_table(
        opener,
        tables.TableOptions(
            len(users) + len(bots), is_public=True, pace="live", caretaker=caretaker, changes_ratings=True
        ),
        bots,
    )
    for user in others:
        tables.join(table.key, user)
    return fresh(table)


def resign(game: Game, user: User) -> None:
    play(game.key, user, Resign(0), fresh(game).version + 1, uuid.uuid4())


def rebuild(*args: str) -> tuple[int, str]:
    out = StringIO()
    try:
        call_command("rebuild_ratings", *args, stdout=out)
    except SystemExit as end:
        return int(str(end.code)), out.getvalue()
    return 0, out.getvalue()


def rating_of(user: User) -> Rating:
    return PlayerRating.objects.get(user=user).value


def test_a_rated_game_changes_the_ratings_of_its_players(ines: User, tobias: User) -> None:
    game = rated_game(ines, tobias)
    resign(game, tobias)
    winner, loser = rating_of(ines), rating_of(tobias)
    assert (winner.number, loser.number) == (1579, 1421)
    assert winner.deviation < 250
    change = RatingChange.objects.get(user=tobias)
    assert (change.game, change.place, change.has_left, change.games) == (game, 2, True, 1)
    assert (change.mean_before, change.after) == (1500, loser)
    assert change.model == "openskill 6, Plackett-Luce"
    second = rated_game(ines, tobias)
    resign(second, ines)
    assert RatingChange.objects.get(game=second, user=ines).before == winner
    assert rating_of(ines).number < 1579
    assert rebuild("--check") == (
        0,
        "2 rated games: 0 values differ from the logs, 0 logs cannot be replayed.\n",
    )


def test_a_game_that_is_not_rated_or_was_cancelled_changes_no_rating(ines: User, tobias: User) -> None:
    game = tables.open_table(ines, tables.TableOptions(2))
    tables.join(game.key, tobias)
    resign(game, tobias)
    cancelled = rated_game(ines, tobias)
    cancel(lock_game(pk=cancelled.pk))
    assert fresh(cancelled).is_over
    assert not RatingChange.objects.exists()
    assert rebuild("--check")[0] == 0


def test_places_are_those_of_the_result_and_equal_discs_tie() -> None:
    people = [person(name) for name in ("Ines", "Tobias", "Mina", "Noor")]
    game = play_out(rated_game(*people), seed=3)
    seats = list(game.seats.order_by("rank"))
    places = dict(RatingChange.objects.values_list("seat", "place"))
    assert places[seats[0].number] == 1
    for better, worse in pairwise(seats[1:]):
        ties = better.discs == worse.discs
        assert (places[better.number] == places[worse.number]) is ties
        assert places[better.number] <= places[worse.number]
    assert rebuild("--check")[0] == 0


def test_a_tie_changes_equal_ratings_equally() -> None:
    first, second, third = rate([Entrant(Rating(), place) for place in (1, 2, 2)])
    assert second == third
    assert first.number > 1500 > second.number


def test_bots_have_fixed_ratings_and_count_less(ines: User) -> None:
    game = rated_game(ines, bots=("medium",))
    resign(game, ines)
    lost_to_bot = rating_of(ines)
    lost_to_person, _winner = rate([Entrant(Rating(), 2), Entrant(Rating(deviation=25), 1)])
    assert 1500 - lost_to_bot.mean == pytest.approx((1500 - lost_to_person.mean) / 2, abs=0.01)
    assert RatingChange.objects.count() == 1
    ratings = [level.rating for level in LEVELS.values()]
    assert ratings == sorted(ratings)
    assert rebuild("--check")[0] == 0


def test_those_who_have_left_share_the_last_place() -> None:
    ines, tobias, mina = (person(name) for name in ("Ines", "Tobias", "Mina"))
    game = rated_game(ines, tobias, mina)
    resign_for(lock_game(pk=game.pk), game.seats.get(user=mina), "time")
    resign(game, tobias)
    assert dict(RatingChange.objects.values_list("user__username", "place")) == {
        "Ines": 1,
        "Tobias": 2,
        "Mina": 2,
    }
    assert rating_of(tobias) == rating_of(mina)
    assert rebuild("--check")[0] == 0


def actions_with_an_earlier_winner(game: Game) -> tuple[list[Place | Refill], int]:
    """Return actions to the end of a game, and the seat that wins although another one acts last."""
    start = position_of(game)
    for seed in range(100):
        actions = list(random_actions(start, random.Random(seed)))
        position = start
        for action in actions:
            position = position.apply(action).position
        if position.winner != actions[-1].seat:
            return actions, position.winner
    raise AssertionError("whoever acts last always wins")


def test_a_seat_that_a_bot_plays_at_the_end_counts_as_last(ines: User, tobias: User) -> None:
    game = rated_game(ines, tobias, caretaker="expert")
    (*earlier, last), winner = actions_with_an_earlier_winner(game)
    game = play_all(game, earlier)
    seat, other = (game.seats.get(number=number) for number in (winner, last.seat))
    seat_changes.hand_to_bot(lock_game(pk=game.pk), seat, "expert", SeatChange.Reason.TIME)
    play(game.key, other.user, last, fresh(game).version + 1, uuid.uuid4())
    assert fresh(game).winner == winner, "the result is the player's"
    change = RatingChange.objects.get(seat=winner)
    assert (change.place, change.has_left) == (2, True)
    assert rating_of(other.user).number == 1579
    assert rating_of(seat.user).number == 1421
    assert rebuild("--check")[0] == 0


def test_a_player_who_takes_their_seat_back_counts_with_their_result(ines: User, tobias: User) -> None:
    game = rated_game(ines, tobias, caretaker="easy")
    seat = game.seats.get(user=tobias)
    seat_changes.hand_to_bot(lock_game(pk=game.pk), seat, "easy", SeatChange.Reason.TIME)
    seat_changes.take_back(game.key, tobias)
    resign(game, ines)
    assert rating_of(tobias).number > 1500 > rating_of(ines).number
    assert rebuild("--check")[0] == 0


def test_who_hands_a_seat_over_is_last_and_the_new_player_has_the_result(ines: User, tobias: User) -> None:
    noor = person("Noor")
    game = rated_game(ines, tobias)
    (*earlier, last), winner = actions_with_an_earlier_winner(game)
    game = play_all(game, earlier)
    giver, other = (game.seats.get(number=number).user for number in (winner, last.seat))
    hand_overs.offer(game.key, giver, is_public=False)
    hand_overs.take(SeatOffer.objects.get().key, noor)  # A live game does not wait for objections.
    play(game.key, other, last, fresh(game).version + 1, uuid.uuid4())
    places = dict(RatingChange.objects.values_list("user", "place"))
    assert places == {noor.pk: 1, other.pk: 2, giver.pk: 2}
    assert RatingChange.objects.get(user=giver).has_left
    assert [rating_of(user).number for user in (noor, other, giver)] == [1579, 1421, 1421]
    assert rebuild("--check")[0] == 0


def test_guests_can_not_play_rated_games(ines: User) -> None:
    guest = User.objects.create_user("guest-1", is_guest=True)
    table = tables.open_table(ines, tables.TableOptions(2, is_public=True, pace="slow", changes_ratings=True))
    with pytest.raises(Conflict, match="Guests have no rating"):
        tables.join(table.key, guest)
    assert not tables.open_table(guest, tables.TableOptions(2, changes_ratings=True)).changes_ratings
    tables.join(table.key, person("Tobias"))
    assert fresh(table).is_running


def test_there_are_no_hints_in_rated_games(ines: User) -> None:
    game = rated_game(ines, bots=("easy",))
    with pytest.raises(Conflict, match="no hints in rated games"):
        hints.ask(game.key, ines, 1)


def test_a_rematch_of_a_rated_game_is_rated(ines: User, tobias: User) -> None:
    game = rated_game(ines, tobias)
    resign(game, ines)
    assert tables.rematch(game.key, tobias).changes_ratings


@pytest.mark.databases
@pytest.mark.parametrize(
    ("change", "report"),
    [
        (lambda: RatingChange.objects.filter(place=1).update(mean=F("mean") + 1), "mean is 1580.06"),
        (lambda: RatingChange.objects.filter(place=2).update(place=1), "place is 1"),
        (lambda: RatingChange.objects.update(model="openskill 7"), "model is 'openskill 7'"),
        (lambda: RatingChange.objects.filter(place=1).delete(), "games is None"),
        (lambda: RatingChange.objects.update(user=None), "mean is None"),
        (lambda: PlayerRating.objects.update(deviation=30), "rating of Ines in novaluna: deviation is 30.0"),
        (lambda: PlayerRating.objects.update(is_listed=True), "is_listed is True"),
        (lambda: PlayerRating.objects.all().delete(), "rating of Tobias in novaluna: games is None"),
        (lambda: Game.objects.update(changes_ratings=False), "place is 1, but the log gives None"),
    ],
)
def test_every_changed_row_is_found_and_rebuilt(ines: User, tobias: User, change, report: str) -> None:
    for loser in (tobias, tobias, ines):
        resign(rated_game(ines, tobias), loser)
    change()
    code, output = rebuild("--check")
    assert code == 1
    assert report in output
    assert rebuild("--check")[0] == 1, "a check stores nothing"
    assert rebuild()[0] == 0
    assert rebuild("--check")[0] == 0


@pytest.mark.databases
@pytest.mark.parametrize("values", [{"mean": F("mean") + 1}, {"place": 2}, {"has_left": True}, {"seat": 1}])
def test_a_changed_row_of_a_removed_player_is_found_and_rebuilt(
    ines: User, tobias: User, values: dict[str, object]
) -> None:
    game = rated_game(ines, tobias, person("Noor"))
    resign(game, tobias)
    resign(game, User.objects.get(username="Noor"))
    ines.delete()
    tobias.delete()
    assert rebuild("--check")[0] == 0
    assert RatingChange.objects.filter(seat=0, user=None).update(**values) == 1, "that of Ines"
    code, output = rebuild("--check")
    assert (code, "rating of a former player" in output) == (1, True)
    assert rebuild()[0] == 0
    assert rebuild("--check")[0] == 0


def test_a_removed_player_who_has_handed_over_a_seat_is_compared_too(ines: User, tobias: User) -> None:
    game = rated_game(ines, tobias)
    hand_overs.offer(game.key, tobias, is_public=False)
    hand_overs.take(SeatOffer.objects.get().key, noor := person("Noor"))
    resign(game, ines)
    tobias.delete()
    assert rebuild("--check")[0] == 0
    noor.delete()
    assert rebuild("--check")[0] == 0
    assert RatingChange.objects.filter(user=None, has_left=True).update(has_left=False) == 1
    assert rebuild("--check")[0] == 1
    assert rebuild()[0] == 0
    assert RatingChange.objects.filter(user=None, has_left=True).count() == 1


def test_the_major_version_of_the_model_is_that_of_the_installed_library() -> None:
    major = version("openskill").partition(".")[0]
    assert f"openskill {major}, Plackett-Luce" == MODEL


def test_a_log_that_cannot_be_replayed_is_reported(ines: User, tobias: User) -> None:
    game = rated_game(ines, tobias)
    resign(game, ines)
    game.actions.filter(number=1).update(payload={"do": "dance"})
    code, output = rebuild("--check")
    assert code == 1
    assert f"game {game.pk}: its log cannot be replayed" in output
    assert "0 values differ" in output


@pytest.mark.databases
def test_players_are_listed_after_ten_rated_games_until_they_are_deactivated(
    ines: User, tobias: User
) -> None:
    for _game in range(9):
        resign(rated_game(ines, tobias), tobias)
    assert not PlayerRating.objects.listed("novaluna").exists()
    resign(rated_game(ines, tobias), tobias)
    assert [row.user for row in PlayerRating.objects.listed("novaluna").best_first()] == [ines, tobias]
    ines.is_active = False
    ines.save()
    assert [row.user for row in PlayerRating.objects.listed("novaluna")] == [tobias]
    assert rebuild("--check")[0] == 0
    ines.is_active = True
    ines.save()
    assert PlayerRating.objects.listed("novaluna").count() == 2


def test_the_ratings_of_the_others_stay_when_an_account_is_removed(ines: User, tobias: User) -> None:
    for loser in (tobias, ines, tobias):
        resign(rated_game(ines, tobias), loser)
    before = rating_of(ines)
    tobias.delete()
    assert rebuild("--check") == (
        0,
        "3 rated games: 0 values differ from the logs, 0 logs cannot be replayed.\n",
    )
    assert rebuild()[0] == 0
    assert rating_of(ines) == before
