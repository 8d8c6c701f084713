#!/usr/bin/env python
"""Django's command line for this project."""

import os
import sys
from pathlib import Path


def main() -> None:
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "novaluna_site.settings")
    try:
        from django.core.exceptions import ImproperlyConfigured
        from django.core.management import execute_from_command_line
    except ImportError as missing:
        # `make install-production` makes it. An upgrade of the system can bring another version of Python.
        is_deployed = (Path(sys.prefix) / "production").exists()
        do = "deploy/update --apply as root" if is_deployed else "`make install`, then use .venv/bin/python"
        raise SystemExit(f"Django is not installed for this Python. Run {do}.") from missing
    try:
        execute_from_command_line(sys.argv)
    except ImproperlyConfigured as error:
        # The settings say in a sentence what is wrong; its traceback would hide that.
        raise SystemExit(str(error)) from error


if __name__ == "__main__":
    main()
