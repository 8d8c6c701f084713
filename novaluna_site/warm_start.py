"""What a web process does before its first request."""

import gc
from importlib import import_module

from django.conf import settings

# Of the collections of younger objects, one in so many is followed by one of all that is open or kept. With
# 500 open pages, that takes 150 ms, and everybody waits for it.
YOUNGER_COLLECTIONS = 1_000


def load_site() -> None:
    """Load all pages now, keep what is loaded out of garbage collections, and note that the pages are up.

    Nothing of it is ever garbage. Without this, the collector looks through it every few hundred requests,
    and all requests of the process wait for a sixth of a second.
    """
    import_module(settings.ROOT_URLCONF)
    gc.collect()
    gc.freeze()
    gc.set_threshold(*gc.get_threshold()[:2], YOUNGER_COLLECTIONS)
    if settings.SERVES_PAGES:
        # Only now, because models need the settings.
        from games.models import SitePart
        from novaluna_site import parts

        parts.keep_renewed(SitePart.Name.WEB)
