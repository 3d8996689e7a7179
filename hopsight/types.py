"""The records that travel through Hopsight.

Every record is frozen and validated. Its `id` is a hash of its content, so equal content has one
id and a changed record has another; `parents` names the records it was made from. Times, costs
and run ids are not here: they live in provenance, so that data sets compare byte for byte.
"""

import hashlib
import json
from collections.abc import Mapping
from enum import StrEnum
from functools import cached_property
from typing import Annotated, ClassVar, Literal

from pydantic import BaseModel, ConfigDict, Field
from typing_extensions import override

from hopsight.errors import Outcome

ID_HEX = 16
"""Hex digits kept of a content hash: 64 bits, a collision is unlikely below a billion records."""

Sha256 = Annotated[str, Field(pattern=r"^[0-9a-f]{64}$")]


def content_hash(value: object) -> str:
    """Sha-256 (hex) of a JSON-able value in canonical form: sorted keys, no spaces, UTF-8."""
    text = json.dumps(value, sort_keys=True, separators=(",", ":"), ensure_ascii=False)
    return hashlib.sha256(text.encode()).hexdigest()


class Part(BaseModel):
    """A frozen piece of a record; it has no id of its own."""

    model_config = ConfigDict(frozen=True, extra="forbid")


class Record(Part):
    """A frozen record with a content-hash id. `kind` prefixes the id and names the schema."""

    kind: ClassVar[str]
    schema_version: ClassVar[int] = 1

    @cached_property
    def id(self) -> str:
        """`<kind>_<16 hex digits>` over every field."""
        return f"{self.kind}_{content_hash(self.model_dump(mode='json'))[:ID_HEX]}"

    @property
    def parents(self) -> tuple[str, ...]:
        """Ids of the records this one was made from."""
        return ()


# --- the wiki snapshot -------------------------------------------------------------------------


class Domain(StrEnum):
    """The five strata that seeds are drawn from [OpenSearch-VL]."""

    PERSON = "person"
    BUILDING = "building"
    LOCATION = "location"
    ORGANISM = "organism"
    ARTIFACT = "artifact"


class Evidence(Part):
    """A sentence of a page's plain text. `start`/`end` are character offsets into `Page.text`."""

    page_id: int
    title: str
    revision: int
    start: int
    end: int
    sentence: str


class Page(Record):
    """One article. `text` is its plain text; evidence spans are offsets into it."""

    kind: ClassVar[str] = "page"
    page_id: int
    title: str
    revision: int
    url: str
    text: str
    lead: str
    domain: Domain | None
    infobox: str | None
    is_disambiguation: bool
    is_list: bool
    in_degree: int


class Link(Record):
    """A link in prose from page to page, redirects resolved. Offsets are those of the sentence."""

    kind: ClassVar[str] = "link"
    source: int
    target: int
    anchor: str
    section: str
    sentence: str
    start: int
    end: int


class Alias(Record):
    """Another name of a page: a redirect's title or a bold name in its lead."""

    kind: ClassVar[str] = "alias"
    page_id: int
    name: str


class Fact(Record):
    """An infobox value of a page, with the prose sentence that states it where one does.

    `number`/`unit` are set for quantities and years (unit "year"); `value_page` where the value
    is another page. A list in an infobox gives one fact per member. `note` is the reference.
    """

    kind: ClassVar[str] = "fact"
    page_id: int
    attribute: str
    value: str
    value_page: int | None
    number: float | None
    unit: str | None
    evidence: Evidence | None
    note: str


class ImageRef(Part):
    """A picture, by the hash of its bytes; the bytes lie in the image store. Sizes in pixels."""

    sha256: Sha256
    mime: Literal["image/png", "image/jpeg", "image/webp"]
    width: int
    height: int
    source_url: str
    license: str
    author: str


class PageImage(Record):
    """A picture on a page. `visual_facts` and `text` are what looking at it makes certain."""

    kind: ClassVar[str] = "pageimage"
    page_id: int
    file: str
    image: ImageRef
    visual_facts: tuple[str, ...]
    text: tuple[str, ...]


