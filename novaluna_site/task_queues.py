"""The queue of each task, and the tasks that Celery beat queues regularly."""

from celery.schedules import crontab

QUEUES = ("default", "outside", "quick", "bots", "sweep")  # each with a worker of its own

ROUTES = {
    # No other task may delay the sweep, so it has a queue and a process of its own.
    "games.sweep": {"queue": "sweep"},
    "games.check_clocks": {"queue": "sweep"},
    # These need milliseconds, and never wait behind a search.
    "games.bots.take_quick_turn": {"queue": "quick"},
    "games.bots.play_chosen": {"queue": "quick"},
    "games.time_out": {"queue": "quick"},
    "games.end_silent_call": {"queue": "quick"},
    "games.finish_hand_over": {"queue": "quick"},
    "games.remind": {"queue": "quick"},
    "games.remove_account": {"queue": "quick"},
    # The servers of users may be slow or dead, and no email waits for them.
    "games.deliver_outside": {"queue": "outside"},
    "games.test_webhook": {"queue": "outside"},
    "games.withdraw": {"queue": "outside"},
    # Reviews and the trainer can wait: on Redis, bots' turns and hints have a higher priority.
    "games.bots.judge": {"queue": "bots", "priority": 9},
    "games.bots.train": {"queue": "bots", "priority": 9},
    "games.verify_changed": {"queue": "bots", "priority": 9},
    "games.bots.make_export": {"queue": "bots", "priority": 9},
    "games.bots.*": {"queue": "bots"},
}

SCHEDULE = {
    # A sweep that has waited for a whole period expires, because the next one is queued by then.
    "sweep": {"task": "games.sweep", "schedule": 5.0, "options": {"expires": 5.0}},
    "check_clocks": {"task": "games.check_clocks", "schedule": 1.0, "options": {"expires": 1.0}},
    "prune": {"task": "games.prune", "schedule": crontab(hour=4, minute=10)},
    "verify": {"task": "games.verify_changed", "schedule": crontab(hour=4, minute=40)},
    # A queue that nobody serves does not run these, and `check_notifications` reports it. In a busy queue,
    # they run late.
    **{
        f"{queue} is served": {
            "task": "games.note_served",
            "args": [queue],
            "schedule": 20.0,
            "options": {"queue": queue, "expires": 600.0},
        }
        for queue in ("default", "outside", "quick", "bots")
    },
}
