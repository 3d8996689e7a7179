import asyncio
import functools
import json
from collections.abc import Iterator

import pytest

from hopsight.errors import ConfigError, Outcome
from hopsight.harness import ImageBank
from hopsight.harness.execute import Executed, execute
from hopsight.harness.sandbox import WAYS, SandboxPool, WayName
from hopsight.harness.sandbox.probes import faults
from hopsight.harness.setting import Setting
from hopsight.harness.tools import NewPicture
from hopsight.harness.toolset import Toolset
from hopsight.harness.workbench import Workbench
from hopsight.types import ImageRef
from tests.hopsight.harness import world as w


@pytest.fixture(scope="module")
def world(tmp_path_factory: pytest.TempPathFactory) -> Iterator[w.World]:
    yield w.make_world(tmp_path_factory.mktemp("world"))


@functools.cache
def some_way() -> WayName:
    """The first way that holds here; tests/services fails where none does."""
    for way in WAYS:
        if not asyncio.run(faults(way)):
            return way
    pytest.skip("Python programs cannot be confined here")


def run(world: w.World, code: str, shown: tuple[ImageRef, ...] | None = None) -> Executed:
    way = some_way()

    async def main() -> Executed:
        bench = Workbench(world.backend, python=SandboxPool(way, concurrency=1, warm=0))
        setting = Setting(bench, world.images, tools=Toolset(("python_code",)))
        bank = ImageBank(world.shown if shown is None else shown, world.images, 50, 10**9)
        call = w.call("python_code", json.dumps({"code": code}))
        return await execute(call, setting, bank, 60)

    return asyncio.run(main())


def pictures(done: Executed) -> list[NewPicture]:
    return [piece for piece in done.result.pieces if isinstance(piece, NewPicture)]


def text(done: Executed) -> str:
    return "".join(piece for piece in done.result.pieces if isinstance(piece, str))


def test_handles_are_file_names_and_pictures_come_back_with_their_origin(world: w.World) -> None:
    done = run(
        world,
        "from PIL import Image\n"
        "image = Image.open('images/1.png')\n"
        "image.crop((0, 0, 32, 16)).save('out/cut.png')\n"
        "print(image.size, '<image:0>')",
    )
    source = world.shown[1]
    assert done.result.outcome is Outcome.OK
    assert text(done).startswith(f"({source.width}, {source.height}) <\\image:0>\n")
    (new,) = pictures(done)
    assert (new.image.width, new.image.height, new.parent) == (32, 16, 1)
    assert (new.image.license, new.image.source_url) == (source.license, source.source_url)


def test_a_mix_of_pictures_owes_its_rights_to_all_of_them(world: w.World) -> None:
    first, second = world.shown
    shown = (first, second.model_copy(update={"license": "CC-BY-4.0", "author": "Ann"}))
    done = run(
        world,
        "import glob\nfrom PIL import Image\n"
        "found = [Image.open(path) for path in sorted(glob.glob('images/*'))]\n"
        "Image.blend(*(each.convert('RGB').resize((9, 9)) for each in found), .5)"
        ".save('out/mix.png')",
        shown,
    )
    (new,) = pictures(done)
    assert (new.parent, new.image.license, new.image.author) == (
        None,
        f"{first.license}; CC-BY-4.0",
        f"{first.author}; Ann",
    )
    assert new.image.source_url == f"{first.source_url}; {second.source_url}"


def test_what_is_no_picture_is_left_out_and_told(world: w.World) -> None:
    done = run(
        world,
        "open('out/a.png', 'w').write('<|im_end|>')\nopen('out/b.txt', 'w').write('x')",
    )
    assert pictures(done) == []
    assert "Picture 1 left out: a picture cannot be read" in text(done)
    assert "Left out of out/ (1): b.txt: no picture by its name" in text(done)


def test_labels_cannot_be_fetched_and_the_failure_is_the_programs(world: w.World) -> None:
    code = (
        "import urllib.request\n"
        "print(urllib.request.urlopen('https://example.com/labels.json').read())"
    )
    done = run(world, code)
    assert done.result.outcome is Outcome.INVALID_ARGS
    assert text(done).startswith("The program failed.\nErrors:\n[cut]\n")
    assert "<urlopen error [Errno -3] Temporary failure in name resolution>" in text(done)


def test_silence_is_empty_and_a_crash_keeps_what_was_printed(world: w.World) -> None:
    assert run(world, "x = 1").result.outcome is Outcome.EMPTY
    done = run(world, "print('so far')\nimport os\nos.abort()")
    assert done.result.outcome is Outcome.INVALID_ARGS
    assert text(done).startswith("The program crashed.\nso far\n")


def test_a_picture_that_comes_from_none_is_kept_and_says_that_its_licence_is_unknown(
    world: w.World,
) -> None:
    done = run(world, "from PIL import Image\nImage.new('RGB', (9, 9)).save('out/a.png')", ())
    [drawn] = pictures(done)
    assert (drawn.image.width, drawn.image.height, drawn.parent) == (9, 9, None)
    assert (drawn.image.source_url, drawn.image.license) == ("", "unknown")
    world.images.bytes(drawn.image.sha256)


def test_a_toolset_with_python_code_demands_a_sandbox(world: w.World) -> None:
    with pytest.raises(ConfigError, match="python_code needs a sandbox"):
        Setting(Workbench(world.backend), world.images, tools=Toolset(("python_code",)))
