"""Files that a round's configuration names are looked for before anything is made."""

from collections.abc import Iterator
from pathlib import Path

from hopsight.config import RoundConfig
from hopsight.errors import ConfigError


def check_named_files(config: RoundConfig) -> None:
    """Raises ConfigError for a file of refine.imported or curate.benchmarks that is not there."""
    for key, name in _named(config):
        if not _is(name, folder=False):
            raise ConfigError(
                f"{key} names {name}, and there is no such file", "name a file that exists"
            )
    pictures = config.refine.imported.pictures
    if pictures is not None and not _is(pictures, folder=True):
        raise ConfigError(
            f"refine.imported.pictures names {pictures}, and there is no such folder",
            "name a folder that exists, or null for that of each file",
        )


def _named(config: RoundConfig) -> Iterator[tuple[str, str]]:
    yield from (("refine.imported.files", name) for name in config.refine.imported.files)
    yield from (("curate.benchmarks", name) for name in config.curate.benchmarks)


def _is(name: str, *, folder: bool) -> bool:
    path = Path(name)
    try:
        return path.is_dir() if folder else path.is_file()
    except OSError:  # a name too long, or a folder that may not be entered
        return False
