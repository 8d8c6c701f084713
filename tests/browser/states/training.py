"""The trainer: its turns, a turn to answer, an answer that waits, and judged answers."""

import uuid
from dataclasses import replace

from games.log.replay import public_log
from games.models import Game, TrainingPosition
from games.novaluna.engine import Place, Refill, action_from_json
from games.services import training
from tests import play
from tests.browser import ways
from tests.browser.states.catalogue import Visit, minor_state, state
from tests.browser.states.making import people, play_well, solo_game
from tests.browser.states.reviews import finished_game_of_two


def train(game: Game) -> list[TrainingPosition]:
    """Review a game, and return the positions of Ines as if the expert agreed with the review."""
    turns = play.review_of(game).turns
    found = list(TrainingPosition.objects.filter(game=game, user=people("Ines")[0]).order_by("-cost"))
    for stored in found:
        turn, log = turns[stored.number - 1], public_log(game, seat=None)
        played = play.action_to_json(log.steps[stored.number - 1].action)
        worst = turn["value"] - turn["lost"] * (-1 if game.is_solo else 1)
        stored.judgement = {
            "answers": [[turn["best"], turn["value"]], [played, worst]],
            "line": turn["line"],
        }
        stored.save()
    return found


def answer(stored: TrainingPosition, index: int | None) -> Visit:
    """Answer with the judged action of this index, or with one that the expert has not looked at."""
    answers = [action_from_json(one) for one, _worth in stored.judgement["answers"]]
    legal = training.turn_of(stored)[0].legal_actions
    action = next(one for one in legal if one not in answers) if index is None else answers[index]
    assert isinstance(action, Place | Refill)
    training.answer(stored.user, stored.pk, action, uuid.uuid4())
    return visit(stored)


def visit(stored: TrainingPosition) -> Visit:
    return Visit(f"/trainer/{stored.pk}/", stored.user)


@state
def training_turn() -> Visit:
    stored = train(finished_game_of_two())[0]
    return Visit(f"/trainer/{stored.pk}/", stored.user, after=ways.choose_tile)


@minor_state
def training_solo() -> Visit:
    return visit(train(play_well(solo_game(), "easy"))[0])


@minor_state
def training_solved() -> Visit:
    return answer(train(finished_game_of_two())[0], 0)


@minor_state
def training_wrong() -> Visit:
    return answer(train(finished_game_of_two())[0], 1)


@minor_state
def training_wrong_with_the_better_one() -> Visit:
    wrong = training_wrong()
    return replace(wrong, path=f"{wrong.path}?better=1")


@minor_state
def training_waits() -> Visit:
    return answer(train(finished_game_of_two())[0], None)


@minor_state
def trainer_today() -> Visit:
    train(finished_game_of_two())
    train(play_well(solo_game(), "easy"))
    return Visit("/trainer/", people("Ines")[0])


@minor_state
def trainer_empty() -> Visit:
    return Visit("/trainer/", people("Ines")[0])


@minor_state
def trainer_done_today() -> Visit:
    for stored in train(finished_game_of_two()):
        answer(stored, 0)
    return Visit("/trainer/", people("Ines")[0])


@minor_state
def home_with_turns_to_train() -> Visit:
    train(finished_game_of_two())
    return Visit("/", people("Ines")[0])


@minor_state
def solo_with_turns_to_train() -> Visit:
    train(finished_game_of_two())
    return Visit("/solo/", people("Ines")[0])
