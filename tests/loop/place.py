"""A place to run the command in: folders of its own, and nothing of the repository's data."""

import hashlib
import os
import pty
import shutil
import subprocess
import sys
import termios
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

import dagster as dg

from assets.workspace import PARTITIONS, WorkspaceResource
from hopsight.store import DataStore
from hopsight.workspace import Workspace
from pipelines.definitions import definitions
from pipelines.jobs import full_round
from pipelines.settings import PROJECT

ROUND = "0001"
COMMAND = Path(sys.executable).with_name("hopsight")
SNAPSHOT_ASSETS = frozenset({"wiki_scan", "link_graph", "wiki_snapshot", "search_index"})
QUIET = {"loggers": {"console": {"config": {"log_level": "CRITICAL"}}}}


@dataclass(frozen=True)
class Place:
    """Data, configurations, Dagster's home and a person's home under one folder."""

    root: Path

    @classmethod
    def make(cls, root: Path, configuration: str | None = None) -> "Place":
        """Create the folders; `configuration` is that of round 0001."""
        place = cls(root)
        for folder in (place.data, place.rounds, place.dagster_home, place.person):
            folder.mkdir(parents=True)
        shutil.copy(PROJECT / "dagster.yaml", place.dagster_home)
        if configuration is not None:
            place.configure(configuration)
        return place

    @property
    def data(self) -> Path:
        """What HOPSIGHT_DATA names."""
        return self.root / "data"

    @property
    def rounds(self) -> Path:
        """What HOPSIGHT_ROUNDS names."""
        return self.root / "rounds"

    @property
    def dagster_home(self) -> Path:
        """What DAGSTER_HOME names."""
        return self.root / "dagster"

    @property
    def person(self) -> Path:
        """What HOME names: nobody may write there."""
        return self.root / "person"

    @property
    def workspace(self) -> Workspace:
        """The data as the library sees them."""
        return Workspace(self.data)

    @property
    def printed(self) -> Path:
        """What the run that made a shared round printed."""
        return self.root / "printed.txt"

    @property
    def store(self) -> DataStore:
        """The sealed data sets."""
        return self.workspace.store

    @property
    def exports(self) -> Path:
        """The files for trainers."""
        return self.workspace.exports(ROUND)

    def configure(self, text: str, round_name: str = ROUND) -> Path:
        """Write the configuration of a round."""
        path = self.rounds / f"{round_name}.yaml"
        path.write_text(text, encoding="utf-8")
        return path

    def environment(self, **more: str) -> dict[str, str]:
        """The variables a run gets."""
        kept = {
            name: value
            for name, value in os.environ.items()
            if not name.startswith(("HOPSIGHT_", "DAGSTER_", "PYTEST_")) and name != "COLUMNS"
        }
        return kept | {
            "HOPSIGHT_DATA": str(self.data),
            "HOPSIGHT_ROUNDS": str(self.rounds),
            "DAGSTER_HOME": str(self.dagster_home),
            "HOME": str(self.person),
            **more,
        }

    def run(
        self, *arguments: str, cwd: Path | None = None, **more: str
    ) -> subprocess.CompletedProcess[str]:
        """Run `hopsight` to its end; `more` are further variables."""
        return subprocess.run(
            [COMMAND, *arguments],
            cwd=cwd or self.root,
            env=self.environment(**more),
            capture_output=True,
            text=True,
            timeout=300,
            check=False,
        )

    def start(self, *arguments: str) -> subprocess.Popen[bytes]:
        """Start `hopsight` in a session of its own."""
        return subprocess.Popen(
            [COMMAND, *arguments],
            cwd=self.root,
            env=self.environment(),
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            start_new_session=True,
        )

    def on_terminal(self, columns: int, *arguments: str) -> str:
        """What a person sees on a terminal of so many columns, with its control codes."""
        ours, theirs = pty.openpty()
        termios.tcsetwinsize(theirs, (50, columns))
        process = subprocess.Popen(
            [COMMAND, *arguments],
            cwd=self.root,
            env=self.environment(TERM="xterm-256color"),
            stdout=theirs,
            stderr=theirs,
        )
        os.close(theirs)
        seen = b""
        with suppress(OSError):  # told once the other side is closed
            while found := os.read(ours, 65536):
                seen += found
        os.close(ours)
        assert process.wait(60) == 0, seen
        return seen.decode()

    def contents(self) -> dict[str, str]:
        """Hash of every file of data sets and exports; provenance tells times and is left out."""
        files = (
            path
            for folder in ("datasets", "exports")
            for path in (self.data / folder).rglob("*")
            if path.is_file()
            and not path.relative_to(self.data / folder).parts[0].startswith("prov")
        )
        return {
            str(path.relative_to(self.data)): hashlib.sha256(path.read_bytes()).hexdigest()
            for path in files
        }


def assert_same(one: Place, other: Place) -> None:
    """Every data set and every exported file of two places has equal bytes."""
    first, second = one.contents(), other.contents()
    assert sorted(first) == sorted(second)
    assert [name for name in first if first[name] != second[name]] == []


def with_world_of(source: Place, root: Path, configuration: str) -> Place:
    """A new place with the wiki of another: its snapshot, pictures, graph and index, no round."""
    place = Place.make(root, configuration)
    for folder in ("images", "graph", "index"):
        # Files are replaced by renaming, never written into: links to them are safe.
        shutil.copytree(source.data / folder, place.data / folder, copy_function=os.link)
    for stored in (source.data / "datasets").glob("*/round=all"):
        target = place.data / "datasets" / stored.parent.name / stored.name
        shutil.copytree(stored, target, copy_function=os.link)
    return place


def make_round(
    place: Place, *, workers: int = 1, only: Sequence[str] | None = None, key: str = ROUND
) -> dg.ExecuteInProcessResult:
    """Materialize the assets of a round, or `only` some, over the wiki that is there.

    What a run leaves in Dagster is forgotten.
    """
    resource = WorkspaceResource(data=str(place.data), rounds=str(place.rounds), workers=workers)
    built = definitions(resource)
    names = {each.to_user_string() for each in built.resolve_all_asset_keys()} - SNAPSHOT_ASSETS
    with dg.DagsterInstance.ephemeral() as instance:
        instance.add_dynamic_partitions(str(PARTITIONS.name), [key])
        return built.resolve_job_def(full_round.name).execute_in_process(
            partition_key=key,
            instance=instance,
            asset_selection=[dg.AssetKey(name) for name in sorted(only or names)],
            raise_on_error=False,
            run_config=QUIET,
        )


def failures(result: dg.ExecuteInProcessResult) -> dict[str, str]:
    """What each failed asset said."""
    found = {}
    for event in result.all_events:
        if event.is_step_failure and event.step_key is not None:
            told = event.step_failure_data.user_failure_data
            found[event.step_key] = "" if told is None else str(told.description)
    return found
