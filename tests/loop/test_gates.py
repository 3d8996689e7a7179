"""Each static gate has a case that only it catches: switched off, the checker finds the escape.

One small world, with one thing wrong at a time. The project reads it as records, the checker from
an XML export of its own making, and what they share is the exported file.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path

import pytest

from curation.canonical import canonical_questions
from curation.duplicates import drop_duplicates
from curation.fuzz import fuzzed_questions
from curation.ground import grounded_questions
from curation.paths import enumerate_paths
from hopsight.chains import Framed, Rules, chain_fault, changed, text_fault
from hopsight.chains.necessity import unneeded_hop
from hopsight.chains.walker import PathRules, Walker
from hopsight.reference.generator import verbalise
from hopsight.store import ImageStore
from hopsight.types import Clue, Constraint, EvidenceChain, EvidenceNode, Question
from hopsight.wiki.snapshot import Snapshot
from refine.visualize import visualized_questions
from tests.checker.checks import check_rl
from tests.checker.world import read_world
from tests.loop.exported_world import write_world
from tests.worlds import Entity, Pictures, world
from training.export.verl import export_rl

LANDS = ("Arn", "Bel", "Cor", "Dun", "Esk", "Fal")
WAY = ("Sten", "Arn", "Arnburg")
RULES = PathRules(hops={2: 1.0}, paths=1)


@dataclass(frozen=True)
class Made:
    """The world both ways, and the questions about `founded` at the end of one way."""

    entities: Sequence[Entity]
    snapshot: Snapshot
    pictures: Pictures
    walker: Walker
    fuzzed: Framed

    @property
    def chain(self) -> EvidenceChain:
        """The one chain, with the anchor's picture."""
        (chain,) = self.fuzzed.chains
        picture = self.snapshot.image(chain.nodes[0].page_id)
        assert picture is not None
        anchor = changed(chain.nodes[0], images=(picture.image,))
        return changed(chain, nodes=(anchor, *chain.nodes[1:]))


def entities(
    *,
    start: str = "Sten",
    left: Sequence[str] = ("Arn", "Cor", "Esk"),
    founded: Sequence[int] = (1010, 1111, 1212, 1313, 1414, 1515),
    drawn: tuple[str, ...] = (),
) -> list[Entity]:
    """A town with a picture that lies in two countries, and four more with their capitals."""
    facts = {"country": ["Arn", "Bel"]}
    made = [Entity(start, "settlement", facts, picture=True, picture_text=drawn)]
    made += [
        Entity(land, "country", {"capital": f"{land}burg", "driving_side": side})
        for land in LANDS
        for side in ["left" if land in left else "right"]
    ]
    made += [
        Entity(f"{land}burg", "settlement", {"founded": year, "elevation_m": 1050 + number})
        for number, (land, year) in enumerate(zip(LANDS, founded, strict=True))
    ]
    return made


def make(
    made: Sequence[Entity],
    *,
    rules: PathRules = RULES,
    way: tuple[str, ...] = WAY,
    blank: bool = False,
) -> Made:
    """Questions up to fuzzing; `blank` as if nothing were written in pictures."""
    pictures = Pictures()
    snapshot = world(*made, pictures=pictures)
    seen = [replace(entity, picture_text=()) for entity in made] if blank else made
    walker = Walker(world(*seen), rules)
    paths = [
        path
        for path in enumerate_paths(walker, [snapshot.page(1)], (2,))
        if path.titles == way and path.attribute == "founded"
    ]
    canonical = canonical_questions(walker, paths, round="0001")
    fuzzed = fuzzed_questions(walker, canonical, seed=1, hop_necessity=rules.hop_necessity)
    return Made(made, snapshot, pictures, walker, fuzzed)


def asked(made: Made, chain: EvidenceChain) -> Question:
    """What the chain asks of its picture, past every gate."""
    anchor = verbalise.anchor_phrase(chain.nodes[0].infobox, chain.path_id)
    return changed(
        made.fuzzed.questions.kept[0],
        text=verbalise.question(chain, anchor),
        answer=chain.answer,
        images=chain.nodes[0].images,
        chain_id=chain.id,
    )


def faults(made: Made, question: Question, chain: EvidenceChain) -> list[str]:
    """What the gates of chains and texts say, those too that stand behind another one's reason."""
    picture = made.snapshot.image(chain.nodes[0].page_id)
    assert picture is not None
    index = Walker(made.snapshot, RULES).index
    clues = [verbalise.clue_of(node) for node in chain.nodes[1:]]
    kept_back = question.text.replace(f"{int(chain.answer):,}", "").replace(chain.answer, "")
    found = [
        chain_fault(index, chain, hop_necessity=False)[0],
        "hop_not_needed" if unneeded_hop(index, chain, clues) else None,
        *(
            text_fault(made.snapshot, changed(question, text=text), chain, shown)[0]
            for text in (question.text, kept_back, "")
            for shown in (picture, changed(picture, text=()))
        ),
    ]
    return sorted({reason for reason in found if reason is not None})


