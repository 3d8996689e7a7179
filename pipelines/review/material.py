"""Everything that the page shows of a round, read once as it starts."""

from collections import defaultdict
from collections.abc import Mapping
from dataclasses import dataclass
from typing import TypeVar

from curation.review import Decisions, Desk, read_subjects, rechecker, standing
from hopsight.chains import chain_of
from hopsight.store import DataStore
from hopsight.types import Difficulty, PassRate, Record, SplitAssignment
from hopsight.wiki.snapshot import Snapshot
from hopsight.wiki.stored import stored_snapshot
from hopsight.workspace import Workspace

R = TypeVar("R", bound=Record)


@dataclass(frozen=True, slots=True)
class Material:
    """The desk, the wiki behind it, and what was found out about questions: by question id."""

    workspace: Workspace
    desk: Desk
    world: Snapshot
    rates: Mapping[str, tuple[PassRate, ...]]
    splits: Mapping[str, SplitAssignment]
    difficulties: Mapping[str, Difficulty]

    @property
    def pictures(self) -> frozenset[str]:
        """Hashes of the pictures that questions show, and of those on the way to an answer."""
        subjects = self.desk.subjects
        shown = [each.images for each in subjects.questions.values()]
        shown += [
            node.images
            for each in subjects.questions.values()
            for node in chain_of(each, subjects.chains).nodes
        ]
        return frozenset(image.sha256 for images in shown for image in images)

    def close(self) -> None:
        """Give the journal's file back."""
        self.desk.journal.close()


def open_material(workspace: Workspace, round: str) -> Material:
    """Read a round. Raises StoreError where it has no questions or no wiki yet."""
    store, journal = workspace.store, Decisions(workspace.root, round)
    subjects = read_subjects(store, round, standing(journal.load()))
    world = stored_snapshot(store)
    # An edited question goes on under another id; what was measured since is of that one.
    first = {later: question_id for question_id, later in subjects.later.items()}
    rates: dict[str, list[PassRate]] = defaultdict(list)
    for rate in _read(store, "pass_rates", round, PassRate):
        rates[first.get(rate.question_id, rate.question_id)].append(rate)
    splits = _read(store, "split_assignments", round, SplitAssignment)
    difficulties = _read(store, "difficulties", round, Difficulty)
    return Material(
        workspace,
        Desk(subjects, journal, rechecker(world)),
        world,
        {key: tuple(sorted(found, key=lambda rate: rate.policy)) for key, found in rates.items()},
        {first.get(each.question_id, each.question_id): each for each in splits},
        {each.question_id: each for each in difficulties},
    )


def _read(store: DataStore, name: str, round: str, record_type: type[R]) -> list[R]:
    """A data set that a round may not have yet."""
    return store.read(name, round, record_type) if store.exists(name, round) else []
