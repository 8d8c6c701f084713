"""What a web process does before its first request."""

import gc
from importlib import import_module

from django.conf import settings


def load_site() -> None:
    """Load all pages now, keep what is loaded out of garbage collections, and note that the pages are up.

    Nothing of it is ever garbage. Without this, the collector looks through it every few hundred requests,
    and all requests of the process wait for a sixth of a second.
    """
    import_module(settings.ROOT_URLCONF)
    gc.collect()
    gc.freeze()
    if settings.SERVES_PAGES:
        # Only now, because models need the settings.
        from games.models import SitePart
        from novaluna_site import parts

        parts.keep_renewed(SitePart.Name.WEB)
