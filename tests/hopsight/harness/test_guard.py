import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hopsight.harness.guard import Blocklist, LeakGuard
from hopsight.wiki.mini import WORLD_XML

LABELS = "huggingface.co/datasets/someone/MMSearch/resolve/main/test.parquet"
CODED = LABELS.replace("/", "%2F")
TWICE = CODED.replace("%", "%25")


@pytest.mark.parametrize(
    "url",
    [
        f"https://{LABELS}",
        f"http://{LABELS}",
        LABELS,
        f"//{LABELS}",
        "HTTPS://HuggingFace.CO/datasets",
        f"https://huggingface.co:443/{LABELS}",
        f"https://me:word@{LABELS}",
        "https://huggingface.co./datasets",
        "https://www.huggingface.co/datasets",
        "https://datasets-server.huggingface.co/rows?dataset=x",
        "https://cdn-lfs.hf.co/repos/1/2",
        "https://hf.co/datasets",
        "https://%68uggingface.co/datasets",
        "https://huggingface%2Eco/datasets",
        "https://ｈｕｇｇｉｎｇｆａｃｅ.co/datasets",
        "https://huggingface。co/datasets",
        "https:\\\\huggingface.co\\datasets",
        f"https://web.archive.org/web/2025/https://{LABELS}",
        f"https://web.archive.org/web/2025id_/{LABELS}",
        f"https://archive.ph/newest/https:/{LABELS}",
        f"https://webcache.googleusercontent.com/search?q=cache:{LABELS}",
        f"https://r.jina.ai/https://{LABELS}",
        f"https://translate.google.com/translate?sl=en&tl=de&u=https%3A%2F%2F{CODED}",
        f"https://proxy.example/?u=https%253A%252F%252F{TWICE}",
        f"https://proxy.example/{LABELS}",
        f"https://proxy.example/#{LABELS}",
        "https://huggingface-co.translate.goog/datasets?_x_tr_sl=en",
        "https://hf--mirror-com.translate.goog/datasets",
        "https://huggingface.co.mirror.example/datasets",
        "https://" + "a." * 40 + "huggingface.co/",
        "https://hf-mirror.com/datasets",
        "https://www.kaggle.com/datasets/someone/x",
        "https://modelscope.cn/datasets/x",
        "https://openaipublic.blob.core.windows.net/simple-evals/browse_comp_test_set.csv",
        "https://lastexam.ai/",
        "site:huggingface.co MMSearch answers",
        "import requests\nrequests.get('https://huggingface.co/api/datasets')",
    ],
)
def test_hosts_of_data_sets_are_blocked_however_their_address_is_written(url: str) -> None:
    rule = Blocklist().blocks(url)
    assert rule is not None
    assert rule.startswith("host:")


@pytest.mark.parametrize(
    "url",
    [
        "https://github.com/someone/MMSearch",
        "https://github.com/openai/simple-evals",
        "https://raw.githubusercontent.com/someone/MM-BrowseComp/main/data.json",
        "https://cdn.jsdelivr.net/gh/someone/mm_search-plus@main/test.jsonl",
        "https://mmsearch.github.io/",
        "https://gitee.com/mirrors/live-vqa",
        "https://ghproxy.example/https://raw.githubusercontent.com/x/InfoSeek/main/a.json",
        "https://api.github.com/search/code?q=browsecomp+canary",
        "https://drive.google.com/file/FVQA_test.json",
        "https://bucket.s3.amazonaws.com/VDR-Bench/test.parquet",
    ],
)
def test_code_hosts_are_blocked_where_a_benchmark_is_named(url: str) -> None:
    assert (Blocklist().blocks(url) or "").startswith("name:")


@pytest.mark.parametrize(
    "url",
    [
        "https://en.wikipedia.org/wiki/Hugging_Face",
        "https://en.wikipedia.org/wiki/Kaggle",
        "https://wiki.example/wiki/Page_not_found",
        "https://upload.wikimedia.org/wikipedia/commons/a/a9/Example.jpg",
        "https://nothuggingface.co/",
        "https://huggingface.company/",
        "https://hf.community/",
        "https://hf.co.uk/",
        "https://github.com/torvalds/linux/blob/master/README",
        "https://raw.githubusercontent.com/someone/photos/main/bridge.png",
        "https://github.com/mm/search",
        "https://arxiv.org/abs/2409.12959",
        "https://web.archive.org/web/2020/https://www.unesco.org/",
        "127.0.0.1",
        "",
        "what is the height of the tower of st. mary's church",
    ],
)
def test_ordinary_addresses_are_not_blocked(url: str) -> None:
    assert Blocklist().blocks(url) is None


