"""What the page says once an action was taken back."""

from dataclasses import replace
from random import Random

import pytest

from games.lunar.board.events import describe_latest, last_trick_of
from games.lunar.board.received import received_of
from games.lunar.board.title_words import LunarWords
from games.lunar.engine import Position, Stage, Step
from games.lunar.pages import LunarPages
from games.lunar.rules import LunarRules
from games.titles.actions import TakeBack
from tests.lunar.board.views import view_of

pages = LunarPages(LunarRules(), LunarWords())


def is_between_tricks(position: Position) -> bool:
    return len(position.tricks) == 3 and not position.trick


@pytest.mark.parametrize("seats", [2, 4])
def test_a_trick_that_was_taken_back_is_not_the_last_one(seats: int) -> None:
    played = view_of(None, seats, is_between_tricks)
    before = replace(played, steps=played.steps[:-1])
    back = TakeBack(played.steps[-1].seat, before.version)
    after = replace(played, steps=(*played.steps, Step(back, back.seat, before.newest, ())))
    assert last_trick_of(played) != last_trick_of(before)
    assert last_trick_of(after) == last_trick_of(before)
    assert pages.board(after, {}).felt.last_trick == pages.board(before, {}).felt.last_trick
    assert describe_latest(after).endswith(f"took back action {played.version}: “{describe_latest(played)}”")
    again = replace(after, at=played.version)
    assert last_trick_of(again) == last_trick_of(played), "looking back at the trick"


def test_cards_from_the_partner_are_marked_again_after_a_take_back() -> None:
    viewer = next(iter(view_of(None, 4, lambda position: position.stage is Stage.TRUMP).newest.awaited))
    before = view_of(viewer, 4, lambda position: position.stage is Stage.TRUMP)
    flip = Random(1).choice(list(before.newest.legal(viewer)))
    played = replace(before, steps=(*before.steps, before.newest.apply(flip)))
    assert received_of(before) is not None
    assert received_of(played) is None
    back = Step(TakeBack(viewer, before.version), viewer, before.newest, ())
    assert received_of(replace(played, steps=(*played.steps, back))) == received_of(before)
