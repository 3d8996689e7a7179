"""What a crawl could not take: each case a line, none in silence."""

import json
from collections import Counter
from typing import Final

from hopsight.errors import HopsightError

_DETAIL: Final = 300


class Rejected:
    """The cases of one crawl, told in an order that does not depend on the order they came in."""

    def __init__(self) -> None:
        self._rows: set[tuple[str, str, str]] = set()

    def add(self, reason: str, subject: str, detail: str = "") -> None:
        """`reason` is a short constant, `subject` the title of a page or file."""
        self._rows.add((reason, subject, detail[:_DETAIL]))

    def add_error(self, reason: str, subject: str, error: HopsightError) -> None:
        """A case that an error tells of."""
        self.add(reason, subject, error.cause)

    def counts(self) -> dict[str, int]:
        """How many cases there are of each reason."""
        return dict(sorted(Counter(reason for reason, _, _ in self._rows).items()))

    def lines(self) -> bytes:
        """JSON lines with `reason`, `subject` and `detail`."""
        keys = ("reason", "subject", "detail")
        rows = (dict(zip(keys, row, strict=True)) for row in sorted(self._rows))
        return "".join(json.dumps(row) + "\n" for row in rows).encode()
