"""The app of the site itself."""

from django.apps import AppConfig
from django.conf import settings
from django.core.exceptions import ImproperlyConfigured


class NovaLunaSiteConfig(AppConfig):
    name = "novaluna_site"

    def ready(self) -> None:
        """Start the reports that the settings ask for. Their packages are needed only then."""
        try:
            if settings.SENTRY_DSN:
                from novaluna_site.reports import errors

                errors.start(settings.SENTRY_DSN)
            if settings.TRACES_TO:
                from novaluna_site.reports import traces

                traces.start()
        except ImportError as missing:
            raise ImproperlyConfigured(f"{missing}. Run `make install-reports`.") from missing
