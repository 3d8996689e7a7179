"""Progress: counts, a file others can read, log lines, and a live line on a terminal."""

import io
import json
import logging
from pathlib import Path

import pytest
from rich.console import Console

from hopsight.progress import Progress, ProgressReport, read_progress


def _quiet() -> Console:
    return Console(file=io.StringIO(), force_terminal=False)


def test_counts_are_reported(tmp_path: Path) -> None:
    reports: list[ProgressReport] = []
    file = tmp_path / "deep" / "progress.json"
    with Progress("fuzz", 10, file=file, console=_quiet(), on_report=reports.append) as progress:
        progress.advance()
        progress.advance(4, rejected=2, cost_usd=0.5)
        assert progress.report().eta_s is not None
    [last] = reports
    assert (last.stage, last.done, last.owed, last.rejected, last.cost_usd, last.ended) == (
        "fuzz", 5, 10, 2, 0.5, True,
    )  # fmt: skip
    assert read_progress(file) == last
    assert json.loads(file.read_text())["done"] == 5
    assert [path.name for path in file.parent.iterdir()] == ["progress.json"]


def test_the_file_is_there_from_the_start_for_other_processes(tmp_path: Path) -> None:
    file = tmp_path / "progress.json"
    with Progress("fuzz", 10, file=file, console=_quiet()):
        report = read_progress(file)
        assert report is not None
        assert (report.done, report.ended, report.eta_s) == (0, False, None)


def test_the_amount_may_become_known_later() -> None:
    with Progress("fuzz", console=_quiet()) as progress:
        progress.advance()
        assert (progress.report().owed, progress.report().eta_s) == (None, None)
        progress.owe(1)
        assert progress.report().eta_s == 0


def test_a_log_line_is_written_when_it_is_time_and_at_the_end(
    caplog: pytest.LogCaptureFixture,
) -> None:
    caplog.set_level(logging.INFO)
    with Progress("fuzz", 3, console=_quiet(), log_every_s=3600) as progress:
        progress.advance(2, rejected=1)
        assert not caplog.records
    assert "stage=fuzz done=2 owed=3 rejected=1" in caplog.text
    caplog.clear()
    with Progress("fuzz", 3, console=_quiet(), log_every_s=0) as progress:
        progress.advance()
        assert "event=progress stage=fuzz done=1 owed=3" in caplog.text


def test_a_terminal_shows_a_live_line_instead_of_log_lines(
    caplog: pytest.LogCaptureFixture,
) -> None:
    caplog.set_level(logging.INFO)
    screen = io.StringIO()
    console = Console(file=screen, force_terminal=True, width=120)
    with (
        Progress("outer", 2, console=console) as outer,
        Progress("rollouts", 8, console=console) as progress,
    ):
        progress.advance(8, rejected=3, cost_usd=0.25)
        outer.advance()
    assert "rollouts" in screen.getvalue()
    assert "8/8" in screen.getvalue()
    assert "rejected 3" in screen.getvalue()
    assert not caplog.records


def test_the_end_is_reported_after_an_error_too(tmp_path: Path) -> None:
    file = tmp_path / "progress.json"
    with pytest.raises(RuntimeError), Progress("fuzz", 2, file=file, console=_quiet()) as progress:
        progress.advance()
        raise RuntimeError
    report = read_progress(file)
    assert report is not None
    assert (report.done, report.ended) == (1, True)


def test_a_file_that_cannot_be_written_is_logged_and_stops_nothing(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    (tmp_path / "not a folder").write_text("")
    file = tmp_path / "not a folder" / "progress.json"
    with Progress("fuzz", 2, file=file, console=_quiet()) as progress:
        progress.advance()
    assert caplog.text.count("event=progress_file_failed") == 1


@pytest.mark.parametrize("text", ["", "[]", "{}", '{"stage": 1, "x": 2}', "null"])
def test_a_file_that_is_no_progress_reads_as_none(tmp_path: Path, text: str) -> None:
    assert read_progress(tmp_path / "none.json") is None
    (tmp_path / "progress.json").write_text(text)
    assert read_progress(tmp_path / "progress.json") is None