# --- paths, chains, questions ------------------------------------------------------------------


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
    bound may be None). An entity whose value is unknown counts as fitting.
    """

    attribute: str
    op: Literal["is", "between"]
    value: str | None = None
    low: float | None = None
    high: float | None = None
    unit: str | None = None
    evidence: Evidence | None = None


class Clue(Part):
    """How a node is found from its predecessor: the relation, and what else is true of it."""

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


# --- episodes ----------------------------------------------------------------------------------


class Task(Record):
    """All that a policy is told."""

    kind: ClassVar[str] = "task"
    text: str
    images: tuple[ImageRef, ...]


class ToolCall(Part):
    """A call as the policy wrote it. `arguments` is JSON text, kept even if it is malformed."""

    call_id: str
    name: str
    arguments: str


class BankImage(Part):
    """An entry of an episode's image bank; `handle` n is written `<image:n>`.

    `box` holds fractions x0, y0, x1, y1 of the parent. `same_as` is an earlier handle with equal
    bytes. `call_id` is the tool call that brought it, None for a task image.
    """

    handle: int
    image: ImageRef
    parent: int | None = None
    box: tuple[float, float, float, float] | None = None
    call_id: str | None = None
    same_as: int | None = None


class Observation(Part):
    """What one call gave back: text for the model and the handles of the pictures it brought."""

    call_id: str
    text: str
    images: tuple[int, ...]
    outcome: Outcome
    repeat: bool = False


class Turn(Part):
    """One assistant turn: its text, its calls in order, and one observation for each call.

    `notice` is what the harness told the policy after it, apart from observations: a limit that
    is near, or that the turn held neither a call nor an answer.
    """

    text: str
    calls: tuple[ToolCall, ...]
    observations: tuple[Observation, ...]
    notice: str | None = None
    prompt_ids: tuple[int, ...] = ()
    response_ids: tuple[int, ...] = ()
    logprobs: tuple[float, ...] = ()
    weights: str | None = None


class StopReason(StrEnum):
    """Why an episode ended; every end has a reason of its own."""

    ANSWERED = "answered"
    NO_ANSWER = "no_answer"
    TURN_LIMIT = "turn_limit"
    CALL_LIMIT = "call_limit"
    TIME_LIMIT = "time_limit"
    CONTEXT_LIMIT = "context_limit"
    REPETITION = "repetition"
    FATAL = "fatal"
    INFRA_FATAL = "infra_fatal"
    POLICY_FAILED = "policy_failed"
    CANCELLED = "cancelled"

    @property
    def is_infrastructure(self) -> bool:
        """Whether the episode says nothing about the policy and leaves every rate."""
        return self in {StopReason.INFRA_FATAL, StopReason.POLICY_FAILED, StopReason.CANCELLED}


class Usage(Part):
    """Sums over an episode. Tokens are 0 where the policy does not count them."""

    model_calls: int
    tool_calls: int
    images: int
    prompt_tokens: int = 0
    completion_tokens: int = 0


class Trajectory(Record):
    """One rollout of one policy on one task."""

    kind: ClassVar[str] = "traj"
    question_id: str
    policy: str
    sample: int
    seed: int
    task: Task
    turns: tuple[Turn, ...]
    bank: tuple[BankImage, ...]
    final_answer: str | None
    stop_reason: StopReason
    fatal_step: int | None
    usage: Usage

    @property
    @override
    def parents(self) -> tuple[str, ...]:
        return (self.question_id,)


class Verdict(Record):
    """A judge's finding on one trajectory."""

    kind: ClassVar[str] = "verdict"
    trajectory_id: str
    question_id: str
    outcome: Literal["correct", "incorrect", "no_answer", "abstain", "infra"]
    rationale: str
    judge: str

    @property
    @override
    def parents(self) -> tuple[str, ...]:
        return (self.trajectory_id,)


class PassRate(Record):
    """How often one policy answers one question. `graded` leaves out infrastructure losses."""

    kind: ClassVar[str] = "pass"
    question_id: str
    policy: str
    n: int
    graded: int
    correct: int

    @property
    @override
    def parents(self) -> tuple[str, ...]:
        return (self.question_id,)


class ProbeResult(Record):
    """One executed probe; `solved` True means that the shortcut works and the question is out."""

    kind: ClassVar[str] = "probe"
    question_id: str
    probe: str
    answer: str | None
    solved: bool
    detail: str

    @property
    @override
    def parents(self) -> tuple[str, ...]:
        return (self.question_id,)


class Rejection(Record):
    """Why a record did not go on. `reason` is a short constant, `detail` names the case."""

    kind: ClassVar[str] = "rej"
    record_id: str
    stage: str
    reason: str
    detail: str

    @property
    @override
    def parents(self) -> tuple[str, ...]:
        return (self.record_id,)


class SplitAssignment(Record):
    """Where a curated question goes and why."""

    kind: ClassVar[str] = "split"
    question_id: str
    anchor: int
    split: Literal["sft", "rl", "eval"]
    band: Literal["none", "some", "all"]

    @property
    @override
    def parents(self) -> tuple[str, ...]:
        return (self.question_id,)


class ExportRow(Record):
    """One row of an exported file and the records it was made from."""

    kind: ClassVar[str] = "row"
    file: str
    row: int
    question_id: str
    trajectory_id: str | None
    images: tuple[Sha256, ...]

    @property
    @override
    def parents(self) -> tuple[str, ...]:
        if self.trajectory_id is None:
            return (self.question_id,)
        return (self.trajectory_id, self.question_id)


class ReasonCount(Part):
    """How many records a stage rejected for one reason."""

    reason: str
    count: int


class FunnelRow(Record):
    """What one stage of a round took in, kept and rejected by reason, most frequent first."""

    kind: ClassVar[str] = "funnel"
    stage: str
    entered: int
    kept: int
    rejected: int
    reasons: tuple[ReasonCount, ...]

    @classmethod
    def of(cls, stage: str, entered: int, kept: int, reasons: Mapping[str, int]) -> "FunnelRow":
        """From the figures of a stage."""
        ordered = sorted(reasons.items(), key=lambda item: (-item[1], item[0]))
        return cls(
            stage=stage,
            entered=entered,
            kept=kept,
            rejected=sum(reasons.values()),
            reasons=tuple(ReasonCount(reason=name, count=count) for name, count in ordered),
        )


class RoundRecord(Record):
    """The configuration that a round was made with, as canonical JSON text."""

    kind: ClassVar[str] = "round"
    round: str
    parent_round: str | None
    fingerprint: str
    config: str


class SnapshotRecord(Record):
    """What a wiki snapshot was read from: the source's kind and the hashes of its files."""

    kind: ClassVar[str] = "snap"
    source: str
    dump_sha256: Sha256
    pictures_sha256: Sha256 | None
    pages: int
