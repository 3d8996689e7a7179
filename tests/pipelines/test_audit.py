"""The command that audits a file: what it says, writes and ends with."""

import json
import re

import pytest
import typer
from typer.testing import CliRunner

from hopsight.errors import HopsightError
from pipelines.commands.audit import FOUND, audit

QUESTION = "In which year did the sailor in the portrait leave the harbour of Uldenhof for good?"


@pytest.fixture
def command(tmp_path):
    app = typer.Typer()
    app.command()(audit)

    def run(rows, *arguments):
        path = tmp_path / "data.jsonl"
        path.write_text("\n".join(map(json.dumps, rows)))
        return CliRunner().invoke(app, [str(path), *map(str, arguments)])

    return run


def test_a_file_without_findings(command):
    ran = command([{"question": QUESTION, "answer": "1731"}])
    assert ran.exit_code == 0
    assert "1 of 1 rows have no finding" in ran.output
    assert "question 1" in ran.output


def test_findings_are_told_by_reason_and_end_with_a_status_of_their_own(command):
    ran = command([{"question": QUESTION, "answer": "Uldenhof"}, {"question": 3}])
    assert ran.exit_code == FOUND
    assert "0 of 2 rows have no finding" in ran.output
    assert re.search(r"leak +answer_in_question +1 +50\.0 % +row 1: Uldenhof", ran.output)


def test_benchmarks(command, tmp_path):
    bench = tmp_path / "bench.csv"
    bench.write_text(f'question,answer\n"{QUESTION}",1731\n,\n')
    ran = command([{"question": QUESTION, "answer": "1731"}], "--benchmark", bench)
    assert ran.exit_code == FOUND
    assert "Held against 1 benchmark rows; 1 rows or pictures of theirs are unusable" in ran.output
    assert "bench.csv:2: no_question" in ran.output
    assert "benchmark_text" in ran.output


def test_a_report_with_everything_escaped(command, tmp_path):
    odd = "<script>alert(1)</script> | [a](http://b) `x` \x1b[31m\nnext"
    rows = [{odd: 1}, {"question": f"What is {odd}?", "answer": odd}]
    ran = command(rows, "--out", tmp_path / "out")
    assert ran.exit_code == FOUND
    assert "\x1b" not in ran.output
    report = (tmp_path / "out/report.md").read_text()
    table = [line for line in report.splitlines() if line.startswith("|")]
    assert len(table) == 2 + 2
    assert all(len(re.findall(r"(?<!\\)\|", line)) == 6 for line in table)
    assert "<script" not in report
    assert "\x1b" not in report
    assert not re.search(r"(?<!\\)\]\(", report)
    lines = (tmp_path / "out/findings.jsonl").read_text().splitlines()
    assert [json.loads(line)["row"] for line in lines] == [1, 2]
    assert "| rows | 2 |" in (tmp_path / "out/card.md").read_text()


def test_the_same_file_gives_the_same_bytes(command, tmp_path):
    rows = [{"question": QUESTION, "answer": str(number % 3)} for number in range(9)]
    command(rows, "--out", tmp_path / "a")
    command(rows, "--out", tmp_path / "b")
    for name in ("card.md", "report.md", "findings.jsonl"):
        assert (tmp_path / "a" / name).read_bytes() == (tmp_path / "b" / name).read_bytes()


@pytest.mark.parametrize("name", ["no.jsonl", "data.txt", "empty.jsonl", "one.json"])
def test_what_is_no_such_file_is_told(tmp_path, name):
    (tmp_path / "data.txt").write_text("x")
    (tmp_path / "empty.jsonl").write_text("")
    (tmp_path / "one.json").write_text(json.dumps({"data": [{"question": "q"}]}, indent=1))
    app = typer.Typer()
    app.command()(audit)
    ran = CliRunner().invoke(app, [str(tmp_path / name)])
    assert ran.exit_code == 1
    assert isinstance(ran.exception, HopsightError), ran.exception
