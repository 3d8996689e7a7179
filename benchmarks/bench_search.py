"""Text search: the tantivy index against SQLite FTS5 and bm25s (numba) on 100,000 passages.

All sides index the same words, drop the same stopwords and stem in English. FTS5 has the same
fields and cuts a snippet for every hit, and is held against the library's whole search. bm25s has
no snippets: it takes a passage as one text, answers with its number, and is given its queries in
one batch, as it is meant to be used; it is held against the library's ranking without snippets.
Every index on disk also holds the passages that it can show.
"""

import random
import re
import sqlite3
import statistics
import tempfile
from collections.abc import Callable, Sequence
from functools import partial
from math import log2
from pathlib import Path

import bm25s
import tantivy

from benchmarks.passages import Query, joined, labelled, lead_documents, world_documents
from benchmarks.report import Figure, Times, alternate, figure, finish
from benchmarks.world import mini_tables
from hopsight.search import TextDoc, TextIndex
from hopsight.search.analysis import STOPWORDS, body_analyzer
from hopsight.store import ImageStore

K = 10
PASSAGES = 100_000
# FTS5's columns and their weights: a term in the title says more than one in the text.
COLUMNS = {"title": 2.0, "names": 1.5, "body": 1.0, "facts": 0.6}
# FTS5 takes as long for a few queries as the others for all.
FTS_TIMED = 120
DRAWS = 2_000

Search = Callable[[Sequence[str]], list[list[str]]]
"""Addresses of the best pages for each of several queries."""


def build_fts(docs: Sequence[TextDoc], path: Path) -> sqlite3.Connection:
    """SQLite's index."""
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


def search_fts(base: sqlite3.Connection, texts: Sequence[str]) -> list[list[str]]:
    """What FTS5 finds."""
    weights = ", ".join(map(str, COLUMNS.values()))
    answers = []
    for text in texts:
        words = dict.fromkeys(re.findall(r"\w+", text.lower()))
        kept = [word for word in words if word not in STOPWORDS] or list(words)
        found = base.execute(
            "SELECT url, title, snippet(pages, 3, '', '', '…', 40) FROM pages "
            f"WHERE pages MATCH ? ORDER BY bm25(pages, 0, {weights}), url LIMIT {K}",
            (" OR ".join(f'"{word}"' for word in kept),),
        )
        answers.append([str(url) for url, _, _ in found.fetchall()])
    return answers


def build_bm25s(docs: Sequence[TextDoc], analyzer: tantivy.TextAnalyzer, path: Path) -> bm25s.BM25:
    """The index of bm25s, with the terms that the tantivy index has."""
    index = bm25s.BM25(backend="numba")
    texts = [joined(doc) for doc in docs]
    index.index([analyzer.analyze(text) for text in texts], show_progress=False)
    index.save(str(path), corpus=[{"text": text} for text in texts], show_progress=False)
    return index


def search_bm25s(
    index: bm25s.BM25, urls: Sequence[str], analyzer: tantivy.TextAnalyzer, texts: Sequence[str]
) -> list[list[str]]:
    """What bm25s finds; of equal scores it takes any."""
    terms = [list(dict.fromkeys(analyzer.analyze(text))) for text in texts]
    rows, scores = index.retrieve(terms, k=K, show_progress=False, n_threads=1)
    return [
        [urls[row] for row, score in zip(*pair, strict=True) if score > 0]
        for pair in zip(rows.tolist(), scores.tolist(), strict=True)
    ]


def search_ours(index: TextIndex, texts: Sequence[str]) -> list[list[str]]:
    """What the library finds, snippets cut."""
    return [[hit.url for hit in index.search(text, K)] for text in texts]


def rank_ours(index: TextIndex, texts: Sequence[str]) -> int:
    """The library's ranking alone, as bm25s does it; number of pages found."""
    return sum(len(index.matches(text, K)) for text in texts)


def gains(search: Search, asked: Sequence[Query]) -> list[float]:
    """nDCG@K of each query. One page is right: 1 / log2(1 + its place), 0 where it is missing."""
    found = search([query.text for query in asked])
    return [
        1 / log2(2 + urls.index(query.url)) if query.url in urls else 0.0
        for query, urls in zip(asked, found, strict=True)
    ]


