"""What the command shows of stored data: the funnel, one question told whole, a record's past."""

from rich.table import Table

from curation.funnel import HEADER, cells, read_funnel
from hopsight.types import (
    Constraint,
    Evidence,
    EvidenceChain,
    EvidenceNode,
    ExportRow,
    PassRate,
    Question,
)
from hopsight.unique import INFOBOX
from hopsight.workspace import Workspace
from pipelines.terminal import console, plain

WIDEST = 120
"""Columns of text that are still read with ease, in a wide terminal or a file."""


def print_funnel(workspace: Workspace, round: str) -> None:
    """What entered each stage, what it kept, and what it rejected, by reason."""
    table = Table(title=f"Funnel of round {round}", title_justify="left", box=None, pad_edge=False)
    for name in HEADER:
        is_count = name in {"entered", "kept", "rejected"}
        table.add_column(name, justify="right" if is_count else "left", overflow="fold")
    for line in cells(read_funnel(workspace.store, round)):
        table.add_row(*(plain(cell) for cell in line))
    console.print()
    console.print(table, width=min(console.width, WIDEST))


def print_pass_rates(workspace: Workspace, round: str) -> None:
    """How often each agent is right, over all questions and rollouts."""
    rates = workspace.store.read("pass_rates", round, PassRate)
    for policy in sorted({rate.policy for rate in rates}):
        graded = sum(rate.graded for rate in rates if rate.policy == policy)
        correct = sum(rate.correct for rate in rates if rate.policy == policy)
        share = correct / graded if graded else 0.0
        console.print(f"  {plain(policy):<18} right in {share:.0%} of {graded:,} rollouts")


def print_story(workspace: Workspace, round: str) -> None:
    """One exported question from its picture to its answer, with the sentences that carry it."""
    rows = workspace.store.read("sft_rows", round, ExportRow)
    questions = {q.id: q for q in workspace.store.read("curated_questions", round, Question)}
    chains = {c.id: c for c in workspace.store.read("refined_chains", round, EvidenceChain)}
    if not rows:
        console.print("\nNo question reached the SFT data set.")
        return
    told = [questions[row.question_id] for row in rows]
    question = max(told, key=lambda each: (len(chains[each.chain_id].nodes) == 4, each.id))
    tell_question(workspace, question, chains[question.chain_id])


def tell_question(workspace: Workspace, question: Question, chain: EvidenceChain) -> None:
    """Picture, text, the way with its evidence, the answer."""
    grid = Table.grid(padding=(0, 2))
    grid.add_column(justify="right", style="dim")
    grid.add_column(overflow="fold")
    grid.add_row("asked", f"[bold]{plain(question.text)}[/bold]")
    grid.add_row()
    for number, node in enumerate(chain.nodes):
        before = chain.nodes[number - 1] if number else None
        grid.add_row(str(number), f"[bold]{plain(node.title)}[/bold]: {_way(before, node)}")
        if node.hop is not None:
            grid.add_row("", _quoted(node.hop))
    attribute = chain.attribute.replace("_", " ")
    last = plain(f"{attribute} of {chain.nodes[-1].title}")
    grid.add_row("answer", f"[bold]{plain(question.answer)}[/bold], {last}")
    grid.add_row("", _quoted(chain.answer_evidence))
    console.print(f"\nOne question, from picture to answer ({question.id})\n")
    for image in question.images:  # not in the grid: a path that wraps cannot be opened
        console.print(f"picture  {workspace.images.path(image.sha256)}", soft_wrap=True)
    console.print(grid, width=min(console.width, WIDEST))


def _way(before: EvidenceNode | None, node: EvidenceNode) -> str:
    if before is None or node.clue is None:
        return "seen in the picture"
    clue = node.clue
    holder, value = (node, before) if clue.inverse else (before, node)
    fact = f"{holder.title} · {clue.relation.replace('_', ' ')} · {value.title}"
    told = [condition(each) for each in clue.constraints if each.attribute != INFOBOX]
    return plain("; ".join([fact, *told]))


def _quoted(evidence: Evidence) -> str:
    place = f"{evidence.title}, revision {evidence.revision}, {evidence.start}–{evidence.end}"
    return f"[dim]“{plain(evidence.sentence)}” ({plain(place)})[/dim]"


def condition(constraint: Constraint) -> str:
    """A condition of a clue in words."""
    name = constraint.attribute.replace("_", " ")
    if constraint.value is not None:
        return f"{name}: {constraint.value}"
    low, high = (
        f"{bound:.10g}" if bound is not None else "…" for bound in (constraint.low, constraint.high)
    )
    return f"{name}: {low} to {high}"
