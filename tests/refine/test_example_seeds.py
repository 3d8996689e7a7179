"""The example files: what they hold is read, what is broken in them is rejected, the rest links."""

import asyncio

from examples.seeds.shapes import Solved, write_seeds
from hopsight.store.images import ImageStore
from hopsight.unique import FactIndex
from refine.build_link import build_links
from refine.imported import read_seeds
from tests.curation import made

SOLVED = [
    Solved(question, chain, made.PICTURES.bytes(question.images[0].sha256))
    for question, chain in zip(made.grounded().questions.kept, made.grounded().chains, strict=True)
][:15]


def test_three_shapes_are_read_and_linked(tmp_path):
    broken = write_seeds(SOLVED, tmp_path / "export")
    images = ImageStore(tmp_path / "store")
    world = made.walker().world
    index = FactIndex(world)
    found = set()
    for name, reasons in broken.items():
        staged = read_seeds(tmp_path / "export" / name, images)
        rejected = {int(each.record_id.rpartition(":")[2]): each.reason for each in staged.rejected}
        assert rejected == reasons
        assert (staged.entered, len(staged.kept)) == (7, 5)
        framed = asyncio.run(build_links(staged.kept, world, index, None, round="0001"))
        found |= {(each.text, each.answer, each.images[0].sha256) for each in framed.questions.kept}
    given = (each.question for each in SOLVED)
    assert found == {(each.text, each.answer, each.images[0].sha256) for each in given}
