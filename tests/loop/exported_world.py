"""A made-up world as the XML export, pictures and sidecar that the independent checker reads."""

import json
from collections.abc import Sequence
from html import escape
from pathlib import Path

from hopsight.types import PageImage
from tests.worlds import Entity, Pictures, Value

SPACE = "http://www.mediawiki.org/xml/export-0.11/"


def write_world(
    folder: Path, entities: Sequence[Entity], images: Sequence[PageImage], pictures: Pictures
) -> tuple[Path, Path]:
    """Write `entities` and their pictures; gives the paths of the XML and of the pictures."""
    titles = {entity.title for entity in entities}
    files = {image.page_id: image.file for image in images}
    pages = []
    for number, entity in enumerate(entities, start=1):
        pages.append(_page(entity.title, _wikitext(entity, titles, files.get(number))))
        pages += [_redirect(name, entity.title) for name in entity.aliases]
    xml, shown = folder / "world.xml", folder / "pictures"
    xml.write_text(f'<mediawiki xmlns="{SPACE}">{"".join(pages)}</mediawiki>', encoding="utf-8")
    shown.mkdir()
    rows = []
    for image in images:
        (shown / image.file).write_bytes(pictures.bytes(image.image.sha256))
        look = {"visual_facts": image.visual_facts, "text": image.text}
        rows.append(json.dumps({"file": image.file, **look}))
    (folder / "pictures.jsonl").write_text("\n".join(rows), encoding="utf-8")
    return xml, shown


def _wikitext(entity: Entity, titles: set[str], file: str | None) -> str:
    box = [] if entity.infobox is None else [f"{{{{Infobox {entity.infobox}"]
    box += [f"| image = {file}"] if file else []
    for attribute, values in entity.facts.items():
        each = [values] if isinstance(values, str | int | float) else values
        box.append(f"| {attribute} = {', '.join(_value(value, titles) for value in each)}")
    prose = [f"Compare [[{title}]]." for title in entity.mentions]
    return "\n".join([*box, *(["}}"] if box else []), *prose])


def _value(value: Value, titles: set[str]) -> str:
    return f"[[{value}]]" if str(value) in titles else str(value)


def _page(title: str, text: str) -> str:
    return (
        f"<page><title>{escape(title)}</title><ns>0</ns>"
        f"<revision><text>{escape(text)}</text></revision></page>"
    )


def _redirect(name: str, title: str) -> str:
    target = escape(title)
    return f'<page><title>{escape(name)}</title><ns>0</ns><redirect title="{target}" /></page>'
