"""What each verb does, run as a person runs it."""

import json
import re

import pyarrow.parquet as pq
import yaml

from hopsight.config import RoundConfig, load_round
from hopsight.stages import funnel_stages
from hopsight.types import EvidenceChain, ExportRow, FunnelRow
from tests.loop.place import ROUND, Place
from tests.pipelines.told import CONTROL

ANSI = re.compile(r"\x1b\[[0-9;?]*[A-Za-z]")


def said(place, *arguments, **more):
    """Standard output of a command that succeeds and says nothing else."""
    ran = place.run(*arguments, **more)
    assert ran.returncode == 0, ran.stderr
    assert ran.stderr == ""
    assert not CONTROL.search(ran.stdout)
    return ran.stdout


def test_init_writes_a_commented_configuration_and_keeps_what_is_there(tmp_path):
    place = Place.make(tmp_path / "new")
    first = said(place, "init")
    path = place.rounds / "0001.yaml"
    assert first.count("written") == 2
    assert load_round(path) == RoundConfig()
    assert path.read_text().count("# ") > 30
    assert (place.root / ".env").is_file()

    path.write_text(path.read_text().replace("seed: 1", "seed: 5"))
    assert said(place, "init").count("kept") == 2
    assert load_round(path).seed == 5
    assert said(place, "init", "--force").count("written") == 2
    assert load_round(path).seed == 1


def test_a_new_place_tells_what_to_do_first(tmp_path):
    place = Place.make(tmp_path / "new")
    assert "hopsight run" in said(place, "status")
    assert not list(place.data.rglob("*.parquet"))


def test_nothing_is_written_to_the_person_s_home(mini_round, small_round):
    for place in (mini_round, small_round):
        assert list(place.person.iterdir()) == []


def test_status_tells_how_far_each_round_is(small_round):
    told = said(small_round, "status")
    assert "round 0001" in told
    assert "complete" in told
    assert "played" not in told  # what is done is not told as if it went on


def test_show_prints_rows_and_single_records_as_json(small_round):
    rows = small_round.store.read("sft_rows", ROUND, ExportRow)
    told = said(small_round, "show", "sft_rows", "--limit", "1")
    assert json.loads(told)["file"] == "sft.json"
    whole = json.loads(said(small_round, "show", rows[0].question_id))
    assert whole["id"] == rows[0].question_id
    assert whole["text"]


def test_sql_answers_over_all_data_sets(small_round):
    told = said(small_round, "sql", "select file, row, question_id from sft_rows order by row")
    lines = told.splitlines()
    rows = sorted(small_round.store.read("sft_rows", ROUND, ExportRow), key=lambda each: each.row)
    assert lines[0].split() == ["file", "row", "question_id"]
    assert [line.split() for line in lines[1:]] == [
        [each.file, str(each.row), each.question_id] for each in rows
    ]


def test_long_cells_are_folded_on_no_pipe(small_round):
    told = said(small_round, "sql", "select id, text from curated_questions")
    longest = max(len(line) for line in told.splitlines())
    assert longest > 200
    (count,) = said(small_round, "sql", "select count(*) from curated_questions").split()[1:]
    assert len(told.splitlines()) == int(count) + 1


def test_lineage_of_an_exported_row_tells_the_way_to_sentence_and_picture(small_round):
    told = said(small_round, "lineage", "sft.json:0")
    rows = small_round.store.read("sft_rows", ROUND, ExportRow)
    (row,) = [each for each in rows if each.row == 0]
    assert told.startswith(f"{row.id} ")
    for word in (
        row.question_id,
        row.trajectory_id,
        "question, ground:",
        "question, fuzz:",
        "question, canonical:",
        "revision ",
        "characters ",
        f"picture {row.images[0]}",
        "CC0-1.0",
        "reference-weak, sample 2",
        "reference-strong, sample 1",
        "correct (exact-match",
        "split sft",
    ):
        assert word in told, word


def test_lineage_tells_the_sentences_of_conditions_too(small_round):
    chain, conditions = next(
        (chain, told)
        for chain in small_round.store.read("refined_chains", ROUND, EvidenceChain)
        if (told := _told_conditions(chain))
    )
    told = said(small_round, "lineage", chain.id)
    for each in conditions:
        assert f"{each.attribute}: “{each.evidence.sentence}”" in told


