"""A worker keeps its connection to the database from task to task, and replaces a broken one."""

from types import SimpleNamespace

import pytest
from celery.app.task import Context
from celery.fixups.django import DjangoWorkerFixup
from celery.signals import task_postrun, task_prerun
from django.db import connection

from games.models import Game
from novaluna_site.celery import app

pytestmark = [
    pytest.mark.django_db(transaction=True),
    pytest.mark.skipif(connection.vendor != "postgresql", reason="SQLite has no connections that break"),
]


def run_task() -> None:
    """Run a task that reads, with what Celery does before and after it in a worker."""
    task, celery = SimpleNamespace(request=Context(is_eager=False)), DjangoWorkerFixup(app)
    celery.on_task_prerun(task)
    task_prerun.send(sender=run_task, task=task)
    Game.objects.exists()
    task_postrun.send(sender=run_task, task=task)
    celery.on_task_postrun(task)


def test_a_worker_keeps_its_connection_unless_it_breaks() -> None:
    run_task()
    kept = connection.connection
    assert kept is not None
    run_task()
    assert connection.connection is kept
    kept.close()
    run_task()
    assert connection.connection not in (None, kept)
