"""Removal of the stored pictures of games.

Django removes an expired file only when it is read again, and nobody reads a picture of an earlier version
or with an earlier name.
"""

import time
from contextlib import suppress
from datetime import timedelta
from pathlib import Path

from django.conf import settings
from django.core.cache.backends.filebased import FileBasedCache

KEPT = timedelta(seconds=settings.CACHES["previews"]["TIMEOUT"])


def remove_pictures() -> None:
    """Remove pictures whose time is over, as far as the disk can be written."""
    folder = Path(settings.CACHES["previews"]["LOCATION"])
    ended = time.time() - KEPT.total_seconds()
    for file in folder.glob(f"*{FileBasedCache.cache_suffix}"):
        # A page may remove it meanwhile.
        with suppress(OSError):
            if file.stat().st_mtime < ended:
                file.unlink()
