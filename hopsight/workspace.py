"""Where everything of one project lies on disk.

data/datasets   sealed data sets        data/images    pictures by hash
data/index      search over the wiki    data/graph     the link graph
data/journals   work in progress        data/exports   files for trainers
"""

import os
from dataclasses import dataclass
from pathlib import Path

from hopsight.errors import ConfigError
from hopsight.store import DataStore, ImageStore, Journal

DATA_VARIABLE = "HOPSIGHT_DATA"


@dataclass(frozen=True, slots=True)
class Workspace:
    """The data folder and what is kept in it."""

    root: Path

    @classmethod
    def from_environment(cls) -> "Workspace":
        """The folder that HOPSIGHT_DATA names, else `data` in the working directory.

        Raises ConfigError where a file is in its place.
        """
        root = Path(os.environ.get(DATA_VARIABLE) or "data").expanduser().absolute()
        if root.exists() and not root.is_dir():
            raise ConfigError(
                f"the data folder {root} is a file", f"set {DATA_VARIABLE} to a folder, or move it"
            )
        return cls(root)

    @property
    def store(self) -> DataStore:
        """The sealed data sets."""
        return DataStore(self.root)

    @property
    def images(self) -> ImageStore:
        """The pictures."""
        return ImageStore(self.root)

    @property
    def graph(self) -> Path:
        """Folder of the link graph."""
        return self.root / "graph"

    @property
    def index(self) -> Path:
        """Folder of the local search index."""
        return self.root / "index"

    def journal(self, round: str, stage: str, fingerprint: str) -> Journal:
        """Work in progress of one stage; work under another fingerprint is never reused."""
        return Journal(self.root / "journals" / f"round={round}" / f"{stage}-{fingerprint}")

    def exports(self, round: str) -> Path:
        """Folder of the files that a round hands to trainers."""
        return self.root / "exports" / f"round={round}"
