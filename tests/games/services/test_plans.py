"""Plans: played at the beginning of the player's turn, at most once, and only if they still hold."""

import random
import uuid
from collections.abc import Callable, Iterator

import pytest
from django.db import transaction
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from accounts.models import User
from games.log.replay import secret_log
from games.models import Action, Game, Kind, Notification, Plan, Seat, SeatChange
from games.novaluna.engine import (
    ORIGIN,
    TILES,
    Cell,
    Place,
    Position,
    Refill,
    RefillRule,
    Resign,
    action_from_json,
)
from games.services import plans, seat_changes
from games.services.errors import BadPlan, Conflict, NotSeated
from games.services.play import play, play_by_mail, play_for_bot, resign_for
from games.services.projections.games import rebuild
from tests.play import (
    fresh,
    game_of,
    legal_action,
    mover,
    person,
    play_all,
    play_one,
    play_some,
    position_of,
    random_actions,
    solo_of,
)

# More in the long run of the state machine of services.
EXAMPLES = 300 if settings.get_current_profile_name() == "long" else 4

pytestmark = pytest.mark.django_db


def waiting(game: Game) -> User:
    """Return the user of a game of two whose turn it is not."""
    user = game.seats.exclude(number=fresh(game).to_move).get().user
    assert user is not None
    return user


def spaces_ahead(game: Game) -> list[str]:
    """Return the tiles on the wheel, clockwise from the marker."""
    wheel = position_of(game).wheel
    spaces = [*wheel.spaces[wheel.marker :], *wheel.spaces[: wheel.marker]]
    return [tile.code for tile in spaces if tile]


def place(tile: str, cell: Cell = ORIGIN) -> Place:
    return Place(-1, tile, *cell)


def plan(
    game: Game, *wishes: Place | Refill, user: User | None = None, outlasts_reveals: bool = False
) -> User:
    """Store a plan of the waiting user as if they saw the newest page, and return the user."""
    planner = user or waiting(game)
    plans.change(game.key, planner, wishes, fresh(game).version + 1, outlasts_reveals)
    return planner


def take_first(game: Game) -> None:
    """Take the next tile for the user to move."""
    play(game.key, mover(game), next(places(position_of(game))), fresh(game).version + 1, uuid.uuid4())


def places(position: Position) -> Iterator[Place]:
    """Yield the legal place actions, those of the next tile first."""
    return (action for action in position.legal_actions if isinstance(action, Place))


def test_the_first_legal_wish_is_played_when_the_turn_begins(game: Game) -> None:
    first, _second, third, fourth, fifth, *_far = spaces_ahead(game)
    planner = plan(game, place(fifth), place(third), place(fourth))
    take_first(game)  # Now the second, third and fourth tile are in reach.
    actions = Action.objects.filter(game=game).order_by("number")
    assert [action.payload["tile"] for action in actions] == [first, third]
    assert actions[1].made_by == planner
    assert not Plan.objects.exists()
    assert rebuild(fresh(game), check_only=True) == []


def test_the_player_of_a_plan_gets_no_notification_and_the_next_player_gets_one(game: Game) -> None:
    Notification.objects.all().delete()
    first_mover = mover(game)
    planner = plan(game, place(spaces_ahead(game)[1]))
    take_first(game)
    owed = [notification.user for notification in Notification.objects.filter(kind=Kind.TURN)]
    assert owed == [mover(game)]
    assert mover(game) in (first_mover, planner)


def test_a_plan_without_a_legal_wish_is_not_played_and_its_player_is_notified(game: Game) -> None:
    first, *_near, far = spaces_ahead(game)
    planner = plan(game, place(first), place(far))
    take_first(game)
    assert fresh(game).version == 1
    assert Notification.objects.filter(user=planner, kind=Kind.TURN).count() == 1
    play_one(game)
    assert not Plan.objects.exists(), "a move by hand removes it"


