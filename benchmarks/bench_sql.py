"""SQL dumps: typed columns against csv.reader, value by value, and in-degrees as tables grow."""

import csv
import tempfile
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path

import numpy as np
import pyarrow as pa

from benchmarks.report import Figure, alternate, figure, finish, in_child, resident_bytes
from hopsight.wiki.sql import in_degrees, read_table

ROWS = {"pagelinks": 1_500_000, "linktarget": 600_000, "page": 200_000}
GOALS = {"pagelinks": 3.0, "linktarget": 2.0, "page": 2.0}
GROWTH = (500_000, 1_000_000, 2_000_000, 4_000_000)
DEGREE_GROWTH = (500_000, 1_000_000, 2_000_000)

PER_INSERT = 1 << 20
HOSTILE = (
    "It's_(a)_title", "a),(1,0,'b", "Back\\slash\\\\", 'Say_"no"', "f(x),(y)", "',NULL);", "x\\'",
    "Two\nlines", "', '", "\\", "(1,2,3),(4,5,6)", "Ein_„Zitat“_(Begriffsklärung)", "太陽系_(天文)",
)  # fmt: skip
"""Every 500th title is one of these; three in a hundred of the others have an apostrophe."""

CREATE = {
    "pagelinks": "`pl_from` int(8) unsigned NOT NULL,\n`pl_from_namespace` int(11) NOT NULL,\n"
    "`pl_target_id` bigint(20) unsigned NOT NULL",
    "linktarget": "`lt_id` bigint(20) unsigned NOT NULL,\n`lt_namespace` int(11) NOT NULL,\n"
    "`lt_title` varbinary(255) NOT NULL",
    "redirect": "`rd_from` int(8) NOT NULL,\n`rd_namespace` int(11) NOT NULL,\n"
    "`rd_title` varbinary(255) NOT NULL,\n`rd_interwiki` varbinary(32) DEFAULT NULL,\n"
    "`rd_fragment` varbinary(255) DEFAULT NULL",
    "page": "`page_id` int(8) unsigned NOT NULL,\n`page_namespace` int(11) NOT NULL,\n"
    "`page_title` varbinary(255) NOT NULL,\n`page_is_redirect` tinyint(1) NOT NULL,\n"
    "`page_is_new` tinyint(1) NOT NULL,\n`page_random` double NOT NULL,\n"
    "`page_touched` binary(14) NOT NULL,\n`page_links_updated` varbinary(14) DEFAULT NULL,\n"
    "`page_latest` int(8) NOT NULL,\n`page_len` int(8) NOT NULL,\n"
    "`page_content_model` varbinary(32) DEFAULT NULL,\n`page_lang` varbinary(35) DEFAULT NULL",
}


@dataclass(frozen=True, slots=True)
class Made:
    """A dump and the values that it was written from."""

    path: Path
    values: pa.Table


