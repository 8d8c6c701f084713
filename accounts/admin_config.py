"""The app of the admin. It loads before the models, so it is apart from this site's class of the admin."""

from django.contrib.admin.apps import AdminConfig


class SiteAdminConfig(AdminConfig):
    """Django's admin, which only staff with a second factor reach."""

    default_site = "accounts.admin_site.Site"