def _told_conditions(chain):
    """The conditions of a chain that a sentence states."""
    clues = [node.clue for node in chain.nodes if node.clue is not None]
    return [each for clue in clues for each in clue.constraints if each.evidence is not None]


def test_export_copies_what_a_trainer_needs(small_round, tmp_path):
    target = tmp_path / "mine"
    said(small_round, "export", str(target))
    made = {str(path.relative_to(small_round.exports)) for path in small_round.exports.rglob("*")}
    assert {str(path.relative_to(target)) for path in target.rglob("*")} == made
    assert {"README.md", "sft/sft.json", "sft/dataset_info.json", "rl/rl.parquet"} <= made
    assert pq.read_table(target / "rl" / "rl.parquet").num_rows > 0
    head = (target / "README.md").read_text().split("---")[1]
    assert yaml.safe_load(head)["task_categories"]

    again = small_round.run("export", str(target))
    assert again.returncode == 1
    assert "is not an empty folder" in again.stderr


def test_preview_shows_questions_and_stores_nothing(small_round):
    before = small_round.contents()
    told = said(small_round, "preview", "--limit", "3")
    assert 1 <= told.count("  answer  ") <= 3
    assert told.count("  answer  ") == told.count("  way     ") == told.count("  named   ")
    assert "Projected cost" in told
    assert small_round.contents() == before


def test_run_prints_every_stage_and_the_funnel(mini_round):
    """Through a pipe: whole lines, nothing to steer a terminal."""
    printed = mini_round.printed.read_text()
    assert not CONTROL.search(printed)
    stages, funnel = printed.split("Funnel of round 0001")
    for key, row in _funnel(mini_round.store):
        assert re.search(rf"^  {row.stage} +[0-9.]+ s   {row.kept:,} kept", stages, re.MULTILINE)
        if row.stage in {name for name, at in funnel_stages(ROUND) if at == key}:
            figures = rf"^{row.stage} +{row.entered:,} +{row.kept:,} +{row.rejected:,}"
            assert re.search(figures, funnel, re.MULTILINE), row.stage
            told = ", ".join(f"{each.reason} {each.count:,}" for each in row.reasons)
            assert told in " ".join(funnel.split())


def _funnel(store):
    for name in store.names():
        if name.startswith("funnel_"):
            for key in store.rounds(name):
                yield key, store.read(name, key, FunnelRow)[0]


def test_a_person_sees_each_stage_under_way_and_the_rollouts_advance(small_round):
    screen = ANSI.sub("", small_round.printed.read_text())
    for stage in ("wiki_snapshot", "search_index", "dataset_card"):
        assert re.search(rf"{stage} …", screen), stage
    for stage in ("policy_rollouts", "teacher_rollouts"):
        rows = small_round.store.manifest(stage, ROUND).rows
        counts = re.findall(rf"{stage} [^\r\n]*?(\d+)/(\d+)", screen)
        assert {("0", str(rows)), (str(rows), str(rows))} <= set(counts), stage


def test_the_command_works_from_another_folder(small_round, tmp_path):
    """Relative names are meant against the folder in which the command is run."""
    inside = small_round.run(
        "status", cwd=small_round.root, HOPSIGHT_DATA="data", HOPSIGHT_ROUNDS="rounds"
    )
    elsewhere = small_round.run("status", cwd=tmp_path)
    assert inside.returncode == elsewhere.returncode == 0
    assert inside.stdout == elsewhere.stdout
    assert list(tmp_path.iterdir()) == []


def test_a_narrow_terminal_gets_lines_that_fit_and_lose_nothing(small_round):
    query = "select id, text, answer from curated_questions order by id limit 3"
    whole = said(small_round, "sql", query)
    narrow = small_round.on_terminal(40, "sql", query)
    plain = ANSI.sub("", narrow.replace("\r\n", "\n"))
    assert max(len(line) for line in plain.splitlines()) <= 40
    marks = sorted("".join(whole.split()))
    assert sorted("".join(plain.split())) == marks


def test_help_is_plain_text(small_round):
    assert "Usage: hopsight" in said(small_round, "--help")
