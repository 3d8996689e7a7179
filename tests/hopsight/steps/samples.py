"""An input for every step over the small atlas, and an answer to it that fails its check."""

import json
from functools import cache
from typing import Any

from hopsight.config.rounds import RoundConfig
from hopsight.errors import Outcome
from hopsight.llm.chat import Picture
from hopsight.reference.generator import verbalise
from hopsight.steps import Step
from hopsight.steps.build_link import KnownEntity, Route
from hopsight.steps.caption_picture import Shown
from hopsight.steps.check_wording import Wording
from hopsight.steps.describe_entity import EntityFacts
from hopsight.steps.diagnose_trace import Trace
from hopsight.steps.extract_facts import PageText
from hopsight.steps.judge_process import Process
from hopsight.steps.judge_uniqueness import Candidate, Described
from hopsight.steps.propose_patch import ConfigState, DiagnosisSummary
from hopsight.steps.statements import Statement
from hopsight.steps.verbalise_path import PathWording, wording_of
from hopsight.steps.verify_hop import HopClaim
from hopsight.types import Constraint, EvidenceChain, Observation, Part, StopReason, ToolCall, Turn
from hopsight.wiki.sentences import split_sentences
from tests.curation import made
from tests.worlds import Pictures, atlas


@cache
def world():
    """The atlas; `PICTURES` holds its pictures."""
    return atlas(PICTURES)


PICTURES = Pictures(64)


def page_text(title, attributes=(), known=True):
    """A page of the atlas as the step gets it."""
    page_id = world().by_title(title)
    page = world().page(page_id)
    sentences = tuple(page.text[start:end] for start, end in split_sentences(page.text))
    facts = world().facts(page_id) if known else ()
    return PageText(title=title, sentences=sentences, attributes=attributes, known=facts)


def entity(title, use=1, avoid=None):
    """An entity of the atlas with its facts."""
    page_id = world().by_title(title)
    names = world().names(page_id) if avoid is None else avoid
    kind = world().page(page_id).infobox
    return EntityFacts(kind=kind, facts=world().facts(page_id), avoid=names, use=use)


def candidates(*titles):
    """Entities of the atlas as candidates."""
    ids = [world().by_title(title) for title in titles]
    return tuple(
        Candidate(title=title, kind=world().page(n).infobox, facts=world().facts(n))
        for title, n in zip(titles, ids, strict=True)
    )


@cache
def paths():
    """The wordings of all grounded chains of the atlas, with the names that must not be told."""
    return tuple(_path(chain) for chain in made.grounded().chains)


def _path(chain: EvidenceChain) -> PathWording:
    snapshot, _ = made.fuzzed()
    names = [name for node in chain.nodes for name in snapshot.names(node.page_id)]
    anchor = verbalise.anchor_phrase(chain.nodes[0].infobox, chain.path_id)
    assert anchor is not None
    return wording_of(chain, anchor, (*names, chain.answer, *chain.answer_aliases))


def turn(found="", outcome=Outcome.OK, repeat=False, tool="web_search", arguments='{"query": "x"}'):
    """A turn of one call."""
    call = ToolCall(call_id="c", name=tool, arguments=arguments)
    seen = Observation(call_id="c", text=found, images=(), outcome=outcome, repeat=repeat)
    return Turn(text="I search.", calls=(call,), observations=(seen,))


ANSWERING = Turn(text="<answer>1237</answer>", calls=(), observations=())
TURNS = (
    turn("nothing", Outcome.EMPTY),
    turn("Boria City was founded in 1237."),
    ANSWERING,
)


def trace(**changes):
    """A trace of RL that found its answer."""
    fields = {
        "mode": "rl",
        "question": "When was it founded?",
        "pictures": 1,
        "gold": "1237",
        "turns": TURNS,
        "final_answer": "1237",
        "stop_reason": StopReason.ANSWERED,
        "outcome": "correct",
        "graded": 4,
        "correct": 2,
    }
    return Trace(**(fields | changes))


