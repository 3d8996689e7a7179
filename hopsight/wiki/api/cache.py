"""What a crawl has learned, on disk: answers of this crawl, and revisions and pictures for good."""

import hashlib
import json
import shutil
from collections.abc import Iterable
from pathlib import Path
from typing import Any

from pydantic import BaseModel, ConfigDict, ValidationError

from hopsight.errors import StoreError
from hopsight.store import Journal
from hopsight.store.files import storage_errors, write_atomic


class Revision(BaseModel):
    """One revision of a page. It never changes, so it is never fetched twice."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    revision: int
    timestamp: str
    text: str


class Cache:
    """The cache of one wiki. `answers` holds JSON values by key, such as `info:Vienna`.

    <folder>/answers/*.journal           what the wiki said in this crawl
    <folder>/revisions/<2 digits>/<id>.json
    <folder>/pictures/*.journal          the hashes of the pictures that were fetched
    """

    def __init__(self, folder: Path, *, refresh: bool) -> None:
        """`refresh` forgets the answers, and keeps what cannot have changed."""
        self._folder = folder
        if refresh:
            with storage_errors(folder):
                shutil.rmtree(folder / "answers", ignore_errors=True)
        self._answers = _Known(folder / "answers")
        self._pictures = _Known(folder / "pictures")

    def close(self) -> None:
        """Give the journals back."""
        self._answers.close()
        self._pictures.close()

    def known(self, kind: str, key: str) -> tuple[Any] | None:
        """The answer in a tuple of one (it may be None), or None where nobody asked yet."""
        return self._answers.get(f"{kind}:{key}")

    def learn(self, kind: str, key: str, value: Any) -> None:
        """Keep an answer; when this returns, a killed crawl still has it."""
        self._answers.put(f"{kind}:{key}", value)

    def unknown(self, kind: str, keys: Iterable[str]) -> list[str]:
        """The keys that nobody asked for yet, in their order, each once."""
        return [key for key in dict.fromkeys(keys) if self.known(kind, key) is None]

    def has_revision(self, number: int) -> bool:
        """Whether a revision was fetched before."""
        return self._revision_path(number).is_file()

    def revision(self, number: int) -> Revision | None:
        """A revision that was fetched before. Raises StoreError if its file is damaged."""
        path = self._revision_path(number)
        if not path.is_file():
            return None
        with storage_errors(path):
            data = path.read_bytes()
        try:
            found = Revision.model_validate_json(data)
        except ValidationError as error:
            raise StoreError(f"{path} is damaged", "delete it and run again") from error
        return found

    def keep_revision(self, revision: Revision) -> None:
        """Store a revision."""
        path = self._revision_path(revision.revision)
        write_atomic(path, revision.model_dump_json().encode(), sync=False)

    def picture(self, key: str, path: Path) -> bytes | None:
        """The bytes of a picture that was fetched before and still lies at `path`."""
        known = self._pictures.get(key)
        if known is None or not path.is_file():
            return None
        with storage_errors(path):
            data = path.read_bytes()
        return data if hashlib.sha256(data).hexdigest() == known[0] else None

    def keep_picture(self, key: str, path: Path, data: bytes) -> None:
        """Store a picture at `path`."""
        write_atomic(path, data, sync=False)
        self._pictures.put(key, hashlib.sha256(data).hexdigest())

    def _revision_path(self, number: int) -> Path:
        return self._folder / "revisions" / f"{number % 100:02d}" / f"{number}.json"


class _Known:
    """A journal and what it holds."""

    def __init__(self, folder: Path) -> None:
        self._journal = Journal(folder)
        self._values = self._journal.load()

    def get(self, key: str) -> tuple[Any] | None:
        found = self._values.get(key)
        return None if found is None else (json.loads(found),)

    def put(self, key: str, value: Any) -> None:
        data = json.dumps(value, ensure_ascii=True, separators=(",", ":")).encode()
        self._journal.append(key, data)
        self._values[key] = data

    def close(self) -> None:
        self._journal.close()