def test_plans_of_several_players_are_played_one_after_the_other() -> None:
    people = [person(name) for name in ("Ines", "Tobias", "Noor")]
    game = game_of(*people)
    tiles = spaces_ahead(game)
    for user in people:
        if user != mover(game):
            plan(game, *[place(tile) for tile in tiles[1:6]], user=user)
    take_first(game)
    makers = Action.objects.filter(game=game).values_list("made_by", flat=True)
    assert sorted(makers) == sorted(user.pk for user in people)
    assert not Plan.objects.exists()


def test_a_plan_is_played_after_a_bots_action() -> None:
    game = game_of(person("Ines"), bots=("easy",))
    if game.to_move == 0:
        play_one(game)
    near = spaces_ahead(game)
    cell = next(iter(position_of(game).displays[0].free_cells))
    plan(game, *[place(tile, cell) for tile in near[1:5]], user=game.seats.get(number=0).user)
    version = fresh(game).version
    play_for_bot(game.pk, legal_action(game), version + 1)
    assert Action.objects.get(game=game, number=version + 2).seat == 0


def play_until(game: Game, is_reached: Callable[[Position], bool]) -> Position:
    """Play random actions until the condition is true, and return the position."""
    position, actions = position_of(game), []
    for action in random_actions(position, random.Random(2)):
        if is_reached(position):
            break
        position = position.apply(action).position
        actions.append(action)
    play_all(game, actions)
    game.refresh_from_db()
    return position


def passing(position: Position) -> Place | None:
    """Return a legal place action after which it is another player's turn; None if there is none."""
    return next(
        (one for one in places(position) if position.apply(one).position.to_move != position.to_move), None
    )


def wishes_after_refill(game: Game) -> list[Place]:
    """Refill the wheel of a game for the user to move; return wishes of the other for the next tiles."""
    play_until(game, lambda position: position.refill is RefillRule.ALLOWED)
    play(game.key, mover(game), Refill(-1), game.version + 1, uuid.uuid4())
    display = position_of(game).displays[game.seats.get(user=waiting(game)).number]
    return [place(tile, next(iter(display.free_cells))) for tile in spaces_ahead(game)[1:6]]


@pytest.mark.parametrize("outlasts_reveals", [False, True])
def test_a_plan_is_played_after_an_unforeseen_refill_only_if_it_allows_that(
    game: Game, *, outlasts_reveals: bool
) -> None:
    wishes, planner, number = wishes_after_refill(game), waiting(game), fresh(game).version
    plans.change(game.key, planner, wishes, number, outlasts_reveals)
    while mover(game) != planner and Plan.objects.exists():
        take_first(game)
    is_played = Action.objects.filter(game=game, number__gt=number, made_by=planner).exists()
    assert is_played == outlasts_reveals


def test_a_refill_that_the_player_has_seen_is_foreseen(game: Game) -> None:
    wishes, planner, number = wishes_after_refill(game), waiting(game), fresh(game).version
    plans.change(game.key, planner, wishes, number, False)
    assert not Plan.objects.get().holds_in(position_of(game))
    plans.change(game.key, planner, wishes, number + 1, False)
    assert Plan.objects.get().holds_in(position_of(game))


def test_a_refill_can_be_planned_and_the_turn_goes_on(game: Game) -> None:
    position = play_until(game, lambda now: now.wheel.tile_count == 3 and passing(now) is not None)
    planner = plan(game, Refill(-1))
    play(game.key, mover(game), passing(position), game.version + 1, uuid.uuid4())
    assert isinstance(secret_log(fresh(game)).steps[-1].action, Refill)
    assert mover(game) == planner
    assert Notification.objects.filter(user=planner, kind=Kind.TURN, version=fresh(game).version).exists()


