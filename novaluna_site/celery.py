"""The Celery application: bots on a queue of their own, everything else on the default one."""

import os

from celery import Celery
from celery.signals import worker_init

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "novaluna_site.settings")

app = Celery("novaluna")
app.config_from_object("django.conf:settings", namespace="CELERY")
app.autodiscover_tasks()


@worker_init.connect
def warm_up_bots(**_: object) -> None:
    """Load the bots' search, in a worker on their queue, before its first turn and before its pool forks.

    The pool's processes share its memory then; no other process of the site has any of it.
    """
    if "bots" in app.amqp.queues.consume_from:
        from games.bots import warm_up

        warm_up()
