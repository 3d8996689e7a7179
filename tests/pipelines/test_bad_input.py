"""Bad input: one clear line with cause and remedy, and nothing that was stored is touched."""

import json
import resource
import shutil
import subprocess

import pytest

from hopsight.store import round_lock
from hopsight.types import Page, PageImage, Rejection
from tests.loop.fixtures import SMALL_CONFIGURATION
from tests.loop.place import COMMAND, ROUND, Place, with_world_of
from tests.pipelines.told import told_in_one_line

HEAD = '<mediawiki xmlns="http://www.mediawiki.org/xml/export-0.11/" version="0.11">'


@pytest.fixture
def place(tmp_path):
    """An empty place."""
    return Place.make(tmp_path / "place")


@pytest.fixture
def made(small_round, small_dump, tmp_path):
    """A finished round that a test may spoil, and its configuration."""
    configuration = SMALL_CONFIGURATION.format(folder=small_dump)
    place = with_world_of(small_round, tmp_path / "made", configuration)
    shutil.rmtree(place.data)
    shutil.copytree(small_round.data, place.data)
    return place


@pytest.mark.parametrize(
    ("text", "named"),
    [
        ("explore:\n  pathes: 3\n", ["explore.pathes", "did you mean explore.paths?"]),
        ('seed: "one"\n', ["seed", '"one"']),
        ('round: "0002"\n', ["0002", "0001"]),
    ],
)
def test_a_configuration_that_cannot_be_used(made, text, named):
    before = made.contents()
    path = made.configure(text)
    line = told_in_one_line(made.run("run"))
    assert str(path) in line
    for word in named:
        assert word in line
    assert made.contents() == before


def test_a_round_without_a_file(place):
    line = told_in_one_line(place.run("run", "--round", "0007"))
    assert str(place.rounds / "0007.yaml") in line
    assert "hopsight init" in line
    assert not any(place.data.rglob("*.parquet"))


def test_a_round_that_is_none(place):
    told_in_one_line(place.run("run", "--round", "../0001\x1b[31m"))


def test_a_dump_that_is_not_there(made, tmp_path):
    before = made.contents()
    missing = tmp_path / "nowhere"
    made.configure(SMALL_CONFIGURATION.format(folder=missing))
    line = told_in_one_line(made.run("run"))
    assert str(missing / "dump.xml") in line
    assert "source.dump" in line
    assert _without_round(made.contents()) == _without_round(before)


def _without_round(contents):
    """What a run may change before it comes to the wiki: which configuration it was begun with."""
    return {name: of for name, of in contents.items() if "round_config" not in name}


@pytest.mark.parametrize(
    ("text", "named"),
    [
        (
            f'{HEAD}<page><title>A</title><ns>0</ns><id>1</id><redirect title="B"/><revision>'
            "<id>2</id><text>#REDIRECT [[B]]</text></revision></page></mediawiki>",
            "no article",
        ),
        ("no XML at all", "no MediaWiki export"),
    ],
)
def test_a_world_without_articles(place, tmp_path, text, named):
    dump = tmp_path / "dump.xml"
    dump.write_text(text)
    place.configure(f'round: "{ROUND}"\nsource:\n  kind: dump\n  dump: {dump}\n')
    line = told_in_one_line(place.run("run"))
    assert named in line
    assert str(dump) in line
    assert not place.store.exists("pages", "all")
    assert not place.exports.exists()


def test_a_world_without_a_usable_seed_says_so(place, tmp_path):
    dump = tmp_path / "dump.xml"
    dump.write_text(
        f"{HEAD}<page><title>A</title><ns>0</ns><id>1</id><revision><id>2</id><text>"
        "'''A''' is a letter.</text></revision></page></mediawiki>"
    )
    place.configure(f'round: "{ROUND}"\nsource:\n  kind: dump\n  dump: {dump}\n')
    line = told_in_one_line(place.run("run"))
    assert "seed_entities" in line