def stored(made: Made, folder: Path) -> ImageStore:
    """The world's pictures as an export takes them."""
    store = ImageStore(folder / "images")
    for data in made.pictures.stored.values():
        store.put(data, "https://example.org/a.png", "CC0-1.0", "nobody")
    return store


def escapes(
    folder: Path,
    made: Made,
    *pairs: tuple[Question, EvidenceChain],
    store: ImageStore | None = None,
) -> str:
    """What the checker says of the questions as they are exported."""
    store = store or stored(made, folder)
    chains = {chain.id: chain for _, chain in pairs}
    export_rl([question for question, _ in pairs], chains, (), store, folder / "rl")
    xml, shown = write_world(folder, made.entities, made.snapshot.tables.images, made.pictures)
    report = check_rl(folder / "rl", read_world(xml, shown))
    assert report.rl == len(pairs)
    return " | ".join(report.failures)


def with_clue(chain: EvidenceChain, position: int, clue: Clue) -> EvidenceChain:
    """The chain with another clue at one place."""
    nodes: list[EvidenceNode] = list(chain.nodes)
    nodes[position] = changed(nodes[position], clue=clue)
    return changed(chain, nodes=tuple(nodes))


def test_a_sound_question_passes_every_gate_and_the_checker(tmp_path: Path):
    made = make(entities())
    framed = grounded_questions(made.snapshot, made.fuzzed, made.pictures)
    assert framed.questions.reasons() == {}
    question, chain = framed.questions.kept[0], framed.chains[0]
    assert question.text == asked(made, made.chain).text
    assert faults(made, question, chain) == []
    assert escapes(tmp_path, made, (question, chain)) == ""


def test_not_unique(tmp_path: Path):
    made = make(entities())
    clue = verbalise.clue_of(made.chain.nodes[1])
    loose = changed(clue, constraints=clue.constraints[:1])
    chain = with_clue(made.chain, 1, loose)
    question = asked(made, chain)
    assert faults(made, question, chain) == ["not_unique"]
    assert "2 articles fit hop 1 (country)" in escapes(tmp_path, made, (question, chain))


def test_hop_not_needed(tmp_path: Path):
    made = make(entities(founded=[1010] * 6), rules=replace(RULES, hop_necessity=False))
    question = asked(made, made.chain)
    assert faults(made, question, made.chain) == ["hop_not_needed"]
    said = escapes(tmp_path, made, (question, made.chain))
    assert "idle_hop: the answer stands without the picture" in said


def test_self_identifying(tmp_path: Path):
    few = entities(left=("Arn", "Cor"))
    with pytest.raises(ValueError, match="not enough values"):
        _ = make(few).chain
    made = make(few, rules=replace(RULES, clue_rules=Rules(min_candidates=2)))
    question = asked(made, made.chain)
    assert faults(made, question, made.chain) == []
    said = escapes(tmp_path, made, (question, made.chain))
    assert "telling_hop: fewer than 3 articles fit hop 1 by itself" in said


def test_answer_in_question(tmp_path: Path):
    made = make(entities())
    clue = verbalise.clue_of(made.chain.nodes[2])
    height = made.snapshot.facts(made.chain.nodes[2].page_id)[1]
    told = Constraint(
        attribute="elevation_m",
        op="between",
        low=1010,
        high=1200,
        unit="m",
        evidence=height.evidence,
    )
    chain = with_clue(made.chain, 2, changed(clue, constraints=(*clue.constraints, told)))
    question = asked(made, chain)
    assert faults(made, question, chain) == ["answer_in_question"]
    assert "answer_leak: 1010" in escapes(tmp_path, made, (question, chain))


def test_name_leak_in_the_text(tmp_path: Path):
    made = make(entities(start="Marked"), way=("Marked", "Arn", "Arnburg"))
    question = asked(made, made.chain)
    assert faults(made, question, made.chain) == ["name_leak"]
    assert "name_leak: Marked" in escapes(tmp_path, made, (question, made.chain))


@pytest.mark.parametrize(
    ("drawn", "reason", "problem"),
    [
        ("A town of ARN", "name_leak", "drawn_name: Arn"),
        ("since 1010", "answer_in_picture", "drawn_answer: 1010"),
    ],
)
def test_what_is_written_in_the_picture(drawn: str, reason: str, problem: str, tmp_path: Path):
    made = make(entities(drawn=(drawn,)), blank=True)
    question = asked(made, made.chain)
    assert faults(made, question, made.chain) == [reason]
    assert problem in escapes(tmp_path, made, (question, made.chain))


