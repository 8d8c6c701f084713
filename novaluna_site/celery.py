"""The Celery application. Its queues are in `CELERY_TASK_ROUTES`."""

import os
import sys
from typing import Any

from celery import Celery
from celery.signals import task_postrun, task_prerun, worker_init, worker_ready
from django.db import close_old_connections

from games import search_process

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "novaluna_site.settings")

app = Celery("novaluna")
app.config_from_object("django.conf:settings", namespace="CELERY")
app.autodiscover_tasks()
# After how many tasks Celery closes connections to the database. By default it does before and after each, so
# that PostgreSQL starts a process and plans all statements for every one of them.
app.conf["CELERY_DB_REUSE_MAX"] = sys.maxsize


@task_prerun.connect
@task_postrun.connect
def close_connections(task: Any, **_: object) -> None:
    """Close connections to the database that are broken or old, as Django does around a request."""
    if not task.request.is_eager:
        close_old_connections()


@worker_init.connect
def warm_up_bots(**_: object) -> None:
    """Load the bots' search when a worker that plays bots' turns starts, so that the first turn is not slow.

    The worker does this before its pool forks, so the pool's processes share the memory. Workers of other
    queues do not load the search, nor does a site whose searches run in a process of their own.
    """
    if {"bots", "quick"} & set(app.amqp.queues.consume_from) and not search_process.is_used():
        from games.titles.registry import TITLES

        for title in TITLES.values():
            title.bots.warm_up()


@worker_ready.connect
def note_parts(**_: object) -> None:
    """Note that the parts of the site work whose queues this worker serves, and go on while it lives.

    The sweep notes itself with each run, because it also needs Celery beat.
    """
    from games.models import SitePart
    from games.services import queues
    from novaluna_site import parts

    served = app.amqp.queues.consume_from
    if "sweep" in served:
        parts.start(SitePart.Name.SWEEP)
    if names := [name for queue, name in queues.PARTS.items() if queue in served]:
        parts.keep_renewed(*names)
