"""The settings of a site that offers Pairs too, for the processes that tests start."""

from novaluna_site import settings

globals().update({name: value for name, value in vars(settings).items() if name.isupper()})

INSTALLED_APPS = [*settings.INSTALLED_APPS, "tests.titles.pairs"]