def test_evidence_not_found(tmp_path: Path):
    made = make(entities())
    chain = changed(made.chain, answer="1011", answer_aliases=())
    question = asked(made, chain)
    assert faults(made, question, chain) == ["evidence_not_found"]
    assert "wrong_answer: '1010', not '1011'" in escapes(tmp_path, made, (question, chain))


def test_ambiguous_picture(tmp_path: Path):
    made = make([*entities(), Entity("Twin", "settlement", picture=True)])
    first, second = made.snapshot.tables.images
    twin = changed(second, visual_facts=first.visual_facts)
    same = Snapshot(replace(made.snapshot.tables, images=(first, twin)))
    made = replace(made, snapshot=same)
    framed = grounded_questions(same, made.fuzzed, made.pictures)
    assert framed.questions.reasons() == {"ambiguous_picture": 1}
    question = asked(made, made.chain)
    assert faults(made, question, made.chain) == []
    assert "twin_picture: Twin" in escapes(tmp_path, made, (question, made.chain))


class Damaged(ImageStore):
    """Pictures of which the second half is lost, and nobody notices."""

    def bytes(self, sha256: str) -> bytes:
        data = super().bytes(sha256)
        return data[: len(data) // 2]


def test_unreadable_picture(tmp_path: Path):
    made = make(entities())
    store = Damaged(stored(made, tmp_path).root)
    framed = grounded_questions(made.snapshot, made.fuzzed, store)
    assert framed.questions.reasons() == {"unreadable_picture": 1}
    question = asked(made, made.chain)
    assert faults(made, question, made.chain) == []
    said = escapes(tmp_path, made, (question, made.chain), store=store)
    assert "pictures: number 0 is a damaged picture" in said


def test_small_picture(tmp_path: Path):
    made = make(entities())
    framed = grounded_questions(made.snapshot, made.fuzzed, made.pictures, min_picture_px=513)
    assert framed.questions.reasons() == {"small_picture": 1}
    small = Pictures(size=300)
    made = replace(made, snapshot=world(*made.entities, pictures=small), pictures=small)
    question = asked(made, made.chain)
    assert faults(made, question, made.chain) == []
    said = escapes(tmp_path, made, (question, made.chain))
    assert "the question's is 300 pixels along its shorter side" in said


def test_picture_not_needed(tmp_path: Path):
    towns = [replace(each, picture=each.infobox == "settlement") for each in entities()[1:]]
    rivers = [Entity("Sten", "river", {"countries": ["Arn", "Bel"]}, picture=True)]
    rivers += [Entity("Rill", "river", {"countries": ["Cor"]})]
    made = alike(make([rivers[0], *towns, rivers[1]]))
    framed = grounded_questions(made.snapshot, made.fuzzed, made.pictures)
    harder = visualized_questions(made.walker, framed, nodes=1, facts=1, seed=1)
    assert harder.questions.reasons() == {"picture_not_needed": 1}
    last = made.chain.nodes[2]
    picture = made.snapshot.image(last.page_id)
    assert picture is not None
    shows = Constraint(attribute="picture", op="shows", value="a red sign")
    clue = verbalise.clue_of(last)
    told = changed(clue, constraints=(*clue.constraints, shows))
    seen = changed(last, clue=told, images=(picture.image,))
    chain = changed(made.chain, nodes=(*made.chain.nodes[:2], seen))
    question = asked(made, chain)
    assert faults(made, question, chain) == []
    said = escapes(tmp_path, made, (question, chain))
    assert said.endswith("idle_look: hop 2 is known without its picture")


def alike(made: Made) -> Made:
    """The same world, in which every picture but the first shows a red sign."""
    first, *others = made.snapshot.tables.images
    signs = [changed(image, visual_facts=("a red sign",)) for image in others]
    snapshot = Snapshot(replace(made.snapshot.tables, images=(first, *signs)))
    return replace(made, snapshot=snapshot, walker=Walker(snapshot, RULES))


def test_duplicates(tmp_path: Path):
    made = make(entities())
    question = asked(made, made.chain)
    ways = ("the capital of that country is", "that country has its capital in")
    first, second = ways if ways[0] in question.text.casefold() else ways[::-1]
    said_anew = question.text.replace(first.capitalize(), second.capitalize())
    assert said_anew != question.text
    again = changed(question, text=said_anew)
    assert faults(made, again, made.chain) == []
    staged = drop_duplicates([question, again], [made.chain], lambda _: 0)
    assert sum(staged.reasons().values()) == 1
    said = escapes(tmp_path, made, (question, made.chain), (again, made.chain))
    assert said.endswith("shared: the way is in the RL file twice")
