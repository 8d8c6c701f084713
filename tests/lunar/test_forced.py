"""In LUNAR the house plays a card that is the only legal one, so nobody waits for it or gets a mail."""

from random import Random

import pytest

from games.lunar.engine import Play
from games.lunar.words import the_card
from games.models import Action, Game, Kind, Notification
from games.queries.viewing import view_game
from games.services import play as playing
from games.shown.history import describe_news
from games.titles.registry import title_named
from tests.lunar.games import NAMES, lunar_game, position_of, user_of
from tests.play import fresh

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("dealt")]


def play_round(game: Game) -> None:
    """Play actions at random until the next round begins; no seat ever waits with a single choice."""
    rng = Random(3)
    while position_of(game).round == 1:
        position = position_of(game)
        seat = min(position.awaited)
        action = rng.choice(list(position.legal(seat)))
        playing.play_for_bot(game.pk, action, fresh(game).version + 1)
        after = position_of(game)
        assert not any(after.forced(seat) for seat in after.awaited)


@pytest.mark.parametrize(("seats", "forced"), [(2, 2), (4, 4)])
def test_a_round_ends_by_itself_when_nobody_has_a_choice(seats: int, forced: int) -> None:
    """In a game for two, each still chooses whether the last card of the hand or of the sky is first."""
    game = lunar_game(seats)
    play_round(game)
    log = list(Action.objects.filter(game=game).order_by("number"))
    assert sum(action.payload["do"] == "play" for action in log) == 48
    ended = fresh(game).version
    owed = Notification.objects.filter(game=game, kind=Kind.TURN, channel="mail")
    # The last mails are about the next round, in which seats have a choice again.
    awaited = {NAMES[seat] for seat in position_of(game).awaited}
    assert {row.user.username for row in owed.filter(version=ended)} == awaited
    assert not owed.filter(version__gt=ended - forced, version__lt=ended).exists()


def test_the_page_and_the_mail_say_which_cards_the_house_has_played() -> None:
    game = lunar_game(4)
    play_round(game)
    user = user_of(game, 2)
    view = view_game(game, user)
    forced = [number for number in range(view.last_decision + 1, view.version) if view.was_forced(number)]
    assert forced
    pages = title_named("lunar").pages
    board = pages.board(view, {})
    news = describe_news(view, pages.describe_step, has_hands=True)
    for number in forced:
        said = f"Played for you: {the_card(view.steps[number - 1].action.card)}, the only card possible"
        assert said in board.latest
        assert any(text.startswith(said) for text in news)
    explained = {entry.number for entry in board.history.new if entry.text.startswith("Played for you")}
    assert explained == {*forced}, "nobody else's card was played for the viewer"
    game.seats.filter(number=2).update(planned_number=forced[0])
    planned = view_game(fresh(game), user)
    assert not planned.was_forced(forced[0]), "the plan played it"
    user.plays_forced = False
    assert "Played for you" not in title_named("lunar").pages.board(view_game(game, user), {}).latest


def test_a_player_who_wants_to_decide_plays_an_only_card() -> None:
    game = lunar_game(4)
    user = game.seats.get(number=2).user
    user.plays_forced = False
    user.save(update_fields=["plays_forced"])
    rng, waited = Random(3), 0
    while position_of(game).round == 1:
        position = position_of(game)
        seat = min(position.awaited)
        forced = position.forced(seat)
        assert forced is None or (seat == 2 and isinstance(forced, Play))
        waited += forced is not None
        playing.play_for_bot(game.pk, rng.choice(list(position.legal(seat))), fresh(game).version + 1)
    assert waited
