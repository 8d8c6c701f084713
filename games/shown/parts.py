"""Parts of pages that are rendered once and kept."""

from collections.abc import Hashable

from django.template.loader import render_to_string
from django.utils.safestring import SafeString

from games.shown.kept import keep_latest

KEPT_PARTS = 8192  # most are smaller than 1 kB
KEPT_PANELS = 512  # most are smaller than 10 kB; a page has at most six


@keep_latest(KEPT_PARTS)
def include_kept(template_name: str, **values: Hashable) -> SafeString:
    """Return a template rendered with `values` alone.

    The template knows neither the request nor its viewer. So equal values are the same part for everybody,
    rendered once in a process and language.
    """
    return render_to_string(template_name, values)


@keep_latest(KEPT_PANELS)
def include_kept_panel(template_name: str, **values: Hashable) -> SafeString:
    """Return a large part of a page as `include_kept` does; a process keeps fewer of them."""
    return render_to_string(template_name, values)