def titles(rows: int, rng: np.random.Generator) -> list[str]:
    """Titles of one to four words, some of them hostile."""
    words = np.array(
        ["Danube", "of", "Old", "Bridge", "Église", "River", "1984", "Station", "東京"]
    )
    lengths = rng.integers(1, 5, rows).tolist()
    picked = iter(words[rng.integers(0, len(words), int(sum(lengths)))].tolist())
    made = ["_".join([next(picked) for _ in range(n)] + [str(at)]) for at, n in enumerate(lengths)]
    for at in np.flatnonzero(rng.random(rows) < 0.03).tolist():
        made[at] = made[at][:3] + "'s_" + made[at][3:]
    for at in range(0, rows, 500):
        made[at] = HOSTILE[at // 500 % len(HOSTILE)]
    return made


def quoted(text: str | None) -> str:
    """As mysqldump writes it."""
    if text is None:
        return "NULL"
    for sign, told in (("\\", "\\\\"), ("'", "\\'"), ('"', '\\"'), ("\n", "\\n")):
        text = text.replace(sign, told)
    return f"'{text}'"


def make(folder: Path, name: str, columns: Sequence[Sequence[int | float | str | None]]) -> Made:
    """Write the dump of a table whose columns are given in the order of its CREATE TABLE."""
    names = CREATE[name].split("`")[1::2]
    told = [
        [quoted(v) if isinstance(v, str | None) else repr(v) for v in column] for column in columns
    ]
    path = folder / f"{name}-{len(columns[0])}.sql"
    with path.open("w", encoding="utf-8", newline="\n") as out:
        out.write(f"CREATE TABLE `{name}` (\n{CREATE[name]}\n) ENGINE=InnoDB;\n")
        line: list[str] = []
        size = 0
        for row in zip(*told, strict=True):
            line.append(f"({','.join(row)})")
            size += len(line[-1])
            if size > PER_INSERT:
                out.write(f"INSERT INTO `{name}` VALUES {','.join(line)};\n")
                line, size = [], 0
        if line:
            out.write(f"INSERT INTO `{name}` VALUES {','.join(line)};\n")
    return Made(path, pa.table(dict(zip(names, columns, strict=True))))


def pagelinks(folder: Path, rows: int) -> Made:
    """Links by number, in the order of their sources, identifiers as large as a big wiki's."""
    rng = np.random.default_rng(1)
    sources = np.sort(rng.integers(1, 80_000_000, rows)).tolist()
    spaces = rng.choice([0, 0, 0, 0, 1, 4, 10], rows).tolist()
    return make(folder, "pagelinks", [sources, spaces, rng.integers(1, 3 * 10**8, rows).tolist()])


def linktarget(folder: Path, rows: int) -> Made:
    """Identifiers and titles."""
    rng = np.random.default_rng(2)
    spaces = rng.choice([0, 0, 0, 10, 14], rows).tolist()
    return make(folder, "linktarget", [list(range(1, rows + 1)), spaces, titles(rows, rng)])


def page(folder: Path, rows: int) -> Made:
    """The widest of the tables."""
    rng = np.random.default_rng(3)
    dates = [str(20240101000000 + n % 86400) for n in range(rows)]
    models = ["wikitext"] * rows
    langs = [None] * rows
    return make(
        folder,
        "page",
        [
            list(range(1, rows + 1)), rng.choice([0, 0, 0, 10, 14], rows).tolist(),
            titles(rows, rng), rng.integers(0, 2, rows).tolist(), [0] * rows,
            rng.random(rows).tolist(), dates, dates, rng.integers(1, 10**9, rows).tolist(),
            rng.integers(1, 10**5, rows).tolist(), models, langs,
        ],
    )  # fmt: skip


def by_csv(path: Path) -> Iterator[list[str]]:
    """The usual script: rows to lines, then csv.reader; every field stays a string."""
    with path.open(encoding="utf-8", newline="\n") as dump:
        for line in dump:
            if line.startswith("INSERT INTO"):
                rows = line.partition(" VALUES (")[2].removesuffix(");\n").replace("),(", "\n")
                yield from csv.reader(
                    rows.split("\n"), quotechar="'", escapechar="\\", doublequote=False
                )


def count(path: Path) -> int:
    """The other side, all rows."""
    return sum(1 for _ in by_csv(path))


def rows_of(path: Path, *, machine_code: bool = True) -> int:
    """The project's side: typed columns, all of them."""
    return sum(batch.num_rows for batch in read_table(path, machine_code=machine_code))


def wrong_rows(made: Made) -> int:
    """Rows read by the project that differ in any value from what was written."""
    found = pa.Table.from_batches(list(read_table(made.path)))
    if found.num_rows != made.values.num_rows:
        return abs(found.num_rows - made.values.num_rows) or 1
    columns = zip(found.itercolumns(), made.values.itercolumns(), strict=True)
    pairs = [(a.to_pylist(), b.to_pylist()) for a, b in columns]
    wrong: set[int] = set()
    for a, b in pairs:
        wrong.update(at for at, value in enumerate(a) if value != b[at])
    return len(wrong)


def wrong_rows_of_csv(made: Made) -> int:
    """Rows that csv.reader's side does not give with all values as they were (NULL as text)."""
    wanted = zip(*(column.to_pylist() for column in made.values.itercolumns()), strict=True)
    told = {tuple("NULL" if v is None else str(v) for v in row) for row in wanted}
    return int(made.values.num_rows) - len(told & {tuple(row) for row in by_csv(made.path)})


def exponent(sizes: Sequence[int], seconds: Sequence[float]) -> float:
    """How the cost grows: the slope of its logarithm over that of the size."""
    return float(np.polyfit(np.log(sizes), np.log(seconds), 1)[0])


def start_of_machine_code() -> float:
    """CPU seconds that importing numba and compiling take in a fresh process."""
    with tempfile.TemporaryDirectory() as name:
        path = linktarget(Path(name), 10).path
        rows_of(path, machine_code=False)
        start = time.process_time()
        rows_of(path)
        return time.process_time() - start


def memory_of_reading() -> float:
    """Bytes that reading a dump of 60 MB adds to a process."""
    with tempfile.TemporaryDirectory() as name:
        path = pagelinks(Path(name), 40_000).path
        rows_of(path)
        head, _, line = path.read_bytes().partition(b"INSERT")
        with path.open("wb") as out:
            out.write(head)
            for _ in range(60):
                out.write(b"INSERT" + line)
        before, most = resident_bytes(), 0
        for _ in read_table(path, machine_code=True):
            most = max(most, resident_bytes())
        return float(most - before)


def whole_wiki(folder: Path, links: int) -> Path:
    """Tables that belong together: a page for ten links, three redirects in ten."""
    folder.mkdir()
    rng = np.random.default_rng(links)
    pages = links // 10
    names = [f"Page_{n}" for n in range(pages)]
    leads = np.flatnonzero(np.arange(pages) % 10 >= 7).tolist()
    flags = [int(n % 10 >= 7) for n in range(pages)]
    none = [None] * pages
    zero = [0] * pages
    dates = ["20240101000000"] * pages
    ids = list(range(pages))
    table: list[Sequence[int | float | str | None]] = [
        ids,
        zero,
        names,
        flags,
        zero,
        [0.5] * pages,
        dates,
        dates,
        ids,
        ids,
        none,
        none,
    ]
    goals = [f"Page_{n // 2}" for n in leads]
    empty = none[: len(leads)]
    made = [
        make(folder, "page", table),
        make(folder, "redirect", [leads, zero[: len(leads)], goals, empty, empty]),
        make(folder, "linktarget", [ids, zero, names]),
    ]
    sources = np.sort(rng.integers(0, pages, links)).tolist()
    targets = (pages * rng.random(links) ** 2).astype(np.int64).tolist()
    made.append(make(folder, "pagelinks", [sources, [0] * links, targets]))
    for each in made:
        each.path.rename(folder / f"{each.path.name.split('-')[0]}.sql")
    return folder


def degrees(folder: Path, links: int) -> int:
    """In-degrees of all pages that are no redirects; their sum."""
    ids = np.arange(links // 10, dtype=np.int64)
    return int(in_degrees(folder, ids[ids % 10 < 7], memory_limit="1GB")[0].sum())


def rates(folder: Path) -> tuple[list[tuple[object, ...]], list[Figure]]:
    """Both sides on three tables."""
    rows: list[tuple[object, ...]] = []
    figures: list[Figure] = []
    for name, maker in MAKERS.items():
        made = maker(folder, ROWS[name])
        wrong, wrong_csv = wrong_rows(made), wrong_rows_of_csv(made)
        path, n = made.path, ROWS[name]
        del made
        times = alternate(
            {
                "machine code": partial(rows_of, path),
                "numpy": partial(rows_of, path, machine_code=False),
                "csv.reader": partial(count, path),
            }
        )
        cpu = {side: each.cpu for side, each in times.items()}
        rows += [(f"{name}, {side}", n / each / 1e6) for side, each in cpu.items()]
        rows.append((f"{name}, wrong rows of csv.reader", wrong_csv))
        base = cpu["csv.reader"]
        figures += [
            figure(f"sql_{name}_over_csv", base / cpu["machine code"], ">=", GOALS[name]),
            figure(f"sql_{name}_over_csv_without_numba", base / cpu["numpy"]),
            figure(f"sql_{name}_wrong_rows", wrong, "<=", 0),
        ]
    return rows, figures


def growth(folder: Path) -> list[Figure]:
    """Exponents of reading and of counting in-degrees."""
    reading = {str(n): pagelinks(folder, n).path for n in GROWTH}
    read = alternate({n: partial(rows_of, path) for n, path in reading.items()}, 3)
    wikis = {str(n): whole_wiki(folder / str(n), n) for n in DEGREE_GROWTH}
    counted = alternate({n: partial(degrees, path, int(n)) for n, path in wikis.items()}, 3)
    largest = DEGREE_GROWTH[-1]
    return [
        figure(
            "sql_read_growth_exponent",
            exponent(GROWTH, [each.cpu for each in read.values()]), "<=", 1.15,
        ),
        figure(
            "sql_in_degree_growth_exponent",
            exponent(DEGREE_GROWTH, [each.cpu for each in counted.values()]), "<=", 1.15,
        ),
        figure("sql_in_degree_cpu_us_per_link", counted[str(largest)].cpu / largest * 1e6),
        figure("sql_machine_code_start_cpu_s", in_child(start_of_machine_code)),
        figure("sql_read_memory_mb", in_child(memory_of_reading) / 1e6, "<=", 100),
    ]  # fmt: skip


MAKERS: dict[str, Callable[[Path, int], Made]] = {
    "pagelinks": pagelinks,
    "linktarget": linktarget,
    "page": page,
}


def main() -> None:
    """Run the benchmark."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        rows, figures = rates(folder)
        figures += growth(folder)
    finish("SQL dumps, all columns", ("", "million rows per CPU-s"), rows, figures)


if __name__ == "__main__":
    main()