def test_resigning_and_the_end_of_the_game_remove_plans() -> None:
    people = [person(name) for name in ("Ines", "Tobias", "Noor")]
    game = game_of(*people)
    tile = spaces_ahead(game)[-1]
    first, second = [user for user in people if user != mover(game)]
    plan(game, place(tile), user=first)
    plan(game, place(tile), user=second)
    play(game.key, first, Resign(-1), 1, uuid.uuid4())
    assert [stored.user for stored in Plan.objects.all()] == [second]
    play(game.key, mover(game), Resign(-1), 2, uuid.uuid4())
    assert fresh(game).is_over
    assert not Plan.objects.exists()


def test_a_player_who_is_out_of_time_has_no_plan() -> None:
    game = game_of(person("Ines"), person("Tobias"), person("Mina"))
    planner = next(seat for seat in game.seats.select_related("user") if seat.user != mover(game))
    plan(game, place(spaces_ahead(game)[-1]), user=planner.user)
    resign_for(fresh(game), planner, "time")
    assert fresh(game).is_running
    assert not Plan.objects.exists()


def test_a_plan_is_not_played_for_somebody_whose_seat_a_bot_plays(game: Game) -> None:
    tile = spaces_ahead(game)[1]
    planner = plan(game, place(tile))
    with transaction.atomic():
        seat_changes.hand_to_bot(game, game.seats.get(user=planner), "easy", SeatChange.Reason.TIME)
    assert not Plan.objects.exists()
    with pytest.raises(Conflict, match="A bot plays your seat"):
        plan(game, place(tile))
    seat_changes.take_back(game.key, planner)
    plan(game, place(tile))
    Seat.objects.filter(game=game, user=planner).update(caretaker="easy")
    take_first(game)
    assert fresh(game).version == 1


def test_a_player_by_email_gets_one_email_after_the_plan_of_another(game: Game) -> None:
    player = mover(game)
    costs = {code: TILES[code].cost for code in spaces_ahead(game)[:4]}
    first, second = next((a, b) for a in list(costs)[:3] for b in costs if a != b and costs[b] > costs[a])
    plan(game, place(second))
    Notification.objects.all().delete()
    play_by_mail(game.key, player, place(first), 1, uuid.uuid4())
    assert fresh(game).version == 2
    assert [owed.user for owed in Notification.objects.filter(kind=Kind.TURN)] == [player]


@pytest.mark.databases
def test_a_plan_is_changed_and_removed_and_the_same_request_twice_changes_nothing(game: Game) -> None:
    tiles = spaces_ahead(game)
    for _time in range(2):
        planner = plan(game, place(tiles[3]), place(tiles[4]), place(tiles[3]))
    assert [action.tile for action in Plan.objects.get().actions] == [tiles[3], tiles[4]]
    plan(game, place(tiles[4]), outlasts_reveals=True)
    stored = Plan.objects.get()
    assert (stored.user, stored.outlasts_reveals, len(stored.wishes)) == (planner, True, 1)
    for _time in range(2):
        plan(game)
        assert not Plan.objects.exists()


def test_only_a_player_who_waits_in_a_running_game_with_others_can_plan(game: Game) -> None:
    tile = spaces_ahead(game)[3]
    with pytest.raises(NotSeated):
        plan(game, place(tile), user=person("Noor"))
    with pytest.raises(Conflict, match="your turn now"):
        plan(game, place(tile), user=mover(game))
    with pytest.raises(Conflict, match="moved on"):
        plans.change(game.key, waiting(game), [place(tile)], 2, False)
    solo = solo_of(waiting(game))
    with pytest.raises(Conflict, match="with others"):
        plan(solo, place(tile), user=waiting(game))
    play(game.key, waiting(game), Resign(-1), 1, uuid.uuid4())
    with pytest.raises(Conflict, match="running"):
        plan(game, place(tile), user=User.objects.first())
    assert not Plan.objects.exists()


def test_a_player_who_has_left_cannot_plan() -> None:
    people = [person(name) for name in ("Ines", "Tobias", "Noor")]
    game = game_of(*people)
    leaver = next(user for user in people if user != mover(game))
    play(game.key, leaver, Resign(-1), 1, uuid.uuid4())
    with pytest.raises(Conflict, match="have left the game"):
        plan(game, place(spaces_ahead(game)[3]), user=leaver)


