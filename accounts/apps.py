from django.apps import AppConfig
from django.utils.translation import gettext_lazy as _


class AccountsConfig(AppConfig):
    name = "accounts"
    verbose_name = _("Accounts")

    def ready(self) -> None:
        """Register the checks, and what listens to allauth and to deletions."""
        from accounts import (  # noqa: F401 - importing registers their receivers and checks
            barred_addresses,
            security_log,
            vapid,
        )
