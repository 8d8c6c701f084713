"""Tasks that the version before an update has queued: its workers end, and new ones find them in Redis."""

import pytest

from novaluna_site.celery import app

GONE = 2**31 - 1  # an id without a row
# What earlier versions queue. A line goes when no version that somebody may update from queues it any more.
MESSAGES: dict[str, list[tuple[object, ...]]] = {
    "accounts.deliver": [(GONE,)],
    "games.bots.hint": [(GONE,), (GONE, True)],
    "games.bots.judge": [(GONE, 1), (GONE, 1, True)],
    "games.bots.make_export": [(GONE,)],
    "games.bots.play_chosen": [(GONE, 1, {"do": "take", "slot": 1, "at": [0, 0]})],
    "games.bots.take_quick_turn": [(GONE, 1), (GONE, 1, True)],
    "games.bots.take_turn": [(GONE, 1), (GONE, 1, True)],
    "games.bots.train": [(GONE,), (GONE, True)],
    "games.check_clocks": [()],
    "games.deliver": [(GONE,)],
    "games.deliver_outside": [(GONE,)],
    "games.end_silent_call": [(GONE,)],
    "games.finish_hand_over": [(GONE,)],
    "games.note_served": [("default",)],
    "games.prune": [()],
    "games.remind": [(GONE,)],
    "games.remove_account": [(GONE,)],
    "games.sweep": [()],
    "games.test_webhook": [(GONE,)],
    "games.time_out": [(GONE,)],
    "games.verify_changed": [(), (GONE,)],
    "games.withdraw": [(GONE,)],
}


@pytest.fixture(autouse=True)
def _tasks_as_in_a_worker() -> None:
    app.loader.import_default_modules()


@pytest.mark.django_db
@pytest.mark.parametrize(
    ("name", "arguments"), [(name, arguments) for name, each in MESSAGES.items() for arguments in each]
)
def test_a_task_of_an_earlier_version_ends_without_an_error(name: str, arguments: tuple[object, ...]) -> None:
    app.tasks[name](*arguments)


def test_all_tasks_are_listed() -> None:
    assert {name for name in app.tasks if not name.startswith("celery.")} == set(MESSAGES)
