"""A world of a dozen pages and two sound rows about it, to be broken one way at a time."""

import copy
import hashlib
import json
import struct
import zlib
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq

ARTICLES = {
    "Blue Boats": """{{Infobox artwork
| image = boats.png
| creator = [[Ada Stone]]<ref>A catalogue</ref>
| kind = painting
}}
'''Blue Boats''' is a [[painting]].""",
    "Mute Moon": "{{Infobox artwork\n| kind = painting\n}}",
    "Red Roofs": "{{Infobox artwork\n| creator = [[Ben Wood]]\n| kind = painting\n}}",
    "Ada Stone": """{{Infobox person
| birth_year = 1850
| birth_place = [[Ostburg|Ostby]]
| death_year = 1921<ref name="a" />
| notable_works = [[Blue Boats]]
}}
She was a [[poet]] who saw [[Sudland]] and [[Norland (country)|Norland]].
== See also ==
* [[Westby]]
{{Box|[[Westby]]}} [[File:Ada.png|thumb|In [[Westby]]]]""",
    "Ben Wood": """{{Infobox person
| birth_year = 1860
| birth_place = [[Westby]]
| death_year = 1930
}}
He left for [[Eastland]]. {{Box|[[Ostby]]}} [[File:Ben.png|thumb|Not in [[Ostby]]]]""",
    "Cid Moor": """{{Infobox person
| birth_year = 1900
| birth_place = [[Ostby]]
| occupation = [[poet]]
| death_year = 1980
}}""",
    "Dan Fell": """{{Infobox person
| birth_year = 1852
| birth_place = [[Westby]]
| death_year = 1899
}}""",
    "Ostby": """{{Infobox settlement
| image = ostby.png
| country = [[Norland (country)|Norland]]
| founded = -331
}}
'''Ostby''', once ''Oldtown'', is a city.""",
    "Westby": "{{Infobox settlement\n| country = [[Sudland]]\n}}",
    "Nordby": "{{Infobox settlement\n| country = [[Sudland]]\n| founded = 1200\n}}",
    "Eva Hill": """{{Infobox person
| birth_year = 1854
| birth_place = [[Nordby]]
| death_year = 1940
}}""",
    "Norland (country)": """{{Infobox country
| image = norland.png
| capital = [[Ostby]]
| area_km2 = 12,500
| currency = Norland crown
| calling_code = +99
| languages = Norlandish, [[Sudlandish language|Sudlandish]]
}}""",
    "Sudland": """{{Infobox country
| image = sudland.png
| capital = [[Westby]]
| currency = Sudland mark
| calling_code = +99
}}""",
    "Eastland": """{{Infobox country
| image = eastland.png
| currency = Eastland pound
}}""",
    "Poet": "A '''poet''' writes, as [[Ada Stone]] did.",
    "Tale of the North": """{{Infobox book
| setting = [[Norland (country)|Norland]]
| year = 1900
}}""",
    "Tale of the Town": "{{Infobox book\n| setting = [[Ostby]]\n| year = 1901\n}}",
    "North": "'''North''' may refer to:\n* [[Norland (country)]], a country\n{{disambiguation}}",
}
REDIRECTS = {"Ostburg": "Ostby", "East Burgh": "Ostburg", "Round": "Square", "Square": "Round"}
QUESTIONS = {
    "boats": "The work of art described on the label in the image was created by a certain person."
    " That person was born in a certain city. That city lies in a certain country."
    " What is the currency of that country?",
    "ostby": "The city marked on the map in the image is the birthplace of a person who was born"
    " between 1840 and 1855. In what year did that person die?",
    "blurred": "The city marked on the map in the image has to do with a person who was born"
    " between 1840 and 1855. In what year did that person die?",
    "visual": "The work of art described on the label in the image was created by a certain person."
    " That person is connected with a country whose flag shows three horizontal bands, the colour"
    " red and several stars. What is the currency of that country?",
}
TOOL = {
    "name": "visit",
    "description": "Read a page.",
    "parameters": {"type": "object", "properties": {"url": {"type": "string"}}},
}
Change = Callable[[dict[str, Any]], object]


