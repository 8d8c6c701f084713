"""Reviews: offered, made, and of every kind of game."""

from datetime import timedelta

from django.urls import reverse
from django.utils import timezone

from games.models import Game, Review
from tests import play
from tests.browser.states.catalogue import Look, much_like_others, state
from tests.browser.states.making import people, play_well, resign, solo, started


def review(game: Game, viewer: str = "Ines") -> Look:
    return Look(reverse("games:review", args=[game.key]), people(viewer)[0])


def of_two() -> Game:
    return play_well(started("Ines", "Tobias", seed=5), "easy", "medium")


@state
def review_offered() -> Look:
    return review(of_two())


@state
def review_being_made() -> Look:
    game = of_two()
    play.review_of(game, 17)
    return review(game)


@much_like_others
def review_late() -> Look:
    look = review_being_made()
    Review.objects.update(judged_at=timezone.now() - timedelta(minutes=2))
    return look


@state
def review_of_two() -> Look:
    game = of_two()
    play.review_of(game)
    return review(game)


@much_like_others
def review_seen_by_others() -> Look:
    game = of_two()
    play.review_of(game)
    return review(game, "Mina")


@much_like_others
def review_of_long_names() -> Look:
    game = play_well(started("M" * 30, "Tobias", seed=5), "easy", "medium")
    play.review_of(game)
    return review(game, "Mina")


@much_like_others
def review_of_four() -> Look:
    game = started("Ines", "Tobias", "Mina", "Halley", seed=6)
    game = play_well(game, "medium", "easy", "medium", "easy")
    play.review_of(game)
    return review(game)


@state
def review_solo() -> Look:
    game = play_well(solo(), "easy")
    play.review_of(game)
    return review(game)


@much_like_others
def review_well_played() -> Look:
    game = play_well(solo(), "hard")
    play.review_of(game)
    Review.objects.update(turns=[{**turn, "lost": 0} for turn in Review.objects.get().turns])
    return review(game)


@much_like_others
def review_without_a_choice() -> Look:
    game = started("Ines", "Tobias")
    resign(game, people("Tobias")[0])
    game = play.fresh(game)
    play.review_of(game)
    return review(game)
