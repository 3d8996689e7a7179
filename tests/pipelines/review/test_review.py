"""The commands around the review: what they refuse, a sheet out, and in again."""

import csv
import socket

import pytest
from typer.testing import CliRunner

from curation.review import Decisions, standing
from hopsight.errors import HopsightError
from pipelines.commands.review import app
from tests.curation.review.rounds import ROUND, make_round, questions


@pytest.fixture
def command(tmp_path, monkeypatch):
    monkeypatch.setenv("HOPSIGHT_DATA", str(tmp_path / "data"))
    monkeypatch.delenv("HOPSIGHT_SERVE_TOKEN", raising=False)
    return lambda *arguments: CliRunner().invoke(app, [*map(str, arguments)])


def told(result):
    assert isinstance(result.exception, HopsightError), result.output
    return str(result.exception)


def test_a_round_without_questions_is_told_before_anything_listens(command):
    assert "materialize the asset grounded_questions" in told(command())
    assert "no token is set" in told(command("--host", "0.0.0.0"))


def test_an_address_in_use_is_told(command):
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        port = taken.getsockname()[1]
        assert f"the review page cannot listen on 127.0.0.1:{port}" in told(command("--port", port))


@pytest.mark.parametrize("suffix", [".csv", ".parquet"])
def test_a_sheet_goes_out_and_comes_in(command, tmp_path, suffix):
    make_round(tmp_path / "data")
    sheet = tmp_path / f"sheet{suffix}"
    made = command("export", sheet)
    assert f"{len(questions())} questions, 0 decided" in made.output
    assert "--force" in told(command("export", sheet))
    assert command("export", sheet, "--force").exit_code == 0
    came = command("import", sheet)
    assert f"0 decisions taken, 0 stood already, {len(questions())} rows undecided" in came.output


def test_a_filled_sheet_is_taken_and_its_faults_are_told_by_line(command, tmp_path):
    make_round(tmp_path / "data")
    sheet = tmp_path / "sheet.csv"
    command("export", sheet)
    with sheet.open(encoding="utf-8-sig", newline="") as file:
        rows = list(csv.DictReader(file))
    rows[0]["decision"] = "accept"
    rows[1].update(decision="reject", reason="[red]no")
    with sheet.open("w", encoding="utf-8", newline="") as file:
        writer = csv.DictWriter(file, rows[0])
        writer.writeheader()
        writer.writerows(rows)
    came = command("import", sheet, "--reviewer", "Ada")
    assert "1 rows of" in told(came)
    assert "line 3: reason: Input should be" in came.output
    assert "1 decisions taken" in came.output
    (stands,) = standing(Decisions(tmp_path / "data", ROUND).load()).values()
    assert (stands.question_id, stands.reviewer) == (rows[0]["question_id"], "Ada")


def test_a_file_of_another_kind_is_refused(command, tmp_path):
    assert "neither CSV nor Parquet" in told(command("export", tmp_path / "sheet.xlsx"))
    assert "neither CSV nor Parquet" in told(command("import", tmp_path / "sheet"))
