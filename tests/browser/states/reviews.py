"""Reviews: offered, under way, and of every kind of game."""

from dataclasses import replace
from datetime import timedelta

from django.urls import reverse
from django.utils import timezone
from playwright.sync_api import Page, expect

from games.log.replay import public_log
from games.models import Game, Review
from games.novaluna.board.try_line import write_line
from games.novaluna.engine import Place, action_from_json
from games.services import reviews
from tests import play
from tests.browser.states.catalogue import Visit, minor_state, state
from tests.browser.states.making import people, play_well, resign, solo_game, start_game


def visit_review(game: Game, viewer: str = "Ines") -> Visit:
    return Visit(reverse("games:review", args=[game.key]), people(viewer)[0])


def finished_game_of_two() -> Game:
    return play_well(start_game("Ines", "Tobias", seed=5), "easy", "medium")


@minor_state
def review_offered() -> Visit:
    return visit_review(finished_game_of_two())


@minor_state
def review_for_people_who_are_logged_in() -> Visit:
    return Visit(reverse("games:review", args=[finished_game_of_two().key]))


@minor_state
def review_being_made() -> Visit:
    game = finished_game_of_two()
    play.review_of(game, 17)
    return visit_review(game)


@minor_state
def review_late() -> Visit:
    visit = review_being_made()
    Review.objects.update(judged_at=timezone.now() - timedelta(minutes=2))
    return visit


@state
def review_of_two() -> Visit:
    game = finished_game_of_two()
    play.review_of(game, samples=60)
    return visit_review(game)


def focus_a_point(page: Page) -> None:
    point = page.locator(".point:visible").nth(12)
    point.focus()
    expect(point).to_be_focused()
    expect(point.locator(".point__about")).to_have_css("clip-path", "none")


@minor_state
def review_with_a_point_in_focus() -> Visit:
    return replace(review_of_two(), after=focus_a_point)


def reviewed_board(judged: dict[str, object]) -> Visit:
    """Return the board after the first mistake of a game, with some of its judgement changed."""
    game = finished_game_of_two()
    review = play.review_of(game)
    number, turn = next(
        (number, turn)
        for number, turn in enumerate(review.turns, 1)
        if turn["lost"] and turn["best"]["do"] == "place"
    )
    turn |= {"lost": 0.2, "best": {**turn["best"], **judged}}
    review.save()
    return Visit(f"{game.get_absolute_url()}?at={number}&review=point", people("Ines")[0])


@state
def reviewed_board_with_the_better_tile() -> Visit:
    return reviewed_board({})


@minor_state
def better_line() -> Visit:
    visit = reviewed_board({})
    game = Game.objects.get()
    number = int(visit.path.partition("at=")[2].partition("&")[0])
    log = public_log(game, seat=None)
    best = Review.objects.get().turns[number - 1]["best"]
    first = log.at(number - 1).apply(action_from_json(best)).position
    follows = next(action for action in first.legal_actions if isinstance(action, Place))
    line = write_line([action_from_json(best), follows])
    address = reverse("games:try_line", args=[game.key, number - 1, line])
    return replace(visit, path=f"{address}?whole={line}&review=key")


def open_how_luck_is_counted(page: Page) -> None:
    page.locator(".luck__how summary").click()
    expect(page.locator(".luck__how p").last).to_be_visible()


@minor_state
def review_how_luck_is_counted() -> Visit:
    game = finished_game_of_two()
    play.review_of(game)
    return replace(visit_review(game), after=open_how_luck_is_counted)


@minor_state
def review_without_luck() -> Visit:
    """A review of an earlier version of the site."""
    game = finished_game_of_two()
    play.review_of(game)
    turns = [{name: turn[name] for name in reviews.UNJUDGED} for turn in Review.objects.get().turns]
    Review.objects.update(turns=turns)
    return visit_review(game)


@minor_state
def review_seen_by_others() -> Visit:
    game = finished_game_of_two()
    play.review_of(game)
    return visit_review(game, "Mina")


@minor_state
def review_of_long_names() -> Visit:
    game = play_well(start_game("M" * 30, "Tobias", seed=5), "easy", "medium")
    play.review_of(game)
    return visit_review(game, "Mina")


@minor_state
def review_of_four() -> Visit:
    game = start_game("Ines", "Tobias", "Mina", "Halley", seed=6)
    game = play_well(game, "medium", "easy", "medium", "easy")
    play.review_of(game)
    return visit_review(game)


@minor_state
def review_solo() -> Visit:
    game = play_well(solo_game(), "easy")
    play.review_of(game)
    return visit_review(game)


@minor_state
def review_well_played() -> Visit:
    game = play_well(solo_game(), "hard")
    play.review_of(game)
    Review.objects.update(turns=[{**turn, "lost": 0} for turn in Review.objects.get().turns])
    return visit_review(game)


@minor_state
def review_without_a_choice() -> Visit:
    game = start_game("Ines", "Tobias")
    resign(game, people("Tobias")[0])
    game = play.fresh(game)
    play.review_of(game)
    return visit_review(game)
