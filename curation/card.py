"""The dataset card, in the format of the Hugging Face hub: YAML front matter, then Markdown."""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field

import yaml

from curation.attribution import Credit
from curation.funnel import cells
from curation.levels import Level
from curation.probes import probe_figures
from curation.search_leaks import SearchLeaks
from curation.tables import markdown_table
from hopsight.chains.framed import by_id, chain_of
from hopsight.passk import pass_interval
from hopsight.types import (
    Domain,
    EvidenceChain,
    FunnelRow,
    PassRate,
    ProbeResult,
    Question,
    SplitAssignment,
)

REFERENCE_NOTICE = "Made by reference agents; for trying out, not for training."


@dataclass(frozen=True, slots=True)
class CardFacts:
    """What a card is made from. Cost in US dollars; `models` maps roles to model names.

    `cost_usd` is too low by `unpriced_calls`, whose price nobody knows. `leaks` holds the figures
    of rollouts by the role that made them.
    """

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
    unpriced_calls: int = 0
    files: Mapping[str, int] = field(default_factory=dict)
    pictures: Sequence[Credit] = ()
    levels: Sequence[Level] = ()
    probes: Sequence[ProbeResult] = ()
    leaks: Mapping[str, SearchLeaks] = field(default_factory=dict)


def dataset_card(facts: CardFacts) -> str:
    """The card as Markdown. Nothing in it depends on the clock or the machine."""
    sections = [
        _front_matter(facts),
        _intro(facts),
        _table("Files", ("file", "rows"), _items(facts.files)),
        _counts(facts),
        _pass_rates(facts),
        _levels(facts.levels),
        _probes(facts.probes),
        _leaks(facts.leaks),
        _table("Funnel", ("stage", "entered", "kept", "rejected", "reasons"), cells(facts.funnel)),
        _pictures(facts.pictures),
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
        parts.append(markdown_table((title.lower(), "questions"), rows))
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


def _levels(levels: Sequence[Level]) -> str:
    """By operator and by difficulty, with the share that each policy solves of what was graded."""
    policies = sorted({policy for level in levels for policy in level.rates})
    parts = []
    for by, title in (("operator", "last operator"), ("difficulty", "total difficulty")):
        rows = [
            (each.value, f"{each.questions:,}", *(_solved(each, policy) for policy in policies))
            for each in levels
            if each.by == by
        ]
        parts.append(markdown_table((title, "questions", *policies), rows))
    note = (
        "Of all questions that were rolled out, kept or not: the share of graded rollouts that"
        " are correct. Total difficulty counts hops, added hops, facts that stand for a relation"
        " and visual facts."
    )
    return "\n\n".join(("## Difficulty", *parts, note)) if levels else ""


def _solved(level: Level, policy: str) -> str:
    graded, correct = level.rates.get(policy, (0, 0))
    return f"{correct / graded:.3f} ({correct:,} of {graded:,})" if graded else "–"


def _probes(results: Sequence[ProbeResult]) -> str:
    header = ("probe", "questions", "solved", "unjudged", "95 % interval of solved")
    rows = [
        (
            each.probe,
            f"{each.tried:,}",
            f"{each.solved:,}",
            f"{each.unjudged:,}",
            f"{each.interval.low:.3f}–{each.interval.high:.3f}",
        )
        for each in probe_figures(results)
    ]
    note = "Shortcuts that were tried; a question that one solves is out."
    return f"{_table('Probes', header, rows)}\n\n{note}" if rows else ""


def _leaks(leaks: Mapping[str, SearchLeaks]) -> str:
    header = ("role", "rollouts", *next(iter(leaks.values())).told()) if leaks else ()
    rows = [
        (role, f"{each.rollouts:,}", *(f"{number:,}" for number in each.told().values()))
        for role, each in sorted(leaks.items())
    ]
    return _table("Leaks while searching", header, rows)


def _pictures(pictures: Sequence[Credit]) -> str:
    groups = Counter(name for name, _ in {(each.license, each.sha256) for each in pictures})
    table = _table("Pictures", ("licence", "pictures"), _items(groups))
    note = "ATTRIBUTION.md names the author and the source of each."
    return f"{table}\n\n{note}" if table else ""


def _cost(facts: CardFacts) -> str:
    told = f"{facts.cost_usd:.2f} US dollars, {facts.model_calls:,} paid model calls"
    unknown = facts.unpriced_calls
    more = f"; {unknown:,} of them have no known price and are in no sum" if unknown else ""
    return f"## Cost\n\n{told}{more}."


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
    return f"## {title}\n\n{markdown_table(header, rows)}" if rows else ""
