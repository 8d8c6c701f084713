"""The Redis of the test run, replaced by another one for a test."""

from celery import current_app
from kombu import pools

from games import live


def use_broker(url: str) -> str:
    """Send tasks and live updates of this process to a server, and return the one before it."""
    before: str = current_app.conf.broker_url
    live._publisher.cache_clear()
    current_app.conf.broker_url = current_app.conf.broker_write_url = url
    pools.reset()
    current_app._pool = None
    current_app.amqp._producer_pool = None
    return before