def test_a_wish_that_can_never_be_played_is_refused(game: Game) -> None:
    position = position_of(game)
    undrawn, tiles = position.setup.deck[-1], spaces_ahead(game)
    reasons = []
    for wishes in (
        [place(undrawn)],
        [place("B9")],
        [place(tiles[0], Cell(0, 1))],
        [place(tile) for tile in tiles[:6]],
    ):
        with pytest.raises(BadPlan) as refusal:
            plan(game, *wishes)
        reasons.append(str(refusal.value.message))
    assert reasons[0] == reasons[1], "a refusal does not say what is in the draw pile"
    assert not Plan.objects.exists()


def random_wishes(position: Position, seat: int, rng: random.Random) -> list[Place | Refill]:
    """Return some wishes that the player on `seat` could have."""
    tiles = [tile.code for tile in position.wheel.spaces if tile]
    cells = list(position.displays[seat].free_cells)
    wishes = [place(tile, rng.choice(cells)) for tile in rng.sample(tiles, min(len(tiles), rng.randrange(6)))]
    if position.draw_pile and rng.random() < 0.3:
        wishes.insert(0, Refill(-1))
    return wishes[:5]


def expected_action(stored: Plan | None, known: int, position: Position) -> Place | Refill | None:
    """Return what a plan must do in a position, given how many tiles its player knew."""
    if stored is None or (position.revealed_count != known and not stored.outlasts_reveals):
        return None
    legal = list(position.legal_actions)
    return next((wish for json in stored.wishes if (wish := action_from_json(json)) in legal), None)


@settings(max_examples=EXAMPLES, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(seats=st.integers(2, 4), seed=st.integers(0, 2**32))
def test_plans_in_random_games_are_legal_foreseen_and_played_once(seats: int, seed: int) -> None:
    """Each action of a plan is the one that its player wished for, and every other plan is not played."""
    rng = random.Random(seed)
    users = [User.objects.get_or_create(username=f"P{number}")[0] for number in range(seats)]
    game = play_some(game_of(*users, beginner=seats > 2), rng.randrange(30), rng)
    log, last_number = secret_log(game), game.version + 12
    known: dict[int, int] = {}  # how many tiles each planner knew
    while not log.position.over and len(log.steps) < last_number:
        position, version = log.position, len(log.steps)
        mover_now = position.to_move
        for seat in set(position.in_play) - {mover_now}:
            if rng.random() < 0.5:
                wishes = random_wishes(position, seat, rng)
                number = rng.randint(max(1, version - 3), version + 1)
                plans.change(game.key, users[seat], wishes, number, rng.random() < 0.3)
                known[seat] = log.at(number - 1).revealed_count
        stored = {plan.user_id: plan for plan in Plan.objects.filter(game=game)}
        action = Resign(-1) if rng.random() < 0.02 else rng.choice(list(position.legal_actions))
        play(game.key, users[mover_now], action, version + 1, uuid.uuid4())

        log = secret_log(game)
        stored.pop(users[mover_now].pk, None)
        for number, step in enumerate(log.steps[version + 1 :], version + 1):
            assert step.seat != log.at(number - 1).to_move, "only a new turn plays a plan"
            used = stored.pop(users[step.seat].pk)
            assert step.action == expected_action(used, known[step.seat], log.at(number))
        last, turn_before = log.position, log.at(len(log.steps) - 1).to_move
        if not last.over and last.to_move != turn_before:
            unused = stored.get(users[last.to_move].pk)
            assert expected_action(unused, known.get(last.to_move, 0), last) is None
        left = {plan.user_id for plan in Plan.objects.filter(game=game)}
        assert left == (set() if last.over else stored.keys())
    assert rebuild(fresh(game), check_only=True) == []
