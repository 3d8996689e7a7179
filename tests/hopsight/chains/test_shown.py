from dataclasses import replace

from hopsight.chains.framed import changed
from hopsight.chains.shown import picture_shown
from hopsight.wiki.snapshot import Snapshot
from tests.worlds import Entity, Pictures, world


def two_pictures():
    pictures = Pictures()
    one = world(Entity("A", "settlement", picture=True), Entity("B", None), pictures=pictures)
    (lead,) = one.tables.images
    other = changed(lead, file="z.png", image=pictures.add(99))
    return Snapshot(replace(one.tables, images=(lead, other))), lead, other


def test_a_page_has_its_pictures_in_order_and_leads_with_the_first():
    snapshot, lead, other = two_pictures()
    assert snapshot.images(1) == (lead, other)
    assert snapshot.image(1) == lead
    assert (snapshot.image(2), snapshot.images(2)) == (None, ())


def test_the_picture_that_is_shown_is_told_by_its_bytes():
    snapshot, lead, other = two_pictures()
    copy = changed(other.image, source_url="https://elsewhere.test/", license="CC-BY-4.0")
    assert picture_shown(snapshot, 1, [copy]) == other
    assert picture_shown(snapshot, 1, [lead.image]) == lead
    assert picture_shown(snapshot, 2, [lead.image]) is None
    assert picture_shown(snapshot, 1, [changed(copy, sha256="0" * 64)]) is None
