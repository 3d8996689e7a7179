"""SFT rows: ShareGPT conversations as LLaMA-Factory loads them."""

import json
import re
from pathlib import Path
from typing import Any

from tests.checker.rows import PLACEHOLDER, Row, check_pictures, opened
from tests.checker.words import same

FILE = "sft.json"
COLUMNS = {
    "messages": "conversations",
    "images": "images",
    "system": "system",
    "tools": "tools",
}
_KEYS = frozenset("id conversations images system tools answer constraints".split())
_LETTERS = {"human": "h", "function_call": "c", "observation": "o", "gpt": "g"}
_SCALARS = frozenset("string number integer boolean".split())
_ANSWER = re.compile(r"<answer>(.*?)</answer>", re.DOTALL)
_THOUGHT = re.compile(r"<think>.*?</think>\s*", re.DOTALL)


def read_sft(folder: Path) -> list[Row]:
    """The rows of sft.json with what is wrong with each. Raises OSError, ValueError, KeyError."""
    rows = json.loads((folder / FILE).read_text(encoding="utf-8"))
    if not isinstance(rows, list):
        raise TypeError(f"{FILE} is not a list of rows")
    return [_row(number, row, folder) for number, row in enumerate(rows)]


def info_problems(folder: Path) -> list[str]:
    """What keeps LLaMA-Factory from finding the file and its columns."""
    info = json.loads((folder / "dataset_info.json").read_text(encoding="utf-8"))
    entries = [entry for entry in info.values() if entry.get("file_name") == FILE]
    if len(entries) != 1 or entries[0].get("formatting") != "sharegpt":
        return [f"dataset_info.json: no ShareGPT entry for {FILE}"]
    columns = entries[0].get("columns", {})
    return [
        f"dataset_info.json: {name} is not read from {column}"
        for name, column in COLUMNS.items()
        if columns.get(name) != column
    ]


def _row(number: int, row: dict[str, Any], folder: Path) -> Row:
    place = f"{FILE} row {number}"
    missing = sorted(_KEYS - set(row))
    if missing:
        return Row(place, "", "", "", "", "", [f"schema: no {', '.join(missing)}"])
    problems: list[str] = []
    messages = [(message["from"], message["value"]) for message in row["conversations"]]
    _check_turns([role for role, _ in messages], problems)
    tools = _tools(row["tools"], problems)
    for role, value in messages:
        if role == "function_call":
            _check_call(value, tools, problems)
    text, _ = opened(messages[0][1] if messages else "", problems)
    said = sum(value.count(PLACEHOLDER) for _, value in messages)
    picture = check_pictures(said, _pictures(row["images"], folder, problems), problems)
    _check_answer(messages[-1][1] if messages else "", row["answer"], problems)
    return Row(place, row["id"], text, row["answer"], row["constraints"], picture, problems)


def _check_turns(roles: list[str], problems: list[str]) -> None:
    letters = "".join(_LETTERS.get(role, "?") for role in roles)
    if not re.fullmatch("h(?:co)*g", letters):
        problems.append(f"turns: not human, (function_call, observation)*, gpt: {letters}")
    if len(roles) % 2:
        problems.append(f"turns: {len(roles)} of them, an odd number")


def _pictures(paths: list[str], folder: Path, problems: list[str]) -> list[bytes]:
    found = []
    for path in paths:
        file = (folder / path).resolve()
        if not file.is_relative_to(folder.resolve()) or not file.is_file():
            problems.append(f"pictures: no file {path} in the export")
            found.append(b"")
        else:
            found.append(file.read_bytes())
    return found


def _tools(written: str, problems: list[str]) -> dict[str, set[str]]:
    """Names of tools with the names of their arguments."""
    found: dict[str, set[str]] = {}
    try:
        for tool in json.loads(written):
            arguments = tool["parameters"]["properties"]
            found[tool["name"]] = set(arguments)
            for name, schema in arguments.items():
                if schema.get("type") not in _SCALARS:
                    problems.append(f"tools: argument {name} of {tool['name']} is no scalar")
    except (ValueError, TypeError, KeyError, AttributeError) as error:
        problems.append(f"tools: not a JSON list of tools with arguments: {error!r}")
    return found


def _check_call(value: str, tools: dict[str, set[str]], problems: list[str]) -> None:
    """One call or a list of them as JSON, after the thought."""
    try:
        calls = json.loads(_THOUGHT.sub("", value, count=1))
        for call in calls if isinstance(calls, list) else [calls]:
            unknown = set(call["arguments"]) - tools.get(call["name"], set())
            if call["name"] not in tools or unknown:
                problems.append(f"calls: {call['name']} with {sorted(unknown)} is not among tools")
            if any(isinstance(each, dict | list) for each in call["arguments"].values()):
                problems.append(f"calls: {call['name']} has an argument that is no scalar")
    except (ValueError, TypeError, KeyError, AttributeError) as error:
        problems.append(f"calls: {value[-60:]!r} is no call: {error!r}")


def _check_answer(final: str, answer: str, problems: list[str]) -> None:
    given = _ANSWER.findall(_THOUGHT.sub("", final))
    if len(given) != 1 or not same(given[0], answer):
        problems.append(f"final_answer: {given} in the last turn, {answer!r} in the row")