def test_a_blocklist_of_ones_own_replaces_the_built_in_one() -> None:
    own = Blocklist(frozenset({"labels.example"}), frozenset(), frozenset())
    assert own.blocks("https://www.labels.example/") == "host:labels.example"
    assert own.blocks(f"https://{LABELS}") is None


@given(st.text(max_size=300))
def test_any_text_can_be_asked_about(text: str) -> None:
    Blocklist().blocks(text)
    assert Blocklist().blocks(f"{text} https://{LABELS}") is not None


@pytest.mark.parametrize("text", ["a." * 50_000, "%25" * 30_000, "a" * 100_000, "-." * 50_000])
def test_long_garbage_is_read_to_its_end(text: str) -> None:
    assert Blocklist().blocks(text) is None


QUESTIONS = {
    "In the wild of South Sudan lives African fish eagle. African fish eagle is a national symbol "
    "of Namibia. Namibia borders Zambia. Which calling code does Zambia have?": "+260",
    "Singapore is the setting of The Malay Archipelago. The Malay Archipelago is among the notable "
    "works of Alfred Russel Wallace. In what year did Alfred Russel Wallace die?": "1913",
    "The country whose flag is shown in the image borders another country whose currency is the "
    "Central African CFA franc. The capital of that other country is a city whose founding fell "
    "between 1875 and 1925. Into what does the river flow that it stands beside?": "Congo River",
    "What is the capital of East Timor?": "Dili",
    "Who is shown in this picture?": "Alfred Russel Wallace",
}
LONGEST = max(QUESTIONS, key=len)
FILLER = "The committee met on the second day and spoke about other matters. " * 60


def guard(question: str) -> LeakGuard:
    return LeakGuard(question, (QUESTIONS[question],))


def test_no_page_of_the_world_that_ships_with_the_project_is_taken_for_a_leak() -> None:
    world = WORLD_XML.read_text(encoding="utf-8")
    pages = re.findall(r"<text[^>]*>(.*?)</text>", world, re.DOTALL)[::2]
    assert len(pages) > 1_000
    answered = 0
    for question, answer in QUESTIONS.items():
        answered += sum(answer in page for page in pages)
        assert [page[:80] for page in pages if guard(question).leaks(page)] == []
    assert answered >= 5


@pytest.mark.parametrize(
    "shape",
    [
        "| {q} | {a} |",
        '{{"question": "{q}", "answer": "{a}"}}',
        "<p><b>Q.</b> {q}</p>\n<p>A: {a}</p>",
        "{q}\n" + FILLER + "\nAnswers: 1. {a}",
        "{a}\n" + FILLER + "\n{q}",
    ],
)
@pytest.mark.parametrize("question", list(QUESTIONS)[:4])
def test_a_page_with_question_and_answer_is_a_leak(question: str, shape: str) -> None:
    page = f"{FILLER}\n{shape.format(q=question, a=QUESTIONS[question])}\n{FILLER}"
    assert guard(question).leaks(page) == "holds_question_and_answer"
    assert guard(question).leaks(page.upper()) == "holds_question_and_answer"


@pytest.mark.parametrize("question", list(QUESTIONS)[:4])
def test_the_question_without_its_answer_and_the_answer_without_it_are_no_leaks(
    question: str,
) -> None:
    assert guard(question).leaks(f"{FILLER}{question} {FILLER}") is None
    assert guard(question).leaks(f"{FILLER}{QUESTIONS[question]} {FILLER}") is None


def test_a_question_that_was_slightly_changed_is_still_found() -> None:
    changed = LONGEST.replace("founding fell", "foundation was").replace("another", "a second")
    assert guard(LONGEST).leaks(f"{changed} Congo River") is not None


def test_a_page_that_tells_the_facts_one_after_another_is_no_leak() -> None:
    sentences = LONGEST.replace("?", ".").split(". ")
    page = FILLER.join(sentence + ". Congo River. " for sentence in sentences)
    assert guard(LONGEST).leaks(page) is None


def test_an_ordinary_question_of_few_words_is_never_taken_for_a_leak() -> None:
    short = LeakGuard("Who is this?", ("Alfred Russel Wallace",))
    assert short.leaks("Who is this? Alfred Russel Wallace") is None


def test_questions_are_found_in_scripts_without_spaces() -> None:
    chinese = LeakGuard("图中所示国家的首都位于哪条河流旁边，这条河流入哪里？", ("刚果河",))
    assert chinese.leaks("第一题：图中所示国家的首都位于哪条河流旁边，这条河流入哪里？答案：刚果河")
    assert chinese.leaks("刚果河是非洲的一条河流，流入大西洋，位于刚果的首都旁边。") is None
