"""MM-DeepResearch's "lens" cache: reverse searches made beforehand, by the id of the sample.

One JSON object a line: {"data_id": …, "cached_data": [{"cached_images_path": …,
"cached_title": …}, …]}. Environment: SEARCH_CACHED_DATA_PATHS (several files, separated by `:`).
"""

import json
import logging
from collections.abc import Iterable
from pathlib import Path
from typing import Any

from pydantic import BaseModel, ConfigDict, ValidationError

from hopsight.errors import StoreError
from hopsight.serve.lines import LineFile

log = logging.getLogger(__name__)


class _Item(BaseModel):
    model_config = ConfigDict(extra="ignore", hide_input_in_errors=True)
    cached_images_path: str | None = None
    cached_title: str | None = None


class _Line(BaseModel):
    model_config = ConfigDict(extra="ignore", hide_input_in_errors=True)
    data_id: str | int
    cached_data: list[_Item] = []


class LensCache:
    """The lines of several files by their sample's id; a later line replaces an earlier one.

    `rejected` counts lines that are none of the format.
    """

    def __init__(self, paths: Iterable[Path]) -> None:
        self._files = [LineFile(path) for path in paths]
        self._place: dict[str, tuple[int, int]] = {}
        self.rejected = 0
        for number, file in enumerate(self._files):
            for row in range(len(file)):
                line = _parsed(file[row])
                if line is None:
                    self.rejected += 1
                else:
                    self._place[str(line.data_id)] = (number, row)
        if self.rejected:
            log.warning("event=lens_lines_rejected count=%d", self.rejected)
        if not self._place:
            raise StoreError("the lens cache holds no sample", "give a file of its JSON lines")

    def __len__(self) -> int:
        return len(self._place)

    def get(self, data_id: str) -> list[dict[str, Any]] | None:
        """Title and path of each picture found for a sample; None where it was not looked up."""
        place = self._place.get(data_id)
        if place is None:
            return None
        line = _parsed(self._files[place[0]][place[1]])
        if line is None:
            raise StoreError("the lens cache was changed while in use", "start the server again")
        return [
            {"image_path": item.cached_images_path, "title": item.cached_title}
            for item in line.cached_data
        ]


def _parsed(data: bytes) -> _Line | None:
    try:
        return _Line.model_validate(json.loads(data))
    except (ValueError, RecursionError, ValidationError):
        return None
