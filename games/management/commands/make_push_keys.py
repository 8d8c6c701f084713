"""Makes the key with which the site signs push messages."""

from typing import Any

from cryptography.hazmat.primitives.asymmetric import ec
from django.core.management.base import BaseCommand
from py_vapid.utils import b64urlencode


class Command(BaseCommand):
    help = (
        "Print a new key for push messages, as a line for the site's settings. Keep the key that you have: "
        "with another one, a browser gets nothing until its user opens the site in it again."
    )

    def handle(self, *args: Any, **options: Any) -> None:
        number = ec.generate_private_key(ec.SECP256R1()).private_numbers().private_value
        self.stdout.write(f"NOVALUNA_PUSH_KEY={b64urlencode(number.to_bytes(32, 'big'))}")