def test_an_unreadable_picture_is_a_counted_rejection(small_dump, tmp_path):
    """A broken PNG, one that is no picture, and one that was exchanged; the others are taken."""
    dump = tmp_path / "dump"
    shutil.copytree(small_dump, dump)
    lines = (dump / "pictures/pictures.jsonl").read_text().splitlines()
    rows = [json.loads(line) for line in lines]
    cut, text, other = rows[:3]
    for row, data in (
        (cut, (dump / "pictures" / cut["file"]).read_bytes()[:300]),
        (text, b"no picture"),
        (other, (dump / "pictures" / rows[3]["file"]).read_bytes()),
    ):
        (dump / "pictures" / row["file"]).write_bytes(data)
        if row is not other:
            row.pop("sha256")
    (dump / "pictures/pictures.jsonl").write_text("\n".join(map(json.dumps, rows)))
    place = Place.make(tmp_path / "place", SMALL_CONFIGURATION.format(folder=dump))

    ran = place.run("run", "--limit", "8")

    assert ran.returncode == 0, ran.stderr
    store = place.store
    ids = {page.title: page.page_id for page in store.read("pages", "all", Page)}
    found = {
        each.record_id: each.reason
        for each in store.read("rejections_wiki_snapshot", "all", Rejection)
        if each.reason in {"picture_unusable", "picture_changed", "picture_unreadable"}
    }
    assert found == {
        f"wiki:{ids[cut['title']]}": "picture_unusable",
        f"wiki:{ids[text['title']]}": "picture_unusable",
        f"wiki:{ids[other['title']]}": "picture_changed",
    }
    assert len(store.read("page_images", "all", PageImage)) == len(rows) - 3
    assert "picture_unusable 2" in ran.stdout
    assert "picture_changed 1" in ran.stdout


@pytest.mark.parametrize("kilobytes", [64, 250])
def test_a_full_disk(made, kilobytes):
    """No file can grow beyond the limit, in this process and in its workers."""
    before = made.contents()
    limit = kilobytes * 1024
    ran = subprocess.run(
        [COMMAND, "run"],
        cwd=made.root,
        env=made.environment(),
        preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (limit, limit)),
        capture_output=True,
        text=True,
        timeout=300,
        check=False,
    )
    line = told_in_one_line(ran)
    assert "free some space" in line
    assert _without_round(made.contents()) == _without_round(before)
    assert not list(made.data.rglob(".tmp-*"))


def test_a_second_run_on_a_round_that_is_being_made(made):
    before = made.contents()
    with round_lock(made.data, ROUND):
        line = told_in_one_line(made.run("run"))
    assert "round 0001 is in use by process" in line
    assert "wait until it ends" in line
    assert made.contents() == before


def test_a_dagster_home_that_is_no_folder(place):
    place.configure(f'round: "{ROUND}"\n')
    line = told_in_one_line(place.run("run", DAGSTER_HOME=str(place.root / "nowhere")))
    assert "DAGSTER_HOME" in line


def test_a_number_of_workers_that_is_none(place):
    place.configure(f'round: "{ROUND}"\n')
    line = told_in_one_line(place.run("run", HOPSIGHT_WORKERS="many"))
    assert "HOPSIGHT_WORKERS" in line


@pytest.mark.parametrize(
    "arguments",
    [
        ("show", "no_such_thing"),
        ("lineage", "sft.json:100000"),
        ("sql", "select * from nowhere"),
        ("sql", "drop table pages"),
        ("export", "new", "--round", "0009"),
        ("preview", "--round", "0009"),
    ],
)
def test_a_question_that_cannot_be_answered(small_round, arguments):
    told_in_one_line(small_round.run(*arguments))


def test_asking_where_nothing_was_made(place):
    told_in_one_line(place.run("lineage", "sft.json:0"))


def test_a_damaged_data_set_is_named_with_the_asset_that_makes_it(made):
    (part,) = (made.data / "datasets" / "link_paths" / f"round={ROUND}").glob("*.parquet")
    part.write_bytes(part.read_bytes()[:-20])
    line = told_in_one_line(made.run("show", "link_paths"))
    assert "link_paths" in line
