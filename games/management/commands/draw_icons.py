"""Draws the icons that must be PNG files, and the preview picture for links. Run it if a shape changed."""

from pathlib import Path
from typing import Any

import resvg_py
from django.core.management.base import BaseCommand

from games.board.drawing.preview import site_picture

FOLDER = Path(__file__).parents[2] / "static/games/icons"
# `favicon.svg` has round corners. `app.svg` fills its square, because systems cut it to their own shape.
ICONS = (
    ("favicon.svg", "app-192.png", 192),
    ("favicon.svg", "app-512.png", 512),
    ("app.svg", "app-maskable-512.png", 512),
    ("app.svg", "app-180.png", 180),
)


class Command(BaseCommand):
    help = "Draw the icons that must be PNG files, and the preview picture for links."

    def handle(self, *args: Any, **options: Any) -> None:
        """Write each PNG file beside the SVG file from which it is drawn."""
        for shape, name, size in ICONS:
            drawn = resvg_py.svg_to_bytes(svg_path=str(FOLDER / shape), width=size, skip_system_fonts=True)
            (FOLDER / name).write_bytes(drawn)
        (FOLDER / "link.png").write_bytes(site_picture())
