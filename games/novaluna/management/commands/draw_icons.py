"""Draws the icons that must be PNG files, and the picture of the site. Run it if a shape changed.

Other sites show the picture for links to this one, and pages show a band of it.
"""

from io import BytesIO
from pathlib import Path
from typing import Any

import resvg_py
from django.core.management.base import BaseCommand
from PIL import Image

from games.novaluna.board.drawing.preview import site_picture

FOLDER = Path(__file__).parents[3] / "static/games/icons"
# `favicon.svg` has round corners. `app.svg` fills its square, because systems cut it to their own shape.
ICONS = (
    ("favicon.svg", "app-192.png", 192),
    ("favicon.svg", "app-512.png", 512),
    ("app.svg", "app-maskable-512.png", 512),
    ("app.svg", "app-180.png", 180),
)
BAND = (0, 115, 1200, 515)  # left, top, right and bottom of the part of the picture that pages show


class Command(BaseCommand):
    help = "Draw the icons that must be PNG files, and the picture of the site."

    def handle(self, *args: Any, **options: Any) -> None:
        """Write each PNG file beside the SVG file from which it is drawn, and the pictures of the site."""
        for shape, name, size in ICONS:
            drawn = resvg_py.svg_to_bytes(svg_path=str(FOLDER / shape), width=size, skip_system_fonts=True)
            (FOLDER / name).write_bytes(drawn)
        link = site_picture()
        (FOLDER / "link.png").write_bytes(link)
        band = Image.open(BytesIO(link)).convert("RGB").crop(BAND)
        band.resize((1020, 340)).save(FOLDER / "band.webp", quality=82, method=6)