def lower_bound(ours: Sequence[float], theirs: Sequence[float]) -> float:
    """Lower end of the 95 % bootstrap interval of the mean difference, query by query."""
    rng = random.Random(1)
    apart = [a - b for a, b in zip(ours, theirs, strict=True)]
    means = sorted(statistics.fmean(rng.choices(apart, k=len(apart))) for _ in range(DRAWS))
    return means[round(0.025 * DRAWS)]


def size(path: Path) -> int:
    """Bytes of a file or folder."""
    files = [path] if path.is_file() else [each for each in path.rglob("*") if each.is_file()]
    return sum(each.stat().st_size for each in files)


def main() -> None:
    """Run the benchmark."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        tables = mini_tables(ImageStore(folder / "store"))
        docs = world_documents(tables)
        docs += lead_documents(PASSAGES - len(docs))
        asked = labelled(tables)
        analyzer = body_analyzer()
        built = alternate(
            {
                "tantivy": lambda: TextIndex.build(docs, folder / "text"),
                "FTS5": lambda: build_fts(docs, folder / "fts.db").close(),
                "bm25s": lambda: build_bm25s(docs, analyzer, folder / "bm25s"),
            },
            repeats=1,
        )
        index = TextIndex.open(folder / "text")
        base = sqlite3.connect(folder / "fts.db")
        other = bm25s.BM25.load(str(folder / "bm25s"), mmap=True)
        other.backend = "numba"
        urls = [doc.url for doc in docs]
        sides: dict[str, Search] = {
            "tantivy": partial(search_ours, index),
            "FTS5": partial(search_fts, base),
            "bm25s": partial(search_bm25s, other, urls, analyzer),
        }
        everything = [query.text for kind in asked.values() for query in kind]
        random.Random(1).shuffle(everything)
        gained = {
            (side, kind): gains(search, asked[kind])
            for kind in asked
            for side, search in sides.items()
        }
        texts = {side: everything[:FTS_TIMED] if side == "FTS5" else everything for side in sides}
        jobs: dict[str, Callable[[], object]] = {
            side: partial(sides[side], texts[side]) for side in sides
        }
        jobs["ranking"] = partial(rank_ours, index, everything)
        texts["ranking"] = everything
        looked = alternate(jobs, repeats=3)
        base.close()
        sizes = {
            "tantivy": size(folder / "text"),
            "FTS5": size(folder / "fts.db"),
            "bm25s": size(folder / "bm25s"),
        }
    rates = {side: len(texts[side]) / times.cpu for side, times in looked.items()}
    _tell(len(docs), len(everything), built, rates, sizes, gained)


def _tell(
    passages: int,
    count: int,
    built: dict[str, Times],
    rates: dict[str, float],
    sizes: dict[str, int],
    gained: dict[tuple[str, str], list[float]],
) -> None:
    kinds = list(dict.fromkeys(kind for _, kind in gained))
    sides = list(built)
    rows: list[tuple[object, ...]] = [
        ("build, CPU-s", *(built[side].cpu for side in sides)),
        ("queries per CPU-s", *(rates[side] for side in sides)),
        ("MB on disk", *(sizes[side] / 1e6 for side in sides)),
    ]
    figures: list[Figure] = [
        figure("search_passages", passages),
        figure("search_queries_per_cpu_s", rates["tantivy"]),
        figure("search_rankings_per_cpu_s", rates["ranking"]),
        figure("search_speedup_over_fts5", rates["tantivy"] / rates["FTS5"], ">=", 30),
        figure("search_speed_of_bm25s", rates["ranking"] / rates["bm25s"], ">=", 0.7),
        figure("search_disk_of_bm25s", sizes["tantivy"] / sizes["bm25s"], "<=", 0.5),
    ]
    for kind in kinds:
        means = {side: statistics.fmean(gained[side, kind]) for side in sides}
        rows.append((f"nDCG@{K} by {kind}", *means.values()))
        figures.append(figure(f"search_ndcg_{kind}", means["tantivy"]))
    ours = [gain for kind in kinds for gain in gained["tantivy", kind]]
    for side in ("FTS5", "bm25s"):
        theirs = [gain for kind in kinds for gain in gained[side, kind]]
        name = f"search_ndcg_over_{side.lower()}"
        figures.append(figure(name, statistics.fmean(ours) - statistics.fmean(theirs)))
        figures.append(figure(f"{name}_lower_bound", lower_bound(ours, theirs), ">=", -0.01))
    finish(
        f"Text search over {passages:,} passages, {count:,} queries", ("", *sides), rows, figures
    )


if __name__ == "__main__":
    main()
