"""The Celery application: bots on a queue of their own, everything else on the default one."""

import os

from celery import Celery

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "novaluna_site.settings")

app = Celery("novaluna")
app.config_from_object("django.conf:settings", namespace="CELERY")
app.autodiscover_tasks()
