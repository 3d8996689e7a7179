"""The checks on one row's question, and on an export as a whole."""

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import TypeVar

import pyarrow as pa

from tests.checker.grammar import Reading, UnreadableError, read_question
from tests.checker.held import read_eval
from tests.checker.needs import idle_hop, idle_look, telling_hop
from tests.checker.rl import read_rl, schema_problems
from tests.checker.rows import Row
from tests.checker.sft import info_problems, read_sft
from tests.checker.solve import (
    MalformedError,
    Riddle,
    Solution,
    UnsolvedError,
    meets,
    read_riddle,
    solve,
)
from tests.checker.wording import wording_problems
from tests.checker.words import contains, same, tokens
from tests.checker.world import World

T = TypeVar("T")
FEWEST = 3
"""Articles that a hop's description has to fit by itself."""


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


def check_rl(folder: Path, world: World) -> Report:
    """Check a folder with nothing but rl.parquet against the world."""
    rows = read_rl(folder)
    kinds = world.kinds()
    for row in rows:
        row.problems += question_problems(world, row, kinds)
    _check_shared([], rows)
    failed = [f"{row.place} ({row.id}): {'; '.join(row.problems)}" for row in rows if row.problems]
    return Report(0, len(rows), 0, (*schema_problems(folder), *failed))


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
    relations = tuple((step.relation, step.inverse) for step in riddle.steps)
    row.way = (solution.path, relations, riddle.ask)
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
    look = idle_look(world, riddle, solution)
    if look is not None:
        problems.append(f"idle_look: hop {look} is known without its picture")
    telling = telling_hop(world, riddle, FEWEST)
    if telling is not None:
        problems.append(f"telling_hop: fewer than {FEWEST} articles fit hop {telling} by itself")
    problems += [f"twin_picture: {title}" for title in twins(world, solution.path[0])]
    problems += _unborne(world, riddle, solution)
    problems += _leaks(world, row, solution)
    meant = Reading(anchor or "", riddle.steps, riddle.ask)
    try:
        problems += _reading_problems(row.text, meant, kinds)
    except UnreadableError as error:
        problems += wording_problems(row.text, riddle) if worded else [f"text_unreadable: {error}"]
    return problems


def twins(world: World, title: str) -> list[str]:
    """Articles whose picture cannot be told from this one's by what it shows and says."""
    look = world.articles[title].look
    if not (look.facts or look.words):
        return []
    return sorted(
        other.title
        for other in world.articles.values()
        if other.look == look and other.title != title
    )


def _unborne(world: World, riddle: Riddle, solution: Solution) -> Iterable[str]:
    """What is said of an article that nothing says: it may be true, but nobody can find it."""
    for number, (title, step) in enumerate(zip(solution.path[1:], riddle.steps, strict=True), 1):
        for each in sorted(step.conditions, key=repr):
            if not meets(world.articles[title], each):
                yield f"unborne: nothing says {each.attribute} of hop {number}"


def _leaks(world: World, row: Row, solution: Solution) -> Iterable[str]:
    """Names and answers in the text, and in the writing on the picture that a solver is given.

    The picture may name its own article: to read it is the task.
    """
    first, *others = (world.articles[title] for title in solution.path)
    hidden = {name for article in others for name in article.names}
    answers = {row.answer}
    if solution.value.page is not None:
        answers |= world.articles[solution.value.page].names
        answers |= world.articles[solution.value.page].shared
    shared = {name for article in (first, *others) for name in article.shared}
    drawn = "\n".join(first.look.words)
    yield from _said("name_leak", row.text, hidden | first.names | shared)
    yield from _said("answer_leak", row.text, answers)
    yield from _said("drawn_name", drawn, hidden)
    yield from _said("drawn_answer", drawn, answers)


def _said(reason: str, text: str, names: Iterable[str]) -> Iterable[str]:
    return (f"{reason}: {name}" for name in sorted(names) if contains(text, name))


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
    """SFT and RL share no question, and RL has none twice, in these words or in others.

    The same words about another picture are another question.
    """
    ids = {row.id for row in sft}
    told, ways = {_told(row) for row in sft}, {row.way for row in sft} - {None}
    seen: set[object] = set()
    walked: set[object] = set()
    for row in rl:
        if row.id in ids:
            row.problems.append("shared: the question is in the SFT file too")
        if _told(row) in told:
            row.problems.append("shared: the text is in the SFT file too")
        elif row.way in ways:
            row.problems.append("shared: the way is in the SFT file too")
        if _told(row) in seen:
            row.problems.append("shared: the text is in the RL file twice")
        elif row.way in walked:
            row.problems.append("shared: the way is in the RL file twice")
        seen.add(_told(row))
        walked |= {row.way} - {None}


def _told(row: Row) -> tuple[tuple[str, ...], str]:
    return tokens(row.text), row.picture
