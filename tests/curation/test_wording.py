"""Models read and word grounded questions; the far side is scripted by what it is asked."""

import asyncio
import json
import re

import pytest

from curation.wording import OPERATOR, Readers, hop_claims, rivals, worded_anew, worded_questions
from hopsight.chains.framed import changed, framed
from hopsight.errors import ProviderError
from hopsight.llm.chat import ChatAnswer, TokenUse
from hopsight.reference.generator import verbalise
from hopsight.unique import FactIndex
from refine.operator import drafted
from tests.curation import made

WORLD = made.walker().world
GROUNDED = made.grounded()


class Model:
    """Answers each step by its schema; `say` holds answers other than the good ones."""

    def __init__(self, **say):
        self.say = say
        self.asked = []

    def __call__(self, record_id):
        async def complete(request, sample):
            name = request.schema_name
            self.asked.append((record_id, name))
            said = self.say[name] if name in self.say else GOOD[name]
            if isinstance(said, Exception):
                raise said
            value = said(text_of(request)) if callable(said) else said
            return ChatAnswer(
                text=json.dumps(value),
                finish="stop",
                model="m",
                tokens=TokenUse(prompt=9, completion=9),
            )

        return complete


def text_of(request):
    return "\n".join(part for each in request.messages for part in each.content)


def listed(text, name):
    """How many numbered lines a prompt holds under that name."""
    found = re.search(rf'<data name="{name}">\n(.*?)\n</data>', text, re.DOTALL)
    return len(re.findall(r"^\d+\. ", found[1], re.MULTILINE)) if found else 0


def all_stated(text):
    count = listed(text, "statements")
    findings = [{"number": n, "finding": "stated"} for n in range(1, count + 1)]
    return {"findings": findings, "more": []}


GOOD = {
    "Fitting": {"reason": "another one", "verdict": "differs"},
    "HopFinding": {"reason": "it says so", "verdict": "supported"},
    "WordingFindings": all_stated,
}


def rules(record_id):
    """Nobody is asked."""


def run(generator=rules, verifier=rules, grounded=GROUNDED):
    readers = Readers(generator, verifier, 4)
    return asyncio.run(worded_questions(WORLD, FactIndex(WORLD), grounded, readers))


def parents(questions):
    return {question.parent_id for question in questions}


def test_rules_leave_every_question_as_it_is_worded():
    found = run()
    assert [q.text for q in found.questions.kept] == [q.text for q in GROUNDED.questions.kept]
    assert found.chains == GROUNDED.chains


def test_every_question_is_kept_or_rejected_under_the_id_that_entered():
    found = run(verifier=Model(HopFinding={"reason": "no", "verdict": "not_supported"}))
    assert found.questions.kept == ()
    assert (
        found.questions.reasons()
        == {"hop_not_supported": len(GROUNDED.questions.kept)} | GROUNDED.questions.reasons()
    )
    assert {row.record_id for row in found.questions.rejected} >= parents(GROUNDED.questions.kept)


def test_the_generators_wording_takes_the_place_of_the_rules():
    question, chain = GROUNDED.questions.kept[0], GROUNDED.chains[0]
    text = f"Now tell me this, please. {question.text}"
    one = framed(1, [(question, chain)], [])
    found = run(generator=Model(WrittenQuestion={"question": text}), grounded=one)
    (worded,) = found.questions.kept
    assert (worded.text, worded.operator, worded.prompt.name) == (text, OPERATOR, "verbalise_path")
    assert (worded.answer, worded.images, worded.chain_id) == (
        question.answer,
        question.images,
        question.chain_id,
    )


def test_a_wording_that_gives_a_name_away_is_refused():
    question, chain = GROUNDED.questions.kept[0], GROUNDED.chains[0]
    text = question.text.replace("?", f", as {chain.nodes[-1].title} does?")
    one = framed(1, [(question, chain)], [])
    found = run(generator=Model(WrittenQuestion={"question": text}), grounded=one)
    (row,) = found.questions.rejected
    assert row.reason == "generator_refused"
    assert "gives away" in row.detail


def test_questions_that_every_reader_bears_out_are_kept():
    found = run(verifier=Model())
    assert found.questions == run().questions


def longer(question):
    """A generator's wording that no rule objects to."""
    return Model(WrittenQuestion={"question": f"Now tell me this, please. {question.text}"})


def one_question():
    question, chain = GROUNDED.questions.kept[0], GROUNDED.chains[0]
    return question, framed(1, [(question, chain)], [])


@pytest.mark.parametrize(
    ("findings", "reason"),
    [
        (lambda text: all_stated(text), None),
        (lambda text: all_stated(text) | {"more": ["x"]}, "wording_claims_more"),
    ],
)
def test_a_wording_is_read_again_for_what_it_claims_beside_its_statements(findings, reason):
    question, one = one_question()
    found = run(longer(question), Model(WordingFindings=findings), one)
    assert list(found.questions.reasons()) == ([reason] if reason else [])


def test_a_wording_that_lost_a_statement_is_rejected_unless_it_stands_there_word_for_word():
    def nothing_stated(text):
        findings = [each | {"finding": "not_stated"} for each in all_stated(text)["findings"]]
        return {"findings": findings, "more": []}

    question, one = one_question()
    reader = Model(WordingFindings=nothing_stated)
    assert len(run(longer(question), reader, one).questions.kept) == 1
    words = question.text.split()
    other = Model(WrittenQuestion={"question": " ".join([*words[:2], "indeed", *words[2:]])})
    (row,) = run(other, reader, one).questions.rejected
    assert row.reason == "wording_lost_a_clue"
    assert row.detail.endswith("?")  # what was written is told as well