def png(colour: int, side: int = 512) -> bytes:
    """A grey square."""

    def chunk(name: bytes, body: bytes) -> bytes:
        return (
            struct.pack(">I", len(body)) + name + body + struct.pack(">I", zlib.crc32(name + body))
        )

    pixels = bytes([0, *[colour] * side]) * side
    header = struct.pack(">IIBBBBB", side, side, 8, 0, 0, 0, 0)
    data = chunk(b"IHDR", header) + chunk(b"IDAT", zlib.compress(pixels)) + chunk(b"IEND", b"")
    return b"\x89PNG\r\n\x1a\n" + data


PICTURES = {
    name: png(number)
    for number, name in enumerate(["boats", "ostby", "norland", "sudland", "eastland"])
}
LOOKS: dict[str, tuple[list[str], list[str]]] = {
    "boats": (["a golden frame"], ["Blue Boats", "oil"]),
    "norland": (
        ["three horizontal bands, from top to bottom: red, white, light-blue", "two white stars"],
        ["Norland"],
    ),
    "sudland": (["three horizontal bands, from top to bottom: green, white, blue"], []),
    "eastland": (
        ["three horizontal bands, from top to bottom: red, white, black", "two red stars"],
        [],
    ),
}
"""Visual facts and the writing in a picture, by its name."""


def sha(name: str) -> str:
    """The hash of a picture's bytes."""
    return hashlib.sha256(PICTURES[name]).hexdigest()


def write_world(folder: Path) -> tuple[Path, Path]:
    """The XML export and the folder with the pictures."""
    pages = [
        f"<page><title>{title}</title><ns>0</ns><revision><text>{_escaped(text)}</text></revision>"
        "</page>"
        for title, text in ARTICLES.items()
    ]
    pages += [
        f'<page><title>{title}</title><ns>0</ns><redirect title="{target}" /></page>'
        for title, target in REDIRECTS.items()
    ]
    pages.append("<page><title>Template:Box</title><ns>10</ns></page>")
    space = "http://www.mediawiki.org/xml/export-0.11/"
    xml = folder / "world.xml"
    xml.write_text(f'<mediawiki xmlns="{space}">{"".join(pages)}</mediawiki>', encoding="utf-8")
    pictures = folder / "pictures"
    pictures.mkdir()
    for name, data in PICTURES.items():
        (pictures / f"{name}.png").write_bytes(data)
    rows = [
        {"file": f"{name}.png", "visual_facts": facts, "text": words}
        for name, (facts, words) in LOOKS.items()
    ]
    (folder / "pictures.jsonl").write_text("\n".join(map(json.dumps, rows)), encoding="utf-8")
    return xml, pictures


def _escaped(text: str) -> str:
    return text.replace("&", "&amp;").replace("<", "&lt;")


def condition(attribute: str, value: str) -> dict[str, Any]:
    """A condition on a value, as rows write it."""
    return {"attribute": attribute, "op": "is", "value": value}


def look(value: str) -> dict[str, Any]:
    """A condition on what the picture of an article shows, as rows write it."""
    return {"attribute": "picture", "op": "shows", "value": value}


BORN = {"attribute": "birth_year", "op": "between", "low": 1840.0, "high": 1855.0, "unit": "year"}


def hop(relation: str, kind: str, *more: dict[str, Any], inverse: bool = False) -> dict[str, Any]:
    """A hop to an article of a kind, as rows write it."""
    conditions = [condition("infobox", kind), *more]
    return {"relation": relation, "inverse": inverse, "constraints": conditions}


