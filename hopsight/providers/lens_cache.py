"""MM-DeepResearch's cached reverse image searches (SEARCH_CACHED_DATA_PATHS).

Files are named with colons between them. A .json file holds an object by sample id or a list,
every other file one object a line: `{"data_id", "cached_data": [{"cached_images_path",
"cached_title"}, …]}`. That is what its published reader takes; the files name no pages.
"""

import json
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Final

from pydantic import Field, ValidationError

from hopsight.errors import SourceError
from hopsight.providers.payload import Sent, Text

MAX_JSON: Final = 1 << 30
_Path = Annotated[str, Field(max_length=4096)]


class _Item(Sent):
    cached_images_path: _Path | None = None
    cached_title: Text | None = None


class _Sample(Sent):
    data_id: str | int
    cached_data: list[_Item] = Field(default_factory=list)


@dataclass(frozen=True, slots=True)
class CachedPicture:
    """A picture that was found for a sample. `path` is as the file has it."""

    path: Path
    title: str


@dataclass(frozen=True, slots=True)
class CachedLens:
    """What a reverse image search found for the picture of a sample, the best first."""

    sample: str
    pictures: tuple[CachedPicture, ...]


def read_lens_cache(files: Sequence[Path], rejected: Counter[str]) -> Iterator[CachedLens]:
    """The samples of all files, in their order; a later one of the same id comes again.

    A sample that cannot be used is counted in `rejected` by its reason. Raises SourceError for a
    file that cannot be read.
    """
    for file in files:
        for value in _values(file, rejected):
            try:
                sample = _Sample.model_validate(value)
            except ValidationError:
                rejected["no_sample"] += 1
                continue
            pictures = tuple(
                CachedPicture(Path(item.cached_images_path), item.cached_title or "")
                for item in sample.cached_data
                if item.cached_images_path
            )
            if pictures:
                yield CachedLens(str(sample.data_id), pictures)
            else:
                rejected["no_pictures"] += 1


def _values(file: Path, rejected: Counter[str]) -> Iterator[object]:
    try:
        if file.suffix == ".json":
            if file.stat().st_size > MAX_JSON:
                raise SourceError(f"{file} is larger than {MAX_JSON} bytes", "give it as .jsonl")
            yield from _of_json(json.loads(file.read_text(encoding="utf-8")))
            return
        with file.open(encoding="utf-8") as lines:
            for line in lines:
                if line.strip():
                    yield from _of_line(line, rejected)
    except (OSError, ValueError, RecursionError) as error:
        raise SourceError(
            f"{file} cannot be read ({error})", "correct SEARCH_CACHED_DATA_PATHS"
        ) from error


def _of_json(value: object) -> Iterator[object]:
    if isinstance(value, Mapping):
        for name, sample in value.items():
            yield {"data_id": name, **sample} if isinstance(sample, Mapping) else sample
    elif isinstance(value, list):
        yield from value


def _of_line(line: str, rejected: Counter[str]) -> Iterator[object]:
    try:
        yield json.loads(line)
    except (ValueError, RecursionError):
        rejected["no_json"] += 1
