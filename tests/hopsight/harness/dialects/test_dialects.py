import json
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from hopsight.errors import Outcome, ToolError
from hopsight.harness import ImageBank
from hopsight.harness.dialects import DIALECTS, Dialect
from hopsight.harness.tools import TOOLS, parse_args
from hopsight.types import ImageRef, ToolCall

CASES = settings(max_examples=100, deadline=None)
OSV, MMDR, ODE = (DIALECTS[name] for name in ("opensearch_vl", "mm_deepresearch", "ode"))


class Nothing:
    """Pictures whose bytes nobody asks for."""

    def put(self, data: bytes, source_url: str, license: str, author: str) -> ImageRef:
        raise AssertionError("no picture is stored")

    def bytes(self, sha256: str) -> bytes:
        raise AssertionError("no picture is read")


def picture(number: int, width: int, height: int) -> ImageRef:
    return ImageRef(
        sha256=f"{number:064x}",
        mime="image/png",
        width=width,
        height=height,
        source_url=f"https://a.example/{number}.png",
        license="CC0-1.0",
        author="tests",
    )


BANK = ImageBank((picture(1, 800, 600), picture(2, 1024, 333)), Nothing(), 50, 10**9)


def call(name: str, **arguments: object) -> ToolCall:
    return ToolCall(call_id="c", name=name, arguments=json.dumps(arguments))


def ours(dialect: Dialect, name: str, **arguments: object) -> list[tuple[str, dict[str, Any]]]:
    calls = dialect.expand(call(name, **arguments), BANK)
    assert {each.call_id for each in calls} == {"c"}
    return [(each.name, json.loads(each.arguments)) for each in calls]


TABLE = [
    (OSV, "crop", {"image": "img_2", "x": 256, "y": 0, "width": 512, "height": 333},
     "zoom_in", {"image": "<image:1>", "x0": 0.25, "y0": 0.0, "x1": 0.75, "y1": 1.0}),
    (OSV, "crop", {"image": "img_1", "x": "-10", "y": 300, "width": 5000, "height": 9999},
     "zoom_in", {"image": "<image:0>", "x0": 0.0, "y0": 0.5, "x1": 1.0, "y1": 1.0}),
    (OSV, "text_search", {"q": "old bridge", "hl": "en", "top_k": 50},
     "web_search", {"query": "old bridge", "max_results": 10}),
    (OSV, "web_search", {"q": "old bridge"}, "web_search",
     {"query": "old bridge", "max_results": 5}),
    (OSV, "image_search", {"url": "img_2"}, "visual_search",
     {"image": "<image:1>", "max_results": 3}),
    (OSV, "image_search", {"url": "https://a.example/2.png"}, "visual_search",
     {"image": "<image:1>", "max_results": 3}),
    (OSV, "visit", {"url": "https://b.example/", "goal": "the year"}, "visit",
     {"url": "https://b.example/", "goal": "the year"}),
    (OSV, "layout_parsing", {}, "layout_parsing", {"image": "<image:0>"}),
    (OSV, "perspective_correct", {"image": "<image:1>"}, "perspective_correct",
     {"image": "<image:1>"}),
    (OSV, "super_resolution", {"image": "img_1"}, "super_resolution",
     {"image": "<image:0>", "scale": 4}),
    (OSV, "sharpen", {"image": "img_1"}, "sharpen", {"image": "<image:0>", "amount": 1.5}),
    (OSV, "sharpen", {"image": "img_1", "amount": 50}, "sharpen",
     {"image": "<image:0>", "amount": 3.0}),
    (OSV, "python_interpreter", {"code": "print(1)"}, "python_code", {"code": "print(1)"}),
    (MMDR, "image_search_by_text_query", {"query_list": ["a red fort"]}, "image_search",
     {"query": "a red fort", "max_results": 3}),
    (MMDR, "image_search_by_lens", {"query_list": ["which fort"]}, "visual_search",
     {"image": "<image:0>", "max_results": 3}),
    (MMDR, "image_zoom_in_tool", {"bbox_2d": [200, 150, 400, 600], "label": "sign"}, "zoom_in",
     {"image": "<image:0>", "x0": 0.25, "y0": 0.25, "x1": 0.5, "y1": 1.0}),
    (ODE, "image_search", {"query": "a red fort"}, "image_search",
     {"query": "a red fort", "max_results": 3}),
    (ODE, "visual_search", {"image": "<image:1>"}, "visual_search",
     {"image": "<image:1>", "max_results": 3}),
    (ODE, "scholar_search", {"query": ["forts"]}, "scholar_search",
     {"query": "forts", "max_results": 5}),
    (ODE, "zoom_in", {"image": "<image:1>", "bbox": [250, 0, 750, 1000]}, "zoom_in",
     {"image": "<image:1>", "x0": 0.25, "y0": 0.0, "x1": 0.75, "y1": 1.0}),
    (ODE, "zoom_in", {"image_id": "1", "bbox_2d": [[0.25, 0, 0.75, 1]]}, "zoom_in",
     {"image": "<image:1>", "x0": 0.25, "y0": 0.0, "x1": 0.75, "y1": 1.0}),
    (ODE, "rotation", {"image": "<image:0>", "angle": 90}, "rotate",
     {"image": "<image:0>", "degrees": 90.0}),
    (ODE, "flip", {"image": "<image:0>", "direction": "vertical"}, "flip",
     {"image": "<image:0>", "direction": "vertical"}),
    (ODE, "python_code", {"code": "print(1)"}, "python_code", {"code": "print(1)"}),
]  # fmt: skip


