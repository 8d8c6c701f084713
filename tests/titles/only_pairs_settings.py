"""The settings of a site that offers Pairs only."""

from novaluna_site import settings

globals().update({name: value for name, value in vars(settings).items() if name.isupper()})

WINGS = "games."
INSTALLED_APPS = [app for app in settings.INSTALLED_APPS if not app.startswith(WINGS)]
INSTALLED_APPS.append("tests.titles.pairs")
