"""No page and no message about a game of LUNAR depends on cards that its reader may not know.

The walk visits the pages of a game as each seat and as a spectator. Then it deals other cards wherever the
viewer may not know them, lets the others have passed other cards, and visits all again.
"""

from itertools import product
from random import Random
from unittest import mock

import pytest
from django.core.cache import caches
from django.db.models import Max
from django.test import Client

from accounts.models import User
from games.log.deals import setup_of
from games.log.replay import secret_log
from games.lunar.engine import Flip, Pass, Play, Position, SeedDealer, Stage, Stars, action_to_json
from games.lunar.engine.records import write_deck
from games.lunar.notation.plan_lines import plannable
from games.models import Action, Channel, Deal, Game, Kind, Notification, Plan, Seat
from games.notifications.delivery import write_message
from games.services import plans
from games.services import play as playing
from tests.clients import client_of
from tests.lunar.games import NAMES, lunar_game, position_of, user_of
from tests.lunar.redeals import deal_of
from tests.play import fresh, person, play_all
from tests.site.addresses import ADDRESSES, normalise

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("dealt", "stopped_clock")]

VIEWERS = dict(enumerate(NAMES)) | {None: "spectator"}
# During the passes, when a partner's cards have just come, in a trick, after cards that were the only ones,
# and in the passes of a second round.
MOMENTS = {"passing": 2, "trump": 5, "trick": 21, "forced": 50, "second round": 57}
# A seat at each moment, and once a spectator, who knows no more than any seat. `make test-all` walks as all.
WALKS = {("passing", 3), ("trump", 0), ("trick", 1), ("forced", 1), ("second round", 2), ("trick", None)}
# What asks for a card or a tile, held or not, where the walk over Nova Luna asks for tiles.
ASKED = [
    f"/g/KEY/{part}?{asked}" for part in ("", "text/") for asked in ("card=7", "cards=1+3+W+O", "suit=B")
]
OF_NOVA_LUNA = ("tile=", "TILE", "refill")
# Of messages about a running game; those about seats, nudges, votes and caretakers name only people.
KINDS = (Kind.TURN, Kind.STARTED, Kind.REMINDER)


def game_at(actions: int, seats: int = 4) -> Game:
    """Return a game after so many random actions; the house has played those without a choice."""
    game, rng = lunar_game(seats, pace="day"), Random(5)
    person("Halley")
    position, played = position_of(game), []
    while len(played) < actions:
        played.append(rng.choice(list(position.legal(min(position.awaited)))))
        position = position.apply(played[-1]).position
    with mock.patch.object(playing, "MOST_IN_A_ROW", 0):
        play_all(game, played)
    plan_all(game)
    return fresh(game)


def last_wishes(game: Game) -> dict[int, Flip | Play]:
    """Return the last card or tile that each waiting seat can plan, if any."""
    position = position_of(game)
    possible = {seat: plannable(position, seat) for seat in range(position.seats)}
    return {seat: wishes[-1] for seat, wishes in possible.items() if wishes and seat not in position.awaited}


def plan_all(game: Game) -> None:
    """Let all who wait plan, and note for each seat that a plan was played, or gave way to the only card."""
    for seat, wish in last_wishes(game).items():
        plans.change(game.key, user_of(game, seat), [wish], game.version + 1, outlasts_reveals=True)
    for seat in game.seats.all():
        number = Action.objects.filter(game=game, seat=seat.number).aggregate(newest=Max("number"))["newest"]
        note = ("planned_number", "unplanned_number")[seat.number % 2]
        Seat.objects.filter(pk=seat.pk).update(**{note: number})


def change_plans(game: Game, viewer: int | None) -> None:
    """Replace the plans of others by what they can plan now, and drop what is noted of their plans."""
    others = game.seats.exclude(number=viewer)
    others.update(planned_number=None, unplanned_number=None)
    wishes = last_wishes(game)
    for seat in others.filter(number__in=wishes):
        plan = Plan.objects.filter(game=game, user=seat.user)
        plan.update(wishes=[action_to_json(wishes[seat.number])], outlasts_reveals=False)


