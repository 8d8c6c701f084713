"""Registers LUNAR as a title of the site."""

from django.apps import AppConfig
from django.utils.translation import gettext_lazy as _


class LunarConfig(AppConfig):
    """The wing of LUNAR, an app without models."""

    name = "games.lunar"
    label = "lunar"
    verbose_name = _("LUNAR")

    def ready(self) -> None:
        """Register the title."""
        from games.lunar.rules import LunarRules
        from games.lunar.words import LunarWords
        from games.shown.plain.pages import PlainPages
        from games.titles.registry import Title, register

        rules = LunarRules()
        register(Title("lunar", rules, PlainPages(rules, LunarWords())))
