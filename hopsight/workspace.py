"""Where everything of one project lies on disk.

data/datasets   sealed data sets        data/images    pictures by hash
data/index      search over the wiki    data/graph     the link graph
data/scan       titles and links        data/titles    what each title comes to
data/crawl      pages asked of a wiki   data/calls     models' answers and their cost
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
    def crawl(self) -> Path:
        """Folder of what was asked of a wiki's API."""
        return self.root / "crawl"

    @property
    def scan(self) -> Path:
        """Folder of the scan of the wiki's export."""
        return self.root / "scan"

    @property
    def titles(self) -> Path:
        """Folder of the table of titles and of the links' targets."""
        return self.root / "titles"

    @property
    def graph(self) -> Path:
        """Folder of the link graph."""
        return self.root / "graph"

    @property
    def index(self) -> Path:
        """Folder of the local search index."""
        return self.root / "index"

    @property
    def calls(self) -> Path:
        """Folder of what models answered and what that cost."""
        return self.root / "calls"

    def journal(self, round: str, stage: str, fingerprint: str) -> Journal:
        """Work in progress of one stage; work under another fingerprint is never reused."""
        return Journal(self.root / "journals" / f"round={round}" / f"{stage}-{fingerprint}")

    def exports(self, round: str) -> Path:
        """Folder of the files that a round hands to trainers."""
        return self.root / "exports" / f"round={round}"
