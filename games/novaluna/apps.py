"""Registers Nova Luna as a title of the site."""

from django.apps import AppConfig
from django.utils.translation import gettext_lazy as _


class NovaLunaConfig(AppConfig):
    """The wing of Nova Luna, an app without models."""

    name = "games.novaluna"
    label = "novaluna"
    verbose_name = _("Nova Luna")

    def ready(self) -> None:
        """Register the title."""
        from games.novaluna.pages import NovaLunaPages
        from games.novaluna.rules import NovaLunaRules
        from games.novaluna.title_bots import NovaLunaBots
        from games.titles.registry import Title, register
        from games.titles.talents import Talent

        register(
            Title("novaluna", NovaLunaRules(), NovaLunaPages(), frozenset(Talent), NovaLunaBots()),
        )
