from pathlib import Path

import pytest

from hopsight.errors import Outcome, ToolError
from hopsight.harness import ImageBank
from tests.hopsight.harness import world as w


@pytest.fixture(scope="module")
def world(tmp_path_factory: pytest.TempPathFactory) -> w.World:
    return w.make_world(tmp_path_factory.mktemp("world"))


def bank(
    world: w.World, images: int = 1, max_images: int = 9, max_pixels: int = 10**9
) -> ImageBank:
    return ImageBank(world.shown[:images], world.images, max_images, max_pixels)


def test_task_images_come_first_and_handles_count_up(world: w.World) -> None:
    held = bank(world)
    added = held.add(world.shown[1], "c1")
    assert [entry.handle for entry in held.entries] == [0, 1]
    assert (held.entries[0].call_id, added.call_id) == (None, "c1")


def test_equal_bytes_get_a_new_handle_that_names_the_first(world: w.World) -> None:
    held = bank(world)
    first, second = (held.add(world.shown[0], "c") for _ in range(2))
    assert (first.handle, first.same_as) == (1, 0)
    assert (second.handle, second.same_as) == (2, 0)


@pytest.mark.parametrize("name", ["<image:2>", "image:99", "-1", "the flag", "", "<image:0>x"])
def test_an_unknown_handle_lists_the_valid_ones(world: w.World, name: str) -> None:
    with pytest.raises(ToolError, match="valid: <image:0>, <image:1>") as caught:
        bank(world, images=2).resolve(name)
    assert caught.value.outcome is Outcome.INVALID_ARGS


def test_many_handles_are_listed_as_a_range(world: w.World) -> None:
    held = bank(world, max_images=30)
    for _ in range(20):
        held.add(world.shown[0], "c")
    with pytest.raises(ToolError, match="<image:0> to <image:20>"):
        held.resolve("99")


def test_without_images_the_error_says_so(world: w.World) -> None:
    with pytest.raises(ToolError, match="no images"):
        bank(world, images=0).resolve("0")


def test_a_picture_over_budget_takes_no_handle(world: w.World) -> None:
    pixels = world.shown[0].width * world.shown[0].height
    for held in (bank(world, max_images=1), bank(world, max_pixels=pixels)):
        held.add(world.shown[0], "c")
        with pytest.raises(ToolError, match="left out") as caught:
            held.add(world.shown[1], "c")
        assert caught.value.outcome is Outcome.NO_OP
        assert len(held) == 2


def test_a_made_picture_is_stored_and_inherits_its_licence(world: w.World, tmp_path: Path) -> None:
    from hopsight.search.pixels import open_picture

    held = bank(world)
    entry = held.resolve("0")
    cut = open_picture(held.data(entry)).crop((0, 0, 30, 20))
    image = held.store(cut, entry)
    assert (image.width, image.height, image.license) == (30, 20, "CC0-1.0")
    assert open_picture(world.images.bytes(image.sha256)).tobytes() == cut.tobytes()
