"""Dumps as mysqldump writes them, and a slow reader that shares no code with the fast one."""

import gzip
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import Any

HEADER = (
    "-- MySQL dump 10.19  Distrib 10.3.38-MariaDB\n--\n-- Host: db's    Database: testwiki\n\n"
    "/*!40101 SET @OLD_CHARACTER_SET_CLIENT=@@CHARACTER_SET_CLIENT */;\n"
)
PAGELINKS = """CREATE TABLE `pagelinks` (
  `pl_from` int(8) unsigned NOT NULL DEFAULT 0,
  `pl_from_namespace` int(11) NOT NULL DEFAULT 0,
  `pl_target_id` bigint(20) unsigned NOT NULL,
  PRIMARY KEY (`pl_from`,`pl_target_id`),
  KEY `pl_target_id` (`pl_target_id`,`pl_from`)
) ENGINE=InnoDB DEFAULT CHARSET=binary;
"""
OLD_PAGELINKS = """CREATE TABLE `pagelinks` (
  `pl_from` int(8) unsigned NOT NULL DEFAULT 0,
  `pl_namespace` int(11) NOT NULL DEFAULT 0,
  `pl_title` varbinary(255) NOT NULL DEFAULT '',
  `pl_from_namespace` int(11) NOT NULL DEFAULT 0,
  PRIMARY KEY (`pl_from`,`pl_namespace`,`pl_title`)
) ENGINE=InnoDB DEFAULT CHARSET=binary;
"""
LINKTARGET = """CREATE TABLE `linktarget` (
  `lt_id` bigint(20) unsigned NOT NULL AUTO_INCREMENT,
  `lt_namespace` int(11) NOT NULL,
  `lt_title` varbinary(255) NOT NULL,
  PRIMARY KEY (`lt_id`),
  UNIQUE KEY `lt_namespace_title` (`lt_namespace`,`lt_title`)
) ENGINE=InnoDB AUTO_INCREMENT=9 DEFAULT CHARSET=binary;
"""
PAGE = """CREATE TABLE `page` (
  `page_id` int(8) unsigned NOT NULL AUTO_INCREMENT,
  `page_namespace` int(11) NOT NULL DEFAULT 0,
  `page_title` varbinary(255) NOT NULL DEFAULT '' COMMENT 'it''s (a), title; \\'so\\'',
  `page_is_redirect` tinyint(1) unsigned NOT NULL DEFAULT 0,
  `page_is_new` tinyint(1) unsigned NOT NULL DEFAULT 0,
  `page_random` double unsigned NOT NULL DEFAULT 0,
  `page_touched` binary(14) NOT NULL,
  `page_links_updated` varbinary(14) DEFAULT NULL,
  `page_latest` int(8) unsigned NOT NULL DEFAULT 0,
  `page_len` int(8) unsigned NOT NULL DEFAULT 0,
  `page_content_model` varbinary(32) DEFAULT NULL,
  `page_lang` varbinary(35) DEFAULT NULL,
  PRIMARY KEY (`page_id`)
) ENGINE=InnoDB AUTO_INCREMENT=9 DEFAULT CHARSET=binary;
"""
REDIRECT = """CREATE TABLE `redirect` (
  `rd_from` int(8) unsigned NOT NULL DEFAULT 0,
  `rd_namespace` int(11) NOT NULL DEFAULT 0,
  `rd_title` varbinary(255) NOT NULL DEFAULT '',
  `rd_interwiki` varbinary(32) DEFAULT NULL,
  `rd_fragment` varbinary(255) DEFAULT NULL,
  PRIMARY KEY (`rd_from`)
) ENGINE=InnoDB DEFAULT CHARSET=binary;
"""
PAGE_PROPS = """CREATE TABLE `page_props` (
  `pp_page` int(8) NOT NULL,
  `pp_propname` varbinary(60) NOT NULL DEFAULT '',
  `pp_value` blob NOT NULL,
  `pp_sortkey` float DEFAULT NULL,
  PRIMARY KEY (`pp_page`,`pp_propname`)
) ENGINE=InnoDB DEFAULT CHARSET=binary;
"""
_WRITTEN = {0: b"\\0", 10: b"\\n", 13: b"\\r", 26: b"\\Z", 34: b'\\"', 39: b"\\'", 92: b"\\\\"}
_READ = {ord("0"): 0, ord("b"): 8, ord("n"): 10, ord("r"): 13, ord("t"): 9, ord("Z"): 26}

Value = int | float | str | bytes | None


def written(value: Value) -> bytes:
    """One value as mysqldump writes it."""
    if value is None:
        return b"NULL"
    if isinstance(value, int | float):
        return repr(value).encode()
    data = value.encode() if isinstance(value, str) else value
    return b"'" + b"".join(_WRITTEN.get(byte, bytes([byte])) for byte in data) + b"'"


def insert(table: str, rows: Iterable[Sequence[Any]], head: str = "") -> bytes:
    """One INSERT of all rows, on one line."""
    tuples = b",".join(b"(" + b",".join(map(written, row)) + b")" for row in rows)
    return f"INSERT INTO `{table}` {head}VALUES ".encode() + tuples + b";\n"


def dump(create: str, rows: Sequence[Sequence[Any]], per_insert: int = 1000) -> bytes:
    """A whole dump of one table."""
    table = create.split("`", 2)[1]
    parts = [
        HEADER.encode(),
        f"DROP TABLE IF EXISTS `{table}`;\n".encode(),
        create.encode(),
        f"LOCK TABLES `{table}` WRITE;\n/*!40000 ALTER TABLE `{table}` DISABLE KEYS */;\n".encode(),
        *(insert(table, rows[at : at + per_insert]) for at in range(0, len(rows), per_insert)),
        f"/*!40000 ALTER TABLE `{table}` ENABLE KEYS */;\nUNLOCK TABLES;\n".encode(),
        b"-- Dump completed on 2026-01-01  0:00:00\n",
    ]
    return b"".join(parts)


def write(path: Path, create: str, rows: Sequence[Sequence[Any]], per_insert: int = 1000) -> Path:
    """Write a dump, gzip-compressed where the name says so."""
    data = dump(create, rows, per_insert)
    path.write_bytes(gzip.compress(data) if path.suffix == ".gz" else data)
    return path


def slow_rows(data: bytes) -> Iterator[tuple[bytes | None, ...]]:
    """Rows of a dump of mysqldump's making, byte by byte: the oracle."""
    for line in data.split(b"\n"):
        if line.startswith(b"INSERT INTO"):
            yield from _slow_line(line[line.index(b"VALUES ") + 7 :])


def _slow_line(line: bytes) -> Iterator[tuple[bytes | None, ...]]:
    at = 0
    row: list[bytes | None] = []
    while at < len(line) and line[at] != ord(";"):
        if line[at] in b"(,":
            at += 1
        elif line[at] == ord(")"):
            yield tuple(row)
            row, at = [], at + 1
        elif line[at] == ord("'"):
            value, at = _slow_string(line, at + 1)
            row.append(value)
        else:
            start = at
            while line[at] not in b",)":
                at += 1
            row.append(None if line[start:at] == b"NULL" else line[start:at])


def _slow_string(line: bytes, at: int) -> tuple[bytes, int]:
    value = bytearray()
    while line[at] != ord("'"):
        if line[at] == ord("\\"):
            at += 1
            value.append(_READ.get(line[at], line[at]))
        else:
            value.append(line[at])
        at += 1
    return bytes(value), at + 1