@pytest.mark.parametrize(("dialect", "name", "given", "tool", "expected"), TABLE)
def test_each_tool_of_a_dialect_becomes_ours(
    dialect: Dialect, name: str, given: dict[str, Any], tool: str, expected: dict[str, Any]
) -> None:
    assert ours(dialect, name, **given) == [(tool, expected)]
    parse_args(TOOLS[tool], json.dumps(expected))


def test_the_table_above_has_every_tool_of_every_foreign_dialect() -> None:
    for dialect in (OSV, ODE):
        named = {row[1] for row in TABLE if row[0] is dialect}
        assert set(dialect.tools) <= named | {"web_search", "visit"}


def test_several_queries_in_one_call_become_several_calls_in_order() -> None:
    asked = {"query_list": ["first", "second", "third"]}
    found = ours(MMDR, "text_search", **asked)
    assert [values["query"] for _, values in found] == ["first", "second", "third"]
    assert len(ours(ODE, "visit", url=["https://a", "https://b"], goal="x")) == 2
    with pytest.raises(ToolError, match="3 queries in one call") as refused:
        MMDR.translate(call("text_search", **asked), BANK)
    assert refused.value.outcome is Outcome.INVALID_ARGS
    with pytest.raises(ToolError, match="give 1 to 8"):
        MMDR.expand(call("text_search", query_list=["q"] * 9), BANK)


