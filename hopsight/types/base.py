"""What every record is: frozen, validated, with an id that is a hash of its content."""

import hashlib
import json
from collections.abc import Mapping
from functools import cached_property
from typing import Annotated, Any, ClassVar, Self

from pydantic import BaseModel, ConfigDict, Field
from typing_extensions import override

ID_HEX = 16
"""Hex digits kept of a content hash: 64 bits, a collision is unlikely below a billion records."""

Sha256 = Annotated[str, Field(pattern=r"^[0-9a-f]{64}$")]


def content_hash(value: object) -> str:
    """Sha-256 (hex) of a JSON-able value in canonical form: sorted keys, no spaces, UTF-8."""
    text = json.dumps(value, sort_keys=True, separators=(",", ":"), ensure_ascii=False)
    return hashlib.sha256(text.encode()).hexdigest()


class Part(BaseModel):
    """A frozen piece of a record; it has no id of its own."""

    model_config = ConfigDict(frozen=True, extra="forbid")


class Record(Part):
    """A frozen record with a content-hash id. `kind` prefixes the id and names the schema."""

    kind: ClassVar[str]
    schema_version: ClassVar[int] = 1

    @cached_property
    def id(self) -> str:
        """`<kind>_<16 hex digits>` over every field."""
        return f"{self.kind}_{content_hash(self.model_dump(mode='json'))[:ID_HEX]}"

    @override
    def model_copy(self, *, update: Mapping[str, Any] | None = None, deep: bool = False) -> Self:
        """A copy with other values, and so with another id: the one in hand is not copied."""
        copied = super().model_copy(update=update, deep=deep)
        copied.__dict__.pop("id", None)
        return copied

    @property
    def parents(self) -> tuple[str, ...]:
        """Ids of the records this one was made from."""
        return ()
