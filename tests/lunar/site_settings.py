"""The settings of a site that offers LUNAR too, with its static files, for the processes that tests start."""

from novaluna_site import settings

globals().update({name: value for name, value in vars(settings).items() if name.isupper()})

INSTALLED_APPS = [*dict.fromkeys([*settings.INSTALLED_APPS, "games.lunar"])]
STATIC_ROOT = settings.DATA_DIR / "static-lunar"
