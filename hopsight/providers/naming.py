"""Names of uploaded pictures: random, so that they tell nothing and never meet twice."""

import secrets
from typing import Final

_BYTES: Final = 20
_SUFFIXES: Final = {"image/png": "png", "image/jpeg": "jpg", "image/webp": "webp"}


def random_name(mime: str) -> str:
    """40 random hex digits and the suffix of the type. It never reaches a record."""
    return f"{secrets.token_hex(_BYTES)}.{_SUFFIXES.get(mime, 'bin')}"
