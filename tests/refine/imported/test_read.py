"""Reading seeds: every row is kept or rejected with its number, in every shape of export."""

import base64
import hashlib
import json
from collections import Counter

import pyarrow as pa
import pytest

from hopsight.errors import SourceError, StoreError
from hopsight.store.images import ImageStore
from refine.imported import ImportLimits, read_seeds
from tests.refine.imported.files import data_url, jpeg, jsonl, parquet, png, separated

PNG = png(1)


@pytest.fixture
def images(tmp_path):
    return ImageStore(tmp_path / "store")


@pytest.fixture
def folder(tmp_path):
    made = tmp_path / "export"
    (made / "pics").mkdir(parents=True)
    (made / "pics" / "a.png").write_bytes(PNG)
    (made / "pics" / "b.png").write_bytes(png(2))
    (tmp_path / "outside.png").write_bytes(PNG)
    return made


def row(**changes):
    return {"question": "Who built this?", "answer": "Ada", "image": "pics/a.png"} | changes


def reasons(staged):
    return [(each.record_id.rpartition(":")[2], each.reason) for each in staged.rejected]


def test_fvqa_rows_hold_a_prompt_bytes_and_a_ground_truth(folder, images):
    rows = [
        {
            "data_id": "1",
            "prompt": [
                {"role": "system", "content": "Answer."},
                {"role": "user", "content": "<image>\nWho built this?"},
            ],
            "images": [{"bytes": PNG, "path": None}],
            "image_urls": ["https://example.org/a.png"],
            "reward_model": {"ground_truth": "Ada", "candidate_answers": '["Ada L.", "A. L."]'},
        }
    ]
    (seed,) = read_seeds(parquet(folder, rows), images).kept
    assert (seed.question, seed.answer) == ("Who built this?", "Ada")
    assert seed.answer_aliases == ("Ada L.", "A. L.")
    assert images.bytes(seed.images[0].sha256) == PNG
    assert seed.images[0].source_url == "https://example.org/a.png"
    assert (seed.source, seed.row, seed.reasoning) == ("seeds.parquet", 1, "")


def test_livevqa_rows_hold_paths_and_a_list_of_ground_truths(folder, images):
    rows = [
        {
            "Question": "Who built this?",
            "Ground_Truth": "Ada",
            "Ground_Truth_List": ["Ada", "Ada L."],
            "img_path": ["pics/a.png", "pics/b.png"],
            "rationale": ["Ada built the bridge.", None, {"text": "It stands."}],
        }
    ]
    (seed,) = read_seeds(jsonl(folder, rows), images).kept
    assert seed.answer_aliases == ("Ada L.",)
    assert [each.source_url for each in seed.images] == ["pics/a.png", "pics/b.png"]
    assert seed.reasoning == "Ada built the bridge.\nIt stands."


def test_webqa_rows_hold_answers_in_a_list_and_evidence(folder, images):
    rows = [{"Q": "Who?", "A": ["Ada", "Ada L."], "image": data_url(PNG), "evidence": "So it is."}]
    path = folder / "webqa.json"
    path.write_text(json.dumps(rows))
    (seed,) = read_seeds(path, images).kept
    assert (seed.question, seed.answer, seed.answer_aliases) == ("Who?", "Ada", ("Ada L.",))
    assert (seed.reasoning, images.bytes(seed.images[0].sha256)) == ("So it is.", PNG)


def test_tables_of_text_hold_base64_and_lists_as_json(folder, images):
    rows = [
        ["question", "answer", "image"],
        ["Who?", "Ada", base64.b64encode(PNG * 1).decode()],
        ["Who?", "Ada", '["pics/a.png", "pics/b.png"]'],
        ["Who?", "", "pics/a.png"],
        ["Who?", "Ada", "pics/a.png", "more"],
    ]
    for name in ("seeds.csv", "seeds.tsv"):
        staged = read_seeds(separated(folder, rows, name), images)
        assert [len(seed.images) for seed in staged.kept] == [1, 2]
        assert reasons(staged) == [("3", "no_answer"), ("4", "bad_row")]


