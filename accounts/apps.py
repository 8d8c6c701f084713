from django.apps import AppConfig
from django.utils.translation import gettext_lazy as _


class AccountsConfig(AppConfig):
    name = "accounts"
    verbose_name = _("Accounts")

    def ready(self) -> None:
        """Register the checks, and what listens to allauth and to deletions."""
        from accounts import barred_addresses, security_log  # noqa: F401 - importing registers their receivers
        from accounts.outside import vapid  # noqa: F401 - importing registers its checks
