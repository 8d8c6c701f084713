"""The ASGI application."""

import os

from django.core.asgi import get_asgi_application

from novaluna_site.charsets import Utf8ASGIRequest

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "novaluna_site.settings")

application = get_asgi_application()
application.request_class = Utf8ASGIRequest