CONSTRAINTS: dict[str, dict[str, Any]] = {
    "boats": {
        "anchor": {"image": sha("boats")},
        "hops": [
            hop("creator", "person"),
            hop("birth_place", "settlement"),
            hop("country", "country"),
        ],
        "ask": "currency",
    },
    "ostby": {
        "anchor": {"image": sha("ostby")},
        "hops": [hop("birth_place", "person", BORN, inverse=True)],
        "ask": "death_year",
    },
    "blurred": {
        "anchor": {"image": sha("ostby")},
        "hops": [hop("linked", "person", BORN)],
        "ask": "death_year",
    },
    "visual": {
        "anchor": {"image": sha("boats")},
        "hops": [
            hop("creator", "person"),
            hop(
                "linked",
                "country",
                *map(look, ["three horizontal bands", "the colour red", "several stars"]),
            ),
        ],
        "ask": "currency",
    },
}


def sft_row() -> dict[str, Any]:
    """A sound row; its constraints are still an object, so that a test can change them."""
    call = '<think>\nRead it.\n</think>\n\n{"name": "visit", "arguments": {"url": "a"}}'
    return {
        "id": "q_1",
        "trajectory_id": "t_1",
        "conversations": [
            {"from": "human", "value": f"<image:0><image>\n{QUESTIONS['boats']}"},
            {"from": "function_call", "value": call},
            {"from": "observation", "value": "A page with a picture <image:1><image>."},
            {"from": "gpt", "value": "Found. <answer>norland Crown</answer>"},
        ],
        "images": ["images/boats.png", "images/ostby.png"],
        "system": "Answer.",
        "tools": json.dumps([TOOL]),
        "answer": "Norland crown",
        "constraints": copy.deepcopy(CONSTRAINTS["boats"]),
    }


def rl_row() -> dict[str, Any]:
    """A sound row; its constraints are still an object, so that a test can change them."""
    return {
        "data_source": "hopsight",
        "agent_name": "hopsight",
        "prompt": [
            {"role": "system", "content": "Answer."},
            {"role": "user", "content": f"<image:0><image>\n{QUESTIONS['ostby']}"},
        ],
        "images": [{"bytes": PICTURES["ostby"], "path": "images/ostby.png"}],
        "reward_model": {"style": "rule", "ground_truth": "1921"},
        "extra_info": {
            "index": 0,
            "question_id": "q_2",
            "aliases": ["1921"],
            "constraints": copy.deepcopy(CONSTRAINTS["ostby"]),
            "tools": json.dumps([TOOL]),
        },
    }


def refined_row(name: str) -> dict[str, Any]:
    """A sound RL row of a blurred or a visualized question."""
    row = rl_row()
    picture, answer = {"blurred": ("ostby", "1921"), "visual": ("boats", "Norland crown")}[name]
    row["prompt"][1]["content"] = f"<image:0><image>\n{QUESTIONS[name]}"
    row["images"] = [{"bytes": PICTURES[picture], "path": f"images/{picture}.png"}]
    row["reward_model"]["ground_truth"] = answer
    row["extra_info"].update(aliases=[answer], constraints=copy.deepcopy(CONSTRAINTS[name]))
    return row


def write_exports(
    folder: Path, sft: Iterable[dict[str, Any]], rl: Iterable[dict[str, Any]]
) -> Path:
    """Rows as an export; constraints become JSON text where they are an object."""
    sft_folder, rl_folder = folder / "sft", folder / "rl"
    (sft_folder / "images").mkdir(parents=True)
    rl_folder.mkdir()
    for name, data in PICTURES.items():
        (sft_folder / "images" / f"{name}.png").write_bytes(data)
    rows = [{**row, "constraints": _text(row.get("constraints"))} for row in sft]
    (sft_folder / "sft.json").write_text(json.dumps(rows), encoding="utf-8")
    columns = {"messages": "conversations", "images": "images", "system": "system"}
    entry = {
        "file_name": "sft.json",
        "formatting": "sharegpt",
        "columns": columns | {"tools": "tools"},
    }
    (sft_folder / "dataset_info.json").write_text(json.dumps({"set": entry}), encoding="utf-8")
    for row in rl:
        row["extra_info"]["constraints"] = _text(row["extra_info"]["constraints"])
    pq.write_table(pa.Table.from_pylist(list(rl)), rl_folder / "rl.parquet")
    return folder


def _text(constraints: object) -> str:
    return constraints if isinstance(constraints, str) else json.dumps(constraints)
