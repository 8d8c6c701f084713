"""What a check has found."""

from dataclasses import dataclass


@dataclass(frozen=True)
class Finding:
    """What is wrong, and what to do about it, in sentences for the host of the site."""

    what: str
    do: str

    def __str__(self) -> str:
        return f"{self.what} {self.do}"
