"""Template tags for parts of pages that are rendered once and kept."""

from django import template

from games.shown.parts import include_kept, include_kept_panel

register = template.Library()
register.simple_tag(include_kept)
register.simple_tag(include_kept_panel)