@pytest.mark.parametrize(
    ("dialect", "name", "arguments", "outcome", "says"),
    [
        (OSV, "web_search", {"query": "x"}, Outcome.INVALID_ARGS, "q is missing"),
        (OSV, "crop", {"image": "img_3"}, Outcome.INVALID_ARGS, "valid: <image:0>, <image:1>"),
        (OSV, "crop", {"image": "img_0"}, Outcome.INVALID_ARGS, "valid: <image:0>"),
        (OSV, "image_search", {"url": "https://b/c.png"}, Outcome.INVALID_ARGS, "unknown image"),
        (OSV, "super_resolution", {"image": "img_1", "scale": 8}, Outcome.INVALID_ARGS, "2, 3 or"),
        (OSV, "zoom_in", {}, Outcome.UNKNOWN_TOOL, "crop"),
        (OSV, "sharpen", {"image": "img_1", "radius": 1}, Outcome.INVALID_ARGS, "radius"),
        (MMDR, "model_search", {"query_list": ["x"]}, Outcome.UNKNOWN_TOOL, "no expert model"),
        (MMDR, "image_zoom_in_tool", {"bbox_2d": [1, 2, 3]}, Outcome.INVALID_ARGS, "4 numbers"),
        (ODE, "rotation", {"image": "0", "angle": True}, Outcome.INVALID_ARGS, "give a number"),
        (ODE, "rotation", {"image": "0", "angle": "9" * 400}, Outcome.INVALID_ARGS, "a number"),
    ],
)
def test_what_is_wrong_is_said(
    dialect: Dialect, name: str, arguments: dict[str, Any], outcome: Outcome, says: str
) -> None:
    with pytest.raises(ToolError, match=says) as raised:
        dialect.expand(call(name, **arguments), BANK)
    assert raised.value.outcome is outcome


def test_handles_are_shown_as_the_dialect_writes_them() -> None:
    assert OSV.show("see <image:0> and <image:12>, not <\\image:0>") == (
        "see img_1 and img_13, not <\\image:0>"
    )
    assert ODE.show("see <image:0>") == "see <image:0>"


WORDS = st.text(min_size=1, max_size=40).filter(lambda text: text.strip())
EDGES = st.lists(st.floats(0, 1), min_size=4, max_size=4)
IMAGE = st.sampled_from(["<image:0>", "<image:1>"])


def most(default: int) -> st.SearchStrategy[int]:
    return st.one_of(st.just(default), st.integers(1, 10))


CANONICAL = {
    "web_search": st.fixed_dictionaries({"query": WORDS, "max_results": most(3)}),
    "image_search": st.fixed_dictionaries({"query": WORDS, "max_results": most(3)}),
    "scholar_search": st.fixed_dictionaries({"query": WORDS}),
    "visual_search": st.fixed_dictionaries({"image": IMAGE, "max_results": most(3)}),
    "visit": st.fixed_dictionaries({"url": WORDS}, optional={"goal": WORDS}),
    "zoom_in": st.builds(
        lambda image, e: {"image": image, "x0": e[0], "y0": e[1], "x1": e[2], "y1": e[3]},
        IMAGE,
        EDGES,
    ),
    "rotate": st.fixed_dictionaries({"image": IMAGE, "degrees": st.floats(-360, 360)}),
    "flip": st.fixed_dictionaries(
        {"image": IMAGE, "direction": st.sampled_from(["horizontal", "vertical"])}
    ),
    "sharpen": st.fixed_dictionaries({"image": IMAGE, "amount": st.floats(0.1, 3)}),
    "super_resolution": st.fixed_dictionaries({"image": IMAGE, "scale": st.integers(2, 4)}),
    "perspective_correct": st.fixed_dictionaries({"image": IMAGE}),
    "layout_parsing": st.fixed_dictionaries({"image": IMAGE}),
    "python_code": st.fixed_dictionaries({"code": WORDS}),
    "fetch_image": st.fixed_dictionaries({"url": WORDS}),
}
CALLS = st.one_of([st.tuples(st.just(name), values) for name, values in sorted(CANONICAL.items())])


def meaning(name: str, text: str) -> dict[str, Any]:
    """Checked arguments with their defaults; a box in pixels, as zoom_in rounds it."""
    values = parse_args(TOOLS[name], text).model_dump()
    if name != "zoom_in":
        return values
    image = BANK.resolve(values["image"]).image
    sides = {"x": image.width, "y": image.height}
    return {
        key: value if key == "image" else round(value * sides[key[0]])
        for key, value in values.items()
    }


