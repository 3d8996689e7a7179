"""The manifest of a data set: what was committed, and nothing that differs between two runs."""

from typing import Annotated

from pydantic import Field

from hopsight.types import Part, Sha256, content_hash


class PartFile(Part):
    """One Parquet file. Its name holds a piece of its hash, so other content has another name."""

    file: Annotated[str, Field(pattern=r"^part-\d{4,}-[0-9a-f]{16}\.parquet$")]
    rows: Annotated[int, Field(ge=0)]
    size: Annotated[int, Field(ge=0, description="Bytes.")]
    sha256: Sha256


class Manifest(Part):
    """A committed data set of one round.

    `kind` and `schema_version` are those of the record type. A data set is a set: equal records
    are stored once, and `duplicates` says how many were given beyond that.
    """

    name: str
    round: str
    kind: str
    schema_version: int
    rows: int
    duplicates: int
    parts: tuple[PartFile, ...]

    @property
    def digest(self) -> str:
        """Sha-256 over the parts' hashes: two data sets with one digest are equal."""
        return content_hash([self.kind, self.schema_version, [p.sha256 for p in self.parts]])
