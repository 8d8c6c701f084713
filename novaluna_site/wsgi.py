"""The WSGI application."""

import os

from django.core.wsgi import get_wsgi_application

from novaluna_site.charsets import Utf8WSGIRequest
from novaluna_site.warm_start import load_site

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "novaluna_site.settings")

application = get_wsgi_application()
application.request_class = Utf8WSGIRequest
load_site()
