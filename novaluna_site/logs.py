"""What the site writes to its log."""

import logging
from http import HTTPStatus


class ShortRefusals(logging.Filter):
    """Drops the traceback of a request that was refused with a 4xx status.

    Anybody can send such requests, so each takes only one line of the log.
    """

    def filter(self, record: logging.LogRecord) -> bool:
        status: int = getattr(record, "status_code", HTTPStatus.INTERNAL_SERVER_ERROR)
        if status < HTTPStatus.INTERNAL_SERVER_ERROR:
            record.exc_info = None
        return True