def state(config=None, **summary):
    """A configuration with what its traces say."""
    fields = {"traces": 10, "labels": {}, "scores": {}, "faults": {}}
    return ConfigState(
        config=config or RoundConfig(), summary=DiagnosisSummary(**(fields | summary))
    )


@cache
def picture():
    """The picture of a page."""
    image = world().image(world().by_title("Boria"))
    return Picture.of(PICTURES.bytes(image.image.sha256))


ROUTE = Route(
    question="When was the capital of the country in the image founded?",
    answer="1237",
    reasoning="The image shows Boria. Its capital is Boria City. That city was founded in 1237.",
    known=(KnownEntity(title="Boria City"), KnownEntity(title="Boria"), KnownEntity(title="Alund")),
)
CLAIM = HopClaim(
    source="Boria",
    statement="the capital of Boria is Boria City",
    attribute="capital",
    target="Boria City",
    sentence="Boria has capital Boria City.",
)
WORDING = Wording(
    text="A river between 200 and 300 kilometres long flows through it. How long is it?",
    statements=(
        Statement(text="It is crossed by a river.", values=("river",)),
        Statement(text="The river is between 200 and 300 kilometres long."),
    ),
)
DESCRIBED = Described(
    description="a country whose traffic keeps to the left",
    candidate=candidates("Alund")[0],
    constraints=(Constraint(attribute="driving_side", op="is", value="left"),),
)

Sample = tuple[Part, dict[str, object], str]


@cache
def samples() -> dict[str, Sample]:
    """By step: an input, an answer of the right shape that is wrong, and a word of the reason."""
    unlabelled: dict[str, object] = {"marks": [], "label": None}
    patch: dict[str, object] = {
        "reason": "r",
        "change": {"section": "explore", "key": "hops", "value": 3},
    }
    return {
        "extract_facts": (
            page_text("Boria City"),
            {"facts": [{"attribute": "country", "value": "Alund", "sentence": 1}]},
            "does not stand in sentence 1",
        ),
        "describe_entity": (
            entity("Boria"),
            {"text": "a Borian country that drives on the right", "used": [1]},
            "gives away the name 'Boria'",
        ),
        "judge_uniqueness": (
            DESCRIBED.model_copy(update={"candidate": Candidate(title="Alund")}),
            {"reason": "", "verdict": "differs"},
            "nothing is known of Alund",
        ),
        "verbalise_path": (paths()[0], {"question": "Where does it all lead to?"}, "characters"),
        "check_wording": (
            WORDING,
            {"findings": [{"number": 1, "finding": "stated"}], "more": []},
            "number 2 is missing",
        ),
        "build_link": (
            ROUTE,
            {"start": "Alund", "steps": [{"clue": "?", "entity": "1237"}]},
            "does not name",
        ),
        "verify_hop": (
            CLAIM.model_copy(update={"sentence": "It has a capital."}),
            {"reason": "", "verdict": "supported"},
            "does not name 'Boria City'",
        ),
        "caption_picture": (
            Shown(picture=picture(), avoid=("Boria",)),
            {"caption": "Boria", "visual_facts": ["white"], "visible_text": []},
            "tells the name",
        ),
        "judge_process": (
            Process(question="When?", turns=TURNS, final_answer="1237"),
            {"marks": [], "reason": "r", "verdict": "keep"},
            "turn number 1 is missing",
        ),
        "diagnose_trace": (trace(), unlabelled, "marks are wanted for"),
        "propose_patch": (state(labels={"too_easy": 9}), patch, "explore.hops"),
    }


def written(answer: object) -> str:
    """JSON text of an answer."""
    return answer.model_dump_json() if isinstance(answer, Part) else json.dumps(answer)


def wrong(step: Step[Any, Any], item: Part, answer: Part) -> str:
    """What a step's check says is wrong with an answer; "" for nothing."""
    return step.check(item, answer) or ""