def test_an_address_that_is_null_is_no_fault_where_there_are_bytes(folder, images):
    rows = [
        {"question": "Who?", "answer": "Ada", "image_url": None, "images": [{"bytes": PNG}]},
        {"question": "Who?", "answer": "Ada", "image_url": None, "images": None},
    ]
    staged = read_seeds(parquet(folder, rows), images)
    assert [seed.row for seed in staged.kept] == [1]
    assert reasons(staged) == [("2", "no_picture")]


def test_one_truncated_jpeg_among_ten_rejects_one_row(folder, images):
    whole = [jpeg(20 * number) for number in range(10)]
    held = [data if number != 4 else data[: len(data) // 2] for number, data in enumerate(whole)]
    rows = [row(image={"bytes": data, "path": None}) for data in held]
    staged = read_seeds(parquet(folder, rows), images)
    assert (staged.entered, len(staged.kept)) == (10, 9)
    assert reasons(staged) == [("5", "picture_unreadable")]
    assert "row 5" in staged.rejected[0].detail


def test_one_picture_given_as_one_string_is_a_list_of_one(folder, images):
    (seed,) = read_seeds(jsonl(folder, [row()]), images).kept
    assert [each.sha256 for each in seed.images] == [hashlib.sha256(PNG).hexdigest()]


@pytest.mark.parametrize(
    ("changes", "reason"),
    [
        ({"question": None}, "no_question"),
        ({"question": "  "}, "no_question"),
        ({"question": {"a": 1}}, "no_question"),
        ({"question": True}, "question_unreadable"),
        ({"question": "<image> <image>\nWho?"}, "picture_count"),
        ({"question": "Is <image> older?"}, "image_mark_in_question"),
        ({"question": "Who\x00?"}, "control_characters"),
        ({"question": "Who \ud800?"}, "bad_encoding"),
        ({"question": "?" * 9_000}, "question_too_long"),
        ({"answer": None}, "no_answer"),
        ({"answer": []}, "no_answer"),
        ({"answer": False}, "answer_unreadable"),
        ({"answer": "a" * 3_000}, "answer_too_long"),
        ({"answer": [str(n) for n in range(300)]}, "too_many_answers"),
        ({"reasoning": "r" * 200_000}, "reasoning_too_long"),
        ({"reasoning": [[True]]}, "reasoning_unreadable"),
        ({"image": None}, "no_picture"),
        ({"image": [None, None]}, "no_picture"),
        ({"image": ["pics/a.png", None]}, "picture_missing"),
        ({"image": "pics/none.png"}, "picture_missing"),
        ({"image": "pics"}, "picture_missing"),
        ({"image": "pics/\x00.png"}, "picture_missing"),
        ({"image": "../outside.png"}, "picture_outside"),
        ({"image": "/etc/hostname"}, "picture_outside"),
        ({"image": "pics/link.png"}, "picture_outside"),
        ({"image": ["pics/a.png"] * 17}, "too_many_pictures"),
        ({"image": "data:text/plain,hello"}, "picture_unreadable"),
        ({"image": "data:image/png;base64,!!!"}, "picture_unreadable"),
        ({"image": 7}, "picture_unreadable"),
        ({"image": {"width": 3}}, "picture_unreadable"),
        ({"image": [[[[[["pics/a.png"]]]]]]}, "picture_unreadable"),
        ({"image": "https://example.org/a.png"}, "picture_not_fetched"),
    ],
)
def test_a_bad_row_is_rejected_with_its_reason_and_the_others_are_kept(
    folder, images, changes, reason
):
    (folder / "pics" / "link.png").symlink_to(folder.parent / "outside.png")
    staged = read_seeds(jsonl(folder, [row(), row(**changes), row()]), images)
    assert [seed.row for seed in staged.kept] == [1, 3]
    assert reasons(staged) == [("2", reason)]


def test_lines_that_are_no_objects_are_rejected_one_by_one(folder, images):
    rows = [row(), '{"question": "Who?"', "[1]", "", "{" * 100_000, row()]
    staged = read_seeds(jsonl(folder, rows), images)
    assert [seed.row for seed in staged.kept] == [1, 5]
    assert Counter(reason for _, reason in reasons(staged)) == {"bad_row": 3}


def test_a_line_past_its_limit_is_rejected_and_the_next_one_read(folder, images):
    rows = [row(note="x" * 5_000), row()]
    staged = read_seeds(jsonl(folder, rows), images, limits=ImportLimits(row_bytes=1_000))
    assert [seed.row for seed in staged.kept] == [2]
    assert reasons(staged) == [("1", "row_too_long")]


def test_bytes_that_are_no_utf8_spoil_their_own_row_alone(folder, images):
    path = folder / "seeds.jsonl"
    good = json.dumps(row()).encode()
    path.write_bytes(good + b"\n" + good.replace(b"Ada", b"\xff\xfe") + b"\n" + good)
    assert reasons(read_seeds(path, images)) == [("2", "bad_encoding")]
    texts = pa.array(["Who?", "Wh\udcff".encode("utf-8", "surrogateescape"), "Who?"], pa.binary())
    columns = {
        "question": texts.view(pa.string()),
        "answer": pa.array(["Ada"] * 3),
        "image": pa.array([PNG] * 3),
    }
    pa.parquet.write_table(pa.table(columns), folder / "seeds.parquet")
    assert reasons(read_seeds(folder / "seeds.parquet", images)) == [("2", "bad_encoding")]


def test_numbered_columns_are_the_pictures_of_a_row(folder, images):
    made = row(image=None, image_10="pics/b.png", image_2={"bytes": PNG}, image_3=None)
    staged = read_seeds(parquet(folder, [made]), images)
    first, second = staged.kept[0].images
    assert (images.bytes(first.sha256), second.source_url) == (PNG, "pics/b.png")


def test_numbers_and_dates_are_answers(folder, images):
    answers = [1923, 1923.0, 0.5]
    staged = read_seeds(jsonl(folder, [row(answer=answer) for answer in answers]), images)
    assert [seed.answer for seed in staged.kept] == ["1923", "1923", "0.5"]


def test_a_file_without_a_needed_column_names_what_it_has_and_the_remedy(folder, images):
    rows = [{"text": "Who?", "answer": "Ada", "image": "pics/a.png"}]
    for path in (
        jsonl(folder, rows),
        parquet(folder, rows),
        separated(folder, [list(rows[0]), list(rows[0].values())]),
    ):
        with pytest.raises(
            SourceError, match=r"no question column.*'answer', 'image', 'text'"
        ) as e:
            read_seeds(path, images)
        assert "rename a column" in e.value.remedy
        (seed,) = read_seeds(path, images, columns={"question": "text"}).kept
        assert seed.question == "Who?"


def test_files_that_cannot_be_read_are_told_apart_from_bad_rows(folder, images):
    (folder / "seeds.xlsx").write_bytes(b"PK")
    (folder / "cut.parquet").write_bytes(parquet(folder, [row()]).read_bytes()[:-9])
    (folder / "cut.json").write_text('[{"question": "Who?"')
    for name in ("seeds.xlsx", "cut.parquet", "cut.json"):
        with pytest.raises(SourceError):
            read_seeds(folder / name, images)
    with pytest.raises(StoreError):
        read_seeds(folder / "none.jsonl", images)
    many = jsonl(folder, [row()] * 3)
    with pytest.raises(SourceError, match="more than 2 rows"):
        read_seeds(many, images, limits=ImportLimits(rows=2))


def test_pictures_may_lie_in_a_folder_of_their_own(folder, images):
    path = jsonl(folder, [row(image="a.png"), row(image="../a.png")])
    staged = read_seeds(path, images, pictures=folder / "pics")
    assert (len(staged.kept), reasons(staged)) == (1, [("2", "picture_outside")])


def test_a_picture_bomb_is_refused_before_it_is_decoded(folder, images):
    head = png(1).replace((8).to_bytes(4, "big") + (6).to_bytes(4, "big"), b"\x00\x01\x00\x00" * 2)
    staged = read_seeds(jsonl(folder, [row(image=data_url(head)), row()]), images)
    assert reasons(staged) == [("1", "picture_unreadable")]


def test_the_same_file_gives_the_same_seeds(folder, images, tmp_path):
    path = parquet(folder, [row(), row(question="What?")])
    other = ImageStore(tmp_path / "other")
    assert read_seeds(path, images) == read_seeds(path, other)
