"""Records of paths, chains of evidence and questions."""

from typing import ClassVar, Literal

from pydantic import Field
from typing_extensions import override

from hopsight.types.base import Part, Record, Sha256
from hopsight.types.episodes import Task
from hopsight.types.wiki import Domain, Evidence, ImageRef


class Hop(Part):
    """A prose link and the fact that makes it a relation.

    `inverse` is False where the fact stands on the source ("capital" of it is the target) and
    True where it stands on the target ("birth_place" of the target is the source). `evidence` is
    the sentence that states the fact; `link` is the sentence on the source that carries the link.
    """

    source: int
    target: int
    relation: str
    inverse: bool
    evidence: Evidence
    link: Evidence


class LinkPath(Record):
    """v0 … vh: v0 has the picture, vh the answer. `attribute` is the answer's attribute of vh."""

    kind: ClassVar[str] = "path"
    entities: tuple[int, ...]
    titles: tuple[str, ...]
    hops: tuple[Hop, ...]
    attribute: str
    domain: Domain
    seed: int

    @property
    @override
    def parents(self) -> tuple[str, ...]:
        return tuple(f"wiki:{page_id}" for page_id in self.entities)


class Constraint(Part):
    """A condition on one attribute of an entity.

    `op` "is": the value (or value page) equals `value`; "between": low ≤ number ≤ high (either
    bound may be None); "shows": the entity's picture shows `value`, one of the phrases that
    `hopsight.looks` cuts its visual facts into. An entity whose value is unknown counts as fitting.
    """

    attribute: str
    op: Literal["is", "between", "shows"]
    value: str | None = None
    low: float | None = None
    high: float | None = None
    unit: str | None = None
    evidence: Evidence | None = None


class Clue(Part):
    """How a node is found from its predecessor: the relation, and what else is true of it.

    The relation `hopsight.unique.LINKED` does not say how the two have to do with each other.
    """

    relation: str
    inverse: bool
    constraints: tuple[Constraint, ...] = ()
    named: bool = True


class EvidenceNode(Part):
    """One node of a chain. `clue` is None for the anchor, which is found in the picture."""

    page_id: int
    title: str
    infobox: str
    clue: Clue | None
    hop: Evidence | None
    link: Evidence | None
    images: tuple[ImageRef, ...] = ()


class EvidenceChain(Record):
    """Anchor to answer: everything a question says, in machine-readable form, with evidence."""

    kind: ClassVar[str] = "chain"
    schema_version: ClassVar[int] = 2
    path_id: str
    nodes: tuple[EvidenceNode, ...]
    attribute: str
    answer: str
    answer_aliases: tuple[str, ...]
    answer_evidence: Evidence

    @property
    @override
    def parents(self) -> tuple[str, ...]:
        return (self.path_id,)


class PromptRef(Part):
    """Which text wrote a record: a prompt file or rule set, its version and its hash."""

    name: str
    version: str
    sha256: Sha256


class Question(Record):
    """A question as a solver would get it, with its gold answer and where it came from."""

    kind: ClassVar[str] = "q"
    text: str
    answer: str
    answer_aliases: tuple[str, ...]
    images: tuple[ImageRef, ...]
    chain_id: str
    parent_id: str | None
    operator: str
    prompt: PromptRef
    round: str

    @property
    @override
    def parents(self) -> tuple[str, ...]:
        return (self.chain_id,) if self.parent_id is None else (self.parent_id, self.chain_id)

    @property
    def task(self) -> "Task":
        """What a policy may see: the text and the pictures, nothing else."""
        return Task(text=self.text, images=self.images)


class Seed(Record):
    """A solved question with its pictures, as its file had it.

    `reasoning` is empty where the file has none. `source` is the file's name and `row` the number
    of the row in it, from 1: blank lines and headings do not count.
    """

    kind: ClassVar[str] = "seed"
    question: str = Field(min_length=1)
    answer: str = Field(min_length=1)
    answer_aliases: tuple[str, ...]
    images: tuple[ImageRef, ...] = Field(min_length=1)
    reasoning: str
    source: str
    row: int = Field(ge=1)


class Difficulty(Record):
    """How hard a question is made: hops of its first chain, and what each operator really added.

    `expanded` counts hops, `blurred` facts, `visualized` visual facts; `total` is their
    weighted sum.
    """

    kind: ClassVar[str] = "diff"
    question_id: str
    hops: int
    expanded: int
    blurred: int
    visualized: int
    total: float

    @property
    @override
    def parents(self) -> tuple[str, ...]:
        return (self.question_id,)