@CASES
@given(dialect=st.sampled_from(sorted(DIALECTS)), made=CALLS)
def test_ours_to_the_dialect_and_back_means_the_same(
    dialect: str, made: tuple[str, dict[str, Any]]
) -> None:
    name, values = made
    before = ToolCall(call_id="c", name=name, arguments=json.dumps(values))
    try:
        written = DIALECTS[dialect].write(before, BANK)
    except ToolError as error:
        has = any(tool.canonical == name for tool in DIALECTS[dialect].tools.values())
        assert has is (error.outcome is not Outcome.UNKNOWN_TOOL)
        # Only MM-DeepResearch has tools that cannot say all that ours say.
        assert not has or dialect == "mm_deepresearch"
        return
    after = DIALECTS[dialect].translate(written, BANK)
    assert after.name == name
    assert meaning(name, after.arguments) == meaning(name, before.arguments)


@pytest.mark.parametrize("dialect", sorted(DIALECTS))
def test_each_tool_of_a_dialect_can_be_written(dialect: str) -> None:
    said: dict[str, dict[str, Any]] = {
        "image_search": {"query": "x", "max_results": 3},
        "web_search": {"query": "x", "max_results": 3},
        "scholar_search": {"query": "x"},
        "visual_search": {"image": "0", "max_results": 3},
        "visit": {"url": "https://a"},
        "fetch_image": {"url": "https://a"},
        "zoom_in": {"image": "0", "x0": 0, "y0": 0, "x1": 0.5, "y1": 0.5},
        "rotate": {"image": "0", "degrees": 5},
        "flip": {"image": "0", "direction": "vertical"},
        "python_code": {"code": "1"},
    }
    for name, tool in DIALECTS[dialect].tools.items():
        values = said.get(tool.canonical, {"image": "0"})
        written = DIALECTS[dialect].write(call(tool.canonical, **values), BANK)
        assert written.name == name
        required = tool.spec.schema["required"]
        assert set(required) <= set(json.loads(written.arguments))


JUNK = st.recursive(
    st.one_of(st.none(), st.booleans(), st.integers(), st.floats(), st.text(max_size=10)),
    lambda inner: st.one_of(
        st.lists(inner, max_size=4), st.dictionaries(st.text(max_size=5), inner, max_size=3)
    ),
    max_leaves=8,
)
KEYS = st.sampled_from(
    "image image_id url q query query_list bbox bbox_2d x y width height x0 y0 x1 y1 scale amount "
    "angle degrees direction goal code top_k max_results label hl other".split()
)


@CASES
@given(
    dialect=st.sampled_from(sorted(DIALECTS)),
    which=st.integers(0, 20),
    arguments=st.dictionaries(
        KEYS, st.one_of(JUNK, st.sampled_from(["img_1", "<image:0>", 5, [1, 2, 3, 4]])), max_size=6
    ),
)
def test_any_arguments_are_translated_or_refused(
    dialect: str, which: int, arguments: dict[str, Any]
) -> None:
    names = [*DIALECTS[dialect].tools, "nothing"]
    made = call(names[which % len(names)], **arguments)
    try:
        for each in DIALECTS[dialect].expand(made, BANK):
            assert each.name in TOOLS
    except ToolError as error:
        assert error.outcome in {Outcome.INVALID_ARGS, Outcome.UNKNOWN_TOOL}


@CASES
@given(dialect=st.sampled_from(sorted(DIALECTS)), name=st.text(max_size=12), text=st.text())
def test_any_text_for_arguments_is_refused_in_words(dialect: str, name: str, text: str) -> None:
    for each in (name, next(iter(DIALECTS[dialect].tools))):
        try:
            DIALECTS[dialect].expand(ToolCall(call_id="", name=each, arguments=text), BANK)
        except ToolError as error:
            assert error.message


def test_deep_and_huge_arguments_are_refused() -> None:
    for text in ("[" * 100_000, '{"q": "' + "x" * 200_000 + '"}'):
        with pytest.raises(ToolError):
            OSV.expand(ToolCall(call_id="", name="text_search", arguments=text), BANK)
