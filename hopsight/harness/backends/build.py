"""Building the local backend's folder from the records of a snapshot."""

import json
import os
import re
import shutil
from collections import defaultdict
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import TypeVar

from hopsight.harness.backends import PageText
from hopsight.harness.backends.local import FORMAT, INDEX_FILE, LocalBackend
from hopsight.harness.backends.markdown import page_markdown
from hopsight.harness.backends.pages import write_pages
from hopsight.search import EmbeddedPictures, ImageEmbedder, ImageIndex, TextDoc, TextIndex
from hopsight.types import Alias, Fact, Link, Page, PageImage
from hopsight.wiki.tables import image_order

T = TypeVar("T")

_HEADING_MARK = re.compile(r"^#+ ", re.MULTILINE)


def build_local_index(
    pages: Iterable[Page],
    links: Iterable[Link],
    facts: Iterable[Fact],
    aliases: Iterable[Alias],
    images: Iterable[PageImage],
    image_bytes: Callable[[str], bytes],
    folder: Path,
    embedder: ImageEmbedder | None = None,
) -> LocalBackend:
    """Write all that LocalBackend reads into `folder`, then open it.

    `image_bytes` gives a picture by its sha256 (`ImageStore.bytes`). What stood in `folder` stays
    until the new index is complete. Equal records give equal answers, whatever their order. With
    an `embedder` the pictures can also be found by likeness to it. Raises PictureError for a
    picture that cannot be read.
    """
    world = sorted(pages, key=lambda page: page.page_id)
    shown = sorted(images, key=lambda each: (*image_order(each), each.file, each.image.sha256))
    page_facts = _grouped((fact.page_id, fact) for fact in facts)
    page_images = _grouped((image.page_id, image.image) for image in shown)
    page_links = _grouped((link.source, link) for link in links)
    names = _grouped((alias.page_id, alias.name) for alias in aliases)
    urls = {page.page_id: page.url for page in world}

    def text_of(page: Page) -> PageText:
        own = page_facts[page.page_id], page_links[page.page_id]
        markdown = page_markdown(page, *own, urls)
        return PageText(page.url, page.title, markdown, tuple(page_images[page.page_id]))

    # The asset's lock lets one build go on at a time: what lies here was left by a killed one.
    for left in folder.parent.glob(f"{folder.name}.building-*"):
        shutil.rmtree(left, ignore_errors=True)
    fresh = folder.with_name(f"{folder.name}.building-{os.getpid()}")
    fresh.mkdir(parents=True)
    TextIndex.build(
        (_text_doc(page, names[page.page_id], page_facts[page.page_id]) for page in world),
        fresh / "text",
    )
    titles = {page.page_id: page.title for page in world}
    known = [image for image in shown if image.page_id in urls]
    TextIndex.build(
        (
            _caption_doc(image, titles[image.page_id], urls[image.page_id], names[image.page_id])
            for image in known
        ),
        fresh / "captions",
    )
    count = write_pages(map(text_of, world), fresh)
    rows = (
        (image, image_bytes(image.image.sha256), titles[image.page_id], urls[image.page_id])
        for image in known
    )
    ImageIndex.build(rows, fresh / "pictures")
    if embedder is not None:
        hashes = sorted({image.image.sha256 for image in known})
        EmbeddedPictures.build(hashes, image_bytes, embedder, fresh / "embedded")
    (fresh / INDEX_FILE).write_text(json.dumps({"format": FORMAT, "pages": count}))
    shutil.rmtree(folder, ignore_errors=True)
    fresh.rename(folder)
    return LocalBackend(folder, embedder)


def _grouped(pairs: Iterable[tuple[int, T]]) -> defaultdict[int, list[T]]:
    groups: defaultdict[int, list[T]] = defaultdict(list)
    for key, value in pairs:
        groups[key].append(value)
    return groups


def _text_doc(page: Page, names: list[str], facts: list[Fact]) -> TextDoc:
    lines = sorted({f"{fact.attribute.replace('_', ' ')}: {fact.value}" for fact in facts})
    body = _HEADING_MARK.sub("", page.text)
    return TextDoc(page.url, page.title, tuple(sorted(names)), body, "\n".join(lines))


def _caption_doc(image: PageImage, title: str, url: str, names: list[str]) -> TextDoc:
    """A picture on a page, by the page's names and the words that stand on it.

    What looking at it shows is left out: it has to be seen, not found by words.
    """
    caption = "\n".join(image.text)
    return TextDoc(f"{image.image.sha256} {url}", title, tuple(sorted(names)), caption)
