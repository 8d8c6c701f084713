#!/usr/bin/env python
"""Django's command line for this project."""

import os
import sys


def main() -> None:
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "novaluna_site.settings")
    try:
        from django.core.exceptions import ImproperlyConfigured
        from django.core.management import execute_from_command_line
    except ImportError as missing:
        raise SystemExit(
            "Django is not installed. Run `make install`, then use .venv/bin/python."
        ) from missing
    try:
        execute_from_command_line(sys.argv)
    except ImproperlyConfigured as error:
        # The settings say in a sentence what is wrong; its traceback would hide that.
        raise SystemExit(str(error)) from error


if __name__ == "__main__":
    main()
