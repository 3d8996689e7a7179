"""Text search: the tantivy index against SQLite FTS5 on the mini world's pages.

Both sides index the same fields with the same weights, drop the same stopwords from queries, stem,
fold accents, and cut a snippet for every hit.
"""

import random
import re
import sqlite3
import tempfile
from collections import defaultdict
from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path

from benchmarks.report import Times, alternate, figure, finish
from benchmarks.world import mini_tables
from hopsight.search import TextDoc, TextIndex
from hopsight.search.analysis import STOPWORDS
from hopsight.search.text_index import BOOSTS
from hopsight.store import ImageStore
from hopsight.wiki.tables import SnapshotTables

K = 10
TITLES = 500
FACTS = 1_000
FACTS_PER_QUERY = 3
COLUMNS = ("title", "names", "body", "facts")

Query = tuple[str, str]
"""Words, and the address of the page they mean."""


def documents(tables: SnapshotTables) -> list[TextDoc]:
    """Every page with its names and facts."""
    names: dict[int, set[str]] = defaultdict(set)
    facts: dict[int, set[str]] = defaultdict(set)
    for alias in tables.aliases:
        names[alias.page_id].add(alias.name)
    for fact in tables.facts:
        facts[fact.page_id].add(f"{fact.attribute.replace('_', ' ')}: {fact.value}")
    return [
        TextDoc(
            page.url,
            page.title,
            tuple(sorted(names[page.page_id])),
            page.text,
            "\n".join(sorted(facts[page.page_id])),
        )
        for page in tables.pages
    ]


def queries(tables: SnapshotTables) -> dict[str, list[Query]]:
    """Titles, and three facts of a page without its title."""
    rng = random.Random(1)
    urls = {page.page_id: page.url for page in tables.pages}
    titles = [(page.title, page.url) for page in tables.pages]
    stated: dict[int, list[str]] = defaultdict(list)
    for fact in tables.facts:
        stated[fact.page_id].append(f"{fact.attribute.replace('_', ' ')} {fact.value}")
    several = [page for page in sorted(stated) if len(stated[page]) >= FACTS_PER_QUERY]
    by_facts = [
        (" ".join(rng.sample(stated[page], FACTS_PER_QUERY)), urls[page])
        for page in rng.sample(several, min(FACTS, len(several)))
    ]
    return {"titles": rng.sample(titles, min(TITLES, len(titles))), "facts": by_facts}


def build_fts(docs: Sequence[TextDoc], path: Path) -> sqlite3.Connection:
    """The other side's index."""
    path.unlink(missing_ok=True)
    base = sqlite3.connect(path)
    base.execute(
        f"CREATE VIRTUAL TABLE pages USING fts5(url UNINDEXED, {', '.join(COLUMNS)}, "
        "tokenize = 'porter unicode61 remove_diacritics 2')"
    )
    rows = ((d.url, d.title, "\n".join(d.names), d.body, d.facts) for d in docs)
    base.executemany("INSERT INTO pages VALUES (?, ?, ?, ?, ?)", rows)
    base.execute("INSERT INTO pages(pages) VALUES ('optimize')")
    base.commit()
    return base


def search_fts(base: sqlite3.Connection, text: str) -> list[str]:
    """Addresses of the best pages."""
    words = dict.fromkeys(re.findall(r"\w+", text.lower()))
    kept = [word for word in words if word not in STOPWORDS] or list(words)
    weights = ", ".join(str(BOOSTS[column]) for column in COLUMNS)
    found = base.execute(
        "SELECT url, title, snippet(pages, 3, '', '', '…', 40) FROM pages WHERE pages MATCH ? "
        f"ORDER BY bm25(pages, 0, {weights}), url LIMIT {K}",
        (" OR ".join(f'"{word}"' for word in kept),),
    )
    return [str(url) for url, _, _ in found.fetchall()]


def hits(search: Callable[[str], list[str]], asked: Sequence[Query]) -> float:
    """Share of the queries whose page is among the first K."""
    return sum(url in search(text) for text, url in asked) / len(asked)


def answer_all(search: Callable[[str], list[str]], texts: Sequence[str]) -> int:
    """Ask everything once; number of addresses found."""
    return sum(len(search(text)) for text in texts)


def main() -> None:
    """Run the benchmark."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        tables = mini_tables(ImageStore(folder / "store"))
        docs, asked = documents(tables), queries(tables)
        built = alternate(
            {
                "tantivy": lambda: TextIndex.build(docs, folder / "text"),
                "FTS5": lambda: build_fts(docs, folder / "fts.db").close(),
            }
        )
        index = TextIndex.open(folder / "text")
        base = sqlite3.connect(folder / "fts.db")
        sides: dict[str, Callable[[str], list[str]]] = {
            "tantivy": lambda text: [hit.url for hit in index.search(text, K)],
            "FTS5": lambda text: search_fts(base, text),
        }
        found = {
            (side, kind): hits(search, asked[kind])
            for side, search in sides.items()
            for kind in asked
        }
        everything = [text for kind in asked for text, _ in asked[kind]]
        looked = alternate(
            {side: partial(answer_all, search, everything) for side, search in sides.items()}
        )
        base.close()
    _tell(len(docs), len(everything), built, looked, found)


def _tell(
    pages: int,
    count: int,
    built: dict[str, Times],
    looked: dict[str, Times],
    found: dict[tuple[str, str], float],
) -> None:
    rate = {side: count / times.cpu for side, times in looked.items()}
    rows = [
        ("build, CPU-s", *(built[side].cpu for side in rate)),
        ("queries per CPU-s", *rate.values()),
        *(
            (f"hit@{K} by {kind}", *(found[side, kind] for side in rate))
            for kind in ("titles", "facts")
        ),
    ]
    figures = [
        figure("search_queries_per_cpu_s", rate["tantivy"]),
        figure("search_speedup_over_fts5", rate["tantivy"] / rate["FTS5"], ">=", 1),
    ]
    for kind in ("titles", "facts"):
        ours, theirs = found["tantivy", kind], found["FTS5", kind]
        figures.append(figure(f"search_hit_at_{K}_{kind}", ours))
        figures.append(figure(f"search_hit_at_{K}_{kind}_over_fts5", ours - theirs, ">=", -0.01))
    finish(f"Text search over {pages:,} pages, {count:,} queries", ("", *rate), rows, figures)


if __name__ == "__main__":
    main()
