"""The checks on one row's question, and on an export as a whole."""

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import TypeVar

import pyarrow as pa

from tests.checker.grammar import Reading, UnreadableError, read_question
from tests.checker.held import read_eval
from tests.checker.rl import read_rl, schema_problems
from tests.checker.rows import Row
from tests.checker.sft import info_problems, read_sft
from tests.checker.solve import (
    MalformedError,
    Solution,
    UnsolvedError,
    idle_hop,
    read_riddle,
    solve,
)
from tests.checker.wording import wording_problems
from tests.checker.words import contains, same, tokens
from tests.checker.world import World

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class Report:
    """How many rows were read, and a line for each failed row or file."""

    sft: int
    rl: int
    held: int
    failures: tuple[str, ...]


def check_exports(exports: Path, world: World, *, worded: bool = False) -> Report:
    """Check `exports`/sft, rl and eval against the world.

    `worded` lets pass a text that no pattern reads, if it keeps every figure and word.
    """
    files: list[str] = []
    sft = _read(read_sft, exports / "sft", files)
    rl = _read(read_rl, exports / "rl", files)
    held = _read(read_eval, exports / "eval", files)
    files += _read(info_problems, exports / "sft", files)
    files += _read(schema_problems, exports / "rl", files)
    kinds = world.kinds()
    rows = [*sft, *rl, *held]
    for row in rows:
        row.problems += question_problems(world, row, kinds, worded=worded)
    _check_shared(sft, rl)
    _check_held([*sft, *rl], held)
    failed = [f"{row.place} ({row.id}): {'; '.join(row.problems)}" for row in rows if row.problems]
    return Report(len(sft), len(rl), len(held), (*files, *failed))


def _read(reader: Callable[[Path], list[T]], folder: Path, failures: list[str]) -> list[T]:
    try:
        return reader(folder)
    except (OSError, ValueError, TypeError, KeyError, pa.ArrowInvalid) as error:
        failures.append(f"{folder}: cannot be read: {error!r}")
        return []


def question_problems(
    world: World, row: Row, kinds: dict[str, set[str]], *, worded: bool = False
) -> list[str]:
    """What is wrong with what a row asks: its answer, its hops, its secrets, its words."""
    if not row.constraints:
        return ["constraints: none"]
    try:
        riddle = read_riddle(row.constraints)
        solution = solve(world, riddle)
    except MalformedError as error:
        return [f"constraints: {error}"]
    except UnsolvedError as error:
        return [f"not_one_answer: {error}"]
    anchor = world.articles[solution.path[0]].kind
    problems = []
    if row.picture != riddle.picture:
        problems.append("picture: the first picture is not the one of the constraints")
    if not same(solution.value.text, row.answer):
        problems.append(f"wrong_answer: {solution.value.text!r}, not {row.answer!r}")
    idle = idle_hop(world, riddle, anchor)
    if idle is not None:
        what = f"hop {idle}" if idle else "the picture"
        problems.append(f"idle_hop: the answer stands without {what}")
    problems += _leaks(world, row, solution)
    meant = Reading(anchor or "", riddle.steps, riddle.ask)
    try:
        problems += _reading_problems(row.text, meant, kinds)
    except UnreadableError as error:
        problems += wording_problems(row.text, riddle) if worded else [f"text_unreadable: {error}"]
    return problems


def _leaks(world: World, row: Row, solution: Solution) -> list[str]:
    names = {name for title in solution.path for name in world.articles[title].names}
    answers = {row.answer}
    if solution.value.page is not None:
        answers |= world.articles[solution.value.page].names
    found = [f"name_leak: {name}" for name in sorted(names) if contains(row.text, name)]
    return found + [f"answer_leak: {name}" for name in sorted(answers) if contains(row.text, name)]


def _reading_problems(text: str, meant: Reading, kinds: dict[str, set[str]]) -> list[str]:
    read = read_question(text, kinds)
    if read == {meant}:
        return []
    if len(read) > 1:
        return [f"text_ambiguous: {len(read)} readings"]
    return [f"text_differs: {'; '.join(_differences(read.pop(), meant))}"]


def _differences(read: Reading, meant: Reading) -> Iterable[str]:
    if read.anchor != meant.anchor:
        yield f"the picture shows a {read.anchor}, not a {meant.anchor}"
    if read.ask != meant.ask:
        yield f"asks for {read.ask}, not {meant.ask}"
    if len(read.steps) != len(meant.steps):
        yield f"{len(read.steps)} hops, not {len(meant.steps)}"
    for number, (one, other) in enumerate(zip(read.steps, meant.steps, strict=False), start=1):
        if (one.relation, one.inverse) != (other.relation, other.inverse):
            yield f"hop {number} says {one.relation}, not {other.relation}"
        for each in sorted(one.conditions ^ other.conditions, key=repr):
            side = "text" if each in one.conditions else "constraints"
            yield f"hop {number}: only the {side} has {each}"


def _check_held(training: list[Row], held: list[Row]) -> None:
    """No picture that a training question starts from is one that is measured with."""
    pictures = {row.picture for row in held}
    for row in training:
        if row.picture in pictures:
            row.problems.append("shared: an evaluation question starts from the same picture")


def _check_shared(sft: list[Row], rl: list[Row]) -> None:
    """SFT and RL share no question, and RL has none twice."""
    ids = {row.id for row in sft}
    texts = {tokens(row.text) for row in sft}
    seen: set[tuple[str, ...]] = set()
    for row in rl:
        if row.id in ids:
            row.problems.append("shared: the question is in the SFT file too")
        if tokens(row.text) in texts:
            row.problems.append("shared: the text is in the SFT file too")
        if tokens(row.text) in seen:
            row.problems.append("shared: the text is in the RL file twice")
        seen.add(tokens(row.text))