def redeal(game: Game, viewer: int | None, rng: Random) -> None:
    """Replace all that a viewer may not know by a guess; a spectator knows no more than any seat."""
    seat = rng.randrange(game.seat_count) if viewer is None else viewer
    log, setup = secret_log(game), setup_of(game)
    position = log.position
    assert isinstance(position, Position)
    guess = position.guess(seat, rng)
    dealer = SeedDealer(bytes.fromhex(setup.dealt["seed"]), Stars(setup.options["stars"]))
    deals = [dealer.deal(number) for number in range(1, position.round + 1)]
    later = [guess.dealer.deal(number) for number in range(position.round + 1, 30)] if guess.dealer else []
    all_deals = [*deals[:-1], deal_of(guess, deals[-1]), *later]
    dealt = {"leads": setup.dealt["leads"], "deals": [write_deck(deck) for deck in all_deals]}
    Deal.objects.filter(pk=game.deal_id).update(dealt=dealt, salt="5ecre7" * 10)
    first = len(log.steps) - sum(step.position.round == position.round for step in log.steps)
    for number, step in enumerate(log.steps[first:], first + 1):
        if isinstance(step.action, Pass):
            cards = guess.passes[step.action.seat]
            assert cards is not None
            payload = action_to_json(Pass(step.action.seat, cards))
            Action.objects.filter(game=game, number=number).update(payload=payload)
    change_plans(game, viewer)
    caches["previews"].clear()


def answers_to(game: Game, viewer: int | None) -> dict[str, object]:
    """Return what each page of the game, and each message about it, shows a viewer."""
    user = User.objects.get(username="Halley") if viewer is None else user_of(game, viewer)
    client: Client = client_of(user)
    listed = [address for some in ADDRESSES.values() for address in some if "/g/KEY/" in address]
    general = [one for one in listed if not any(part in one for part in OF_NOVA_LUNA)]
    past = [f"/g/KEY/{('', 'text/')[n % 2]}?at={n}" for n in range(0, game.version, 5)]
    answers: dict[str, object] = {}
    for address in ("/", "/watch/", *general, *ASKED, *past):
        answer = client.get(address.replace("KEY", game.key))
        answers[address] = answer.status_code, normalise(answer.content)
    for kind in KINDS if viewer is not None else ():
        for channel in Channel:
            row = Notification(
                pk=1,
                game=game,
                user=user,
                kind=kind,
                channel=channel,
                version=game.version,
                created_at=game.started_at,
                due_at=game.started_at,
            )
            answers[f"{kind} {channel}"] = repr(write_message([row]))
    return answers


def different(before: dict[str, object], after: dict[str, object]) -> list[str]:
    assert before.keys() == after.keys()
    return [name for name in before if before[name] != after[name]]


@pytest.mark.slow
@pytest.mark.parametrize(
    ("moment", "viewer"),
    [
        pytest.param(
            *walk, id=f"{walk[0]}-{VIEWERS[walk[1]]}", marks=() if walk in WALKS else pytest.mark.whole
        )
        for walk in product(MOMENTS, VIEWERS)
    ],
)
def test_no_page_of_a_game_of_four_depends_on_hidden_cards(moment: str, viewer: int | None) -> None:
    game = game_at(MOMENTS[moment])
    assert (position_of(game).stage is Stage.PASSING) == (moment in ("passing", "second round"))
    assert position_of(game).round == 1 + (moment == "second round")
    assert Plan.objects.filter(game=game).exists()
    before = answers_to(game, viewer)
    redeal(game, viewer, Random(1))
    assert different(before, answers_to(fresh(game), viewer)) == []


@pytest.mark.slow
@pytest.mark.parametrize(
    ("actions", "round_number", "viewer"),
    [
        pytest.param(20, 1, 0, id="first round-Ines", marks=pytest.mark.whole),
        pytest.param(20, 1, 1, id="first round-Tobias"),
        pytest.param(20, 1, None, id="first round-spectator", marks=pytest.mark.whole),
        pytest.param(66, 2, 0, id="second round-Ines"),
        pytest.param(66, 2, 1, id="second round-Tobias", marks=pytest.mark.whole),
        pytest.param(66, 2, None, id="second round-spectator", marks=pytest.mark.whole),
    ],
)
def test_no_page_of_a_game_of_two_depends_on_hidden_cards(
    actions: int, round_number: int, viewer: int | None
) -> None:
    game = game_at(actions, seats=2)
    position = position_of(game)
    assert (position.round, position.stage) == (round_number, Stage.PLAY)
    before = answers_to(game, viewer)
    redeal(game, viewer, Random(1))
    assert different(before, answers_to(fresh(game), viewer)) == []


@pytest.mark.parametrize(
    ("actions", "seats", "past"),
    [(MOMENTS["trick"], 4, ("?at=10", "text/?at=5")), (66, 2, ("?at=60", "text/?at=65"))],
)
def test_the_walk_reaches_the_hand_of_its_viewer(actions: int, seats: int, past: tuple[str, ...]) -> None:
    game = game_at(actions, seats)
    [viewer] = position_of(game).awaited
    before = answers_to(game, viewer)
    redeal(game, (viewer + 1) % seats, Random(1))
    changed = different(before, answers_to(fresh(game), viewer))
    assert {
        "/g/KEY/",
        "/g/KEY/text/",
        *(f"/g/KEY/{one}" for one in past),
        *ASKED[:1],
        f"{Kind.TURN} {Channel.MAIL}",
    } <= {*changed}
