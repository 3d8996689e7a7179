from dataclasses import replace
from pathlib import Path

import pytest

from hopsight.config import DEFAULT_TOOLS, HarnessConfig
from hopsight.config.providers import ProvidersFile
from hopsight.errors import ConfigError, ToolError
from hopsight.harness import ImageBank
from hopsight.harness.backends import SERVED
from hopsight.harness.benches import BenchSettings, check_bench
from hopsight.harness.limits import Limits
from hopsight.harness.setting import Setting
from hopsight.harness.tools import TOOLS
from hopsight.harness.toolset import Toolset
from hopsight.harness.workbench import Workbench
from hopsight.imaging import layout
from hopsight.llm.service import ModelSettings
from hopsight.providers.layout import LAYOUT_VARIABLE
from tests.hopsight.harness import world as w


@pytest.fixture(scope="module")
def world(tmp_path_factory: pytest.TempPathFactory) -> w.World:
    return w.make_world(tmp_path_factory.mktemp("world"))


class NoPictures:
    """A backend that can only search and read."""

    offers = frozenset({"web_search", "visit"})


def test_a_tool_without_a_backend_is_refused_before_an_episode(world: w.World) -> None:
    bench = Workbench(NoPictures())  # type: ignore[arg-type]
    with pytest.raises(ConfigError, match="image_search has no backend that serves it"):
        Setting(bench, world.images, Limits(), Toolset(("web_search", "image_search")))
    Setting(bench, world.images, Limits(), Toolset(("web_search", "visit", "zoom_in")))


def test_unknown_tools_and_tools_named_twice_are_refused() -> None:
    with pytest.raises(ConfigError, match="no tool teleport"):
        Toolset(("web_search", "teleport"))
    with pytest.raises(ConfigError, match="twice: visit"):
        Toolset(("visit", "visit"))


def test_a_policy_is_told_of_its_tools_alone_and_in_their_order(world: w.World) -> None:
    tools = Toolset(("visit", "web_search"))
    assert [spec.name for spec in tools.specs] == ["visit", "web_search"]
    bank = ImageBank((), world.images, 1, 1)
    assert tools.calls(w.call("visit", "{}"), bank) == ((TOOLS["visit"], "{}"),)
    with pytest.raises(ToolError, match="no tool 'zoom_in'; tools: visit, web_search"):
        tools.calls(w.call("zoom_in", "{}"), bank)


def test_crop_is_another_name_of_zoom_in_where_that_is_offered(world: w.World) -> None:
    bank = ImageBank((), world.images, 1, 1)
    assert Toolset(("zoom_in",)).calls(w.call("crop", "{}"), bank) == ((TOOLS["zoom_in"], "{}"),)
    with pytest.raises(ToolError, match="no tool 'crop'"):
        Toolset(("visit",)).calls(w.call("crop", "{}"), bank)


def test_the_default_round_offers_the_default_tools_and_a_snapshot_serves_them(
    world: w.World, tmp_path: Path
) -> None:
    assert HarnessConfig().tools == DEFAULT_TOOLS
    assert {name for name in DEFAULT_TOOLS if name in SERVED} <= world.backend.offers


def test_a_round_whose_tools_nothing_serves_is_refused_before_it_begins(tmp_path: Path) -> None:
    settings = BenchSettings(tmp_path / "no index yet", tmp_path / "pictures")
    check_bench(settings, Toolset(tuple(TOOLS.keys() - {"scholar_search"})))
    with pytest.raises(ConfigError, match="scholar_search has no backend that serves it"):
        check_bench(settings, Toolset(("web_search", "scholar_search")))
    assert not any(tmp_path.iterdir())


def test_an_engine_that_is_not_installed_is_missed_before_a_round(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    settings = BenchSettings(tmp_path / "index", tmp_path / "pictures")
    monkeypatch.setattr(layout, "PACKAGES", ("surely_not_installed",))
    monkeypatch.delenv(LAYOUT_VARIABLE, raising=False)
    with pytest.raises(ConfigError, match="layout_parsing needs an engine that reads text"):
        check_bench(settings, Toolset(("layout_parsing",)))
    monkeypatch.setenv(LAYOUT_VARIABLE, "http://layout.example/parse")
    check_bench(settings, Toolset(("layout_parsing",)))


@pytest.mark.parametrize(
    ("backend", "fault"),
    [
        ("ftp://server.example", "is no backend"),
        ("replay", "no recordings to replay"),
        ("live", "serper needs a key"),
    ],
)
def test_a_backend_that_cannot_be_opened_is_refused_before_a_round(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, backend: str, fault: str
) -> None:
    monkeypatch.delenv("SERPER_API_KEY", raising=False)
    file = ProvidersFile(search="serper")
    settings = BenchSettings(
        *(tmp_path / "index", tmp_path / "pictures", backend),
        providers=file,
        paying=replace(ModelSettings.of_rules(), folder=tmp_path),
    )
    with pytest.raises(ConfigError, match=fault):
        check_bench(settings, Toolset(("web_search",)))


def test_search_by_picture_over_the_web_is_refused_without_an_image_host(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("SERPER_API_KEY", "not-a-real-key-0123456789")
    settings = BenchSettings(
        *(tmp_path / "index", tmp_path / "pictures", "live"),
        providers=ProvidersFile(search="serper", image_host="none"),
        paying=replace(ModelSettings.of_rules(), folder=tmp_path),
    )
    check_bench(settings, Toolset(("web_search", "scholar_search", "visit")))
    with pytest.raises(ConfigError, match="visual_search has no backend"):
        check_bench(settings, Toolset(("visual_search",)))