def test_nobody_is_asked_to_read_the_words_of_the_rules_again():
    reader = Model()
    run(verifier=reader)
    assert "WordingFindings" not in {name for _, name in reader.asked}


def test_the_first_fault_of_a_question_is_the_last_call_about_it():
    reader = Model(HopFinding={"reason": "no", "verdict": "unclear"})
    found = run(verifier=reader)
    assert found.questions.kept == ()
    assert len(reader.asked) == len(GROUNDED.questions.kept)


@pytest.mark.parametrize("verdict", ["fits", "unknown"])
def test_a_rival_that_may_fit_for_the_verifier_is_told_and_rejects_its_question(verdict):
    found = run(verifier=Model(Fitting={"reason": "why not", "verdict": verdict}))
    several = [row for row in found.questions.rejected if row.reason == "not_unique_for_verifier"]
    index = FactIndex(WORLD)
    contested = [chain for chain in GROUNDED.chains if list(rivals(WORLD, index, chain))]
    assert len(several) == len(contested) > 0
    assert len(found.questions.kept) == len(GROUNDED.questions.kept) - len(contested)
    assert "why not" in several[0].detail


def test_an_outage_for_one_question_is_told_apart_and_one_for_all_ends_the_stage():
    first = GROUNDED.questions.kept[0].parent_id

    class Flaky(Model):
        def __call__(self, record_id):
            if record_id != first:
                return None
            return super().__call__(record_id)

    found = run(verifier=Flaky(HopFinding=ProviderError("away", "later")))
    (row,) = [row for row in found.questions.rejected if row.reason == "verifier_failed"]
    assert row.record_id == first
    with pytest.raises(ProviderError, match="away"):
        run(verifier=Model(HopFinding=ProviderError("away", "later")))


def test_every_hop_and_the_answer_are_claims_with_their_sentences():
    for chain in GROUNDED.chains:
        claims = hop_claims(WORLD, chain)
        assert [claim.target for claim in claims[:-1]] == [node.title for node in chain.nodes[1:]]
        assert claims[-1].target == chain.answer
        assert claims[-1].sentence == chain.answer_evidence.sentence


def test_a_claim_is_told_in_the_words_of_the_question_with_the_names_of_its_ends():
    for question, chain in zip(GROUNDED.questions.kept, GROUNDED.chains, strict=True):
        *hops, answer = hop_claims(WORLD, chain)
        for claim in hops:
            assert claim.source in claim.statement and claim.target in claim.statement
            assert "_" not in claim.statement and ": " not in claim.statement
        assert answer.statement.endswith(f"? {chain.answer}.")
        asked = answer.statement.partition("?")[0].replace(chain.nodes[-1].title, "")
        assert set(asked.lower().split()) <= set(question.text.rstrip("?").lower().split())


def test_the_final_question_passes_the_static_gates_once_more():
    question, chain = GROUNDED.questions.kept[0], GROUNDED.chains[0]
    evidence = changed(chain.answer_evidence, revision=chain.answer_evidence.revision + 1)
    stale = changed(chain, answer_evidence=evidence)
    one = framed(1, [(changed(question, chain_id=stale.id), stale)], [])
    found = run(grounded=one)
    assert found.questions.reasons() == {"evidence_not_found": 1}
    assert found.questions.rejected[0].record_id == question.parent_id


def test_only_what_an_operator_made_is_read_anew_and_the_rest_goes_on():
    pairs = list(GROUNDED.pairs)
    harder = [(changed(question, operator="blur"), chain) for question, chain in pairs[:2]]
    entered = framed(len(pairs), [*harder, *pairs[2:]])
    refuses = Model(HopFinding={"reason": "no", "verdict": "not_supported"})
    readers = Readers(rules, refuses, 4, "refined_questions")
    found = asyncio.run(worded_anew(WORLD, FactIndex(WORLD), entered, readers, {"blur"}))
    assert list(found.pairs) == pairs[2:]
    assert found.questions.entered == len(pairs)
    assert {row.stage for row in found.questions.rejected} == {"refined_questions"}
    assert {row.record_id for row in found.questions.rejected} == parents(q for q, _ in harder)


def test_a_question_with_a_picture_that_no_wiki_has_is_worded_by_what_it_shows():
    question, chain = GROUNDED.pairs[0]
    words = verbalise.shown_phrase(chain.nodes[0].infobox)
    elsewhere = (changed(question.images[0], sha256="0" * 64),)
    told = changed(question, images=elsewhere, text=verbalise.question(chain, words))
    model = Model()
    found = run(verifier=model, grounded=framed(1, [(told, chain)]))
    assert found.questions.kept == (told,)
    assert "WordingFindings" not in {name for _, name in model.asked}  # it says all word for word


def test_the_verifier_reads_the_sentences_of_the_draft():
    for _, chain in GROUNDED.pairs[:10]:
        *hops, answer = hop_claims(WORLD, chain)
        draft = drafted(chain)
        assert all(claim.statement in draft for claim in hops)
        assert answer.statement.removesuffix(f" {chain.answer}.") in draft
