"""The dataset card, in the format of the Hugging Face hub: YAML front matter, then Markdown."""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field

import yaml

from curation.funnel import cells
from hopsight.chains.framed import by_id, chain_of
from hopsight.passk import pass_interval
from hopsight.types import (
    Domain,
    EvidenceChain,
    FunnelRow,
    PassRate,
    Question,
    SplitAssignment,
)

REFERENCE_NOTICE = "Made by reference agents; for trying out, not for training."


@dataclass(frozen=True, slots=True)
class CardFacts:
    """What a card is made from. Cost in US dollars; `models` maps roles to model names."""

    name: str
    round: str
    source: str
    license: str
    models: Mapping[str, str]
    fingerprint: str
    questions: Sequence[Question]
    chains: Sequence[EvidenceChain]
    domains: Mapping[int, Domain]
    splits: Sequence[SplitAssignment]
    rates: Sequence[PassRate]
    funnel: Sequence[FunnelRow]
    cost_usd: float = 0.0
    model_calls: int = 0
    files: Mapping[str, int] = field(default_factory=dict)


def dataset_card(facts: CardFacts) -> str:
    """The card as Markdown. Nothing in it depends on the clock or the machine."""
    sections = [
        _front_matter(facts),
        _intro(facts),
        _table("Files", ("file", "rows"), _items(facts.files)),
        _counts(facts),
        _pass_rates(facts),
        _table("Funnel", ("stage", "entered", "kept", "rejected", "reasons"), cells(facts.funnel)),
        _pictures(facts.questions),
        _cost(facts),
        _limits(),
    ]
    return "\n\n".join(section.rstrip() for section in sections if section) + "\n"


def _front_matter(facts: CardFacts) -> str:
    head = {
        "license": facts.license,
        "task_categories": ["visual-question-answering", "question-answering"],
        "language": ["en"],
        "pretty_name": facts.name,
        "tags": ["multi-hop", "tool-use", "synthetic"],
        "size_categories": [_size(len(facts.splits))],
    }
    return f"---\n{yaml.safe_dump(head, sort_keys=False, allow_unicode=True)}---"


def _size(rows: int) -> str:
    bounds = ((1_000, "n<1K"), (10_000, "1K<n<10K"), (100_000, "10K<n<100K"))
    return next((name for bound, name in bounds if rows < bound), "100K<n<1M")


def _intro(facts: CardFacts) -> str:
    notice = f"> **{REFERENCE_NOTICE}**\n\n" if _is_reference(facts.models) else ""
    models = ", ".join(f"{role}: {name}" for role, name in sorted(facts.models.items()))
    return (
        f"# {facts.name}\n\n{notice}"
        "Questions that take a picture, several hops and tools to answer. Every question carries"
        " its chain of evidence: sentences with page, revision and span.\n\n"
        f"- Round: {facts.round} (configuration {facts.fingerprint[:16]})\n"
        f"- Source: {facts.source}\n"
        f"- Models: {models}"
    )


def _is_reference(models: Mapping[str, str]) -> bool:
    return any(name.startswith("reference") for name in models.values())


def _counts(facts: CardFacts) -> str:
    chains = by_id(facts.chains)
    chosen = {each.question_id: each for each in facts.splits}
    questions = [each for each in facts.questions if each.id in chosen]
    chain_for = {each.id: chain_of(each, chains) for each in questions}
    groups: list[tuple[str, Iterable[str]]] = [
        ("Split", (each.split for each in facts.splits)),
        ("Band", (each.band for each in facts.splits)),
        ("Operator", (each.operator for each in questions)),
        ("Hops", (str(len(chain_for[each.id].nodes) - 1) for each in questions)),
        ("Domain of the anchor", (_domain(facts, chain_for[each.id]) for each in questions)),
    ]
    parts = [f"## Counts\n\n{len(questions)} questions."]
    for title, values in groups:
        rows = _items(Counter(values))
        parts.append(_markdown((title.lower(), "questions"), rows))
    return "\n\n".join(parts)


def _domain(facts: CardFacts, chain: EvidenceChain) -> str:
    return str(facts.domains.get(chain.nodes[0].page_id, "unknown"))


def _pass_rates(facts: CardFacts) -> str:
    rows = []
    for policy in sorted({rate.policy for rate in facts.rates}):
        rates = [rate for rate in facts.rates if rate.policy == policy]
        graded, correct = sum(r.graded for r in rates), sum(r.correct for r in rates)
        low, high = pass_interval(graded, correct)
        share = f"{correct / graded:.3f}" if graded else "–"
        lost = sum(rate.n - rate.graded for rate in rates)
        rows.append(
            (policy, str(len(rates)), str(graded), str(lost), share, f"{low:.3f}–{high:.3f}")
        )
    header = ("policy", "questions", "graded", "lost", "pass rate", "95 % interval")
    note = "Rollouts that infrastructure ended are counted as lost and are in no rate."
    table = _table("Pass rates", header, rows)
    return f"{table}\n\n{note} The interval (Wilson) takes rollouts as independent." if rows else ""


def _pictures(questions: Sequence[Question]) -> str:
    used = {
        (image.sha256, image.license, image.author)
        for question in questions
        for image in question.images
    }
    groups = Counter((name, author) for _, name, author in used)
    rows = [(name, author, str(number)) for (name, author), number in sorted(groups.items())]
    return _table("Pictures", ("licence", "author", "pictures"), rows)


def _cost(facts: CardFacts) -> str:
    return f"## Cost\n\n{facts.cost_usd:.2f} US dollars, {facts.model_calls:,} paid model calls."


def _limits() -> str:
    return (
        "## Limits\n\n"
        "Questions are unique within the source, not in the world at large: what the source leaves"
        " out could fit too. Uniqueness is checked against its facts: a fact that the source lacks"
        " counts as open, one that it has wrong is believed. Bands rest on few rollouts and are"
        " noisy. SFT and RL share no question; training and evaluation share no anchor, picture"
        " or (answer entity, attribute); entities in between may recur."
    )


def _items(counts: Mapping[str, int]) -> list[tuple[str, ...]]:
    return [(name, f"{number:,}") for name, number in sorted(counts.items())]


def _table(title: str, header: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    return f"## {title}\n\n{_markdown(header, rows)}" if rows else ""


def _markdown(header: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    lines = [header, ["---"] * len(header), *rows]
    return "\n".join(f"| {' | '.join(_cell(cell) for cell in line)} |" for line in lines)


def _cell(text: str) -> str:
    """A cell from outside text: no line breaks, no column marks, no HTML."""
    flat = " ".join(text.split())
    return flat.replace("|", "\\|").replace("<", "&lt;")
