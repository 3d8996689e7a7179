"""Scanning an export: chunks in processes, each kept once done, and what they come to together."""

import logging
import multiprocessing
import os
import threading
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import Future, ProcessPoolExecutor, as_completed
from concurrent.futures.process import BrokenProcessPool
from multiprocessing.connection import wait
from pathlib import Path
from shutil import rmtree
from typing import Final

import numpy as np
import pyarrow.parquet as pq
from pydantic import ValidationError

from hopsight.errors import HopsightError, SourceError, StoreError
from hopsight.store.files import storage_errors, sweep, write_atomic
from hopsight.store.lock import file_lock
from hopsight.wiki.dump import SiteInfo, read_site
from hopsight.wiki.scan.records import ChunkDone, ScanDone, ScanSource
from hopsight.wiki.scan.source import site_head, source_file
from hopsight.wiki.scan.splitter import MAX_PAGE_BYTES
from hopsight.wiki.scan.streams import (
    AGAIN,
    BZ2_CHUNK,
    FETCH,
    PLAIN_CHUNK,
    Chunk,
    plan_chunks,
)
from hopsight.wiki.scan.work import Limits, note_path, piece_path, scan_chunk

log = logging.getLogger(__name__)

PIECE_BYTES: Final = 256 << 20
"""XML after which a piece of output is closed: what bounds the memory of a worker."""

SITE: Final = "site.xml"
SOURCE: Final = "source.json"
DONE: Final = "scan.json"

Progress = Callable[[int, int], None]


def scan_files(
    paths: Sequence[Path],
    folder: Path,
    *,
    workers: int = 1,
    progress: Progress | None = None,
    plain_chunk: int = PLAIN_CHUNK,
    bz2_chunk: int = BZ2_CHUNK,
    piece_bytes: int = PIECE_BYTES,
    max_page: int = MAX_PAGE_BYTES,
) -> None:
    """Bring the scan in `folder` up to date with the files; see `scan_dump`."""
    if not paths:
        raise SourceError("the export consists of no file", "name its part files, in their order")
    with file_lock(folder / "scan.lock", f"the scan in {folder}"):
        chunks = plan_chunks(paths, plain_chunk=plain_chunk, bz2_chunk=bz2_chunk)
        source = ScanSource(
            files=tuple(source_file(path) for path in paths),
            plain_chunk=plain_chunk,
            bz2_chunk=bz2_chunk,
            piece_bytes=piece_bytes,
            max_page=max_page,
        )
        _prepare(folder, source, paths)
        if (folder / DONE).is_file():
            return
        site = read_site(folder / SITE)
        done = {note.chunk: note for note in _notes(folder, chunks)}
        owed = [chunk for chunk in chunks if chunk.index not in done]
        log.info("event=scan_starts chunks=%d owed=%d", len(chunks), len(owed))
        for note in _scan_all(owed, site, folder, Limits(piece_bytes, max_page), workers):
            done[note.chunk] = note
            if progress is not None:
                progress(len(done), len(chunks))
        _finish(folder, chunks, [done[chunk.index] for chunk in chunks])


def _prepare(folder: Path, source: ScanSource, paths: Sequence[Path]) -> None:
    """Keep what the folder holds of the same source; else start anew."""
    note = source.model_dump_json(indent=1).encode()
    kept = folder / SOURCE
    with storage_errors(folder):
        ours = kept.is_file()
        same = ours and kept.read_bytes() == note
        for part in (folder / "parts", folder / "chunks"):
            if part.exists() and not ours:
                raise StoreError(f"{part} was not made by a scan", "choose another folder")
            if same and part.is_dir():
                sweep(part)
            elif part.is_dir():
                rmtree(part)
        if same:
            return
        for name in (DONE, SOURCE):
            (folder / name).unlink(missing_ok=True)
    write_atomic(folder / SITE, site_head(paths))
    write_atomic(kept, note)


def _notes(folder: Path, chunks: Sequence[Chunk]) -> Iterator[ChunkDone]:
    """The notes of chunks that are done, their files there."""
    for chunk in chunks:
        try:
            note = ChunkDone.model_validate_json(note_path(folder, chunk.index).read_bytes())
        except (FileNotFoundError, ValidationError):
            continue
        yield note


def _scan_all(
    chunks: Sequence[Chunk], site: SiteInfo, folder: Path, limits: Limits, workers: int
) -> Iterator[ChunkDone]:
    """Notes as chunks get done, in any order."""
    if workers <= 1 or len(chunks) <= 1:
        for chunk in chunks:
            yield scan_chunk(chunk, site, folder, limits)
        return
    with ProcessPoolExecutor(
        min(workers, len(chunks)),
        mp_context=multiprocessing.get_context("spawn"),
        initializer=_end_with_parent,
    ) as pool:
        tasks = [pool.submit(_in_worker, chunk, site, folder, limits) for chunk in chunks]
        try:
            for task in as_completed(tasks):
                yield _result(task, folder)
        finally:
            pool.shutdown(wait=True, cancel_futures=True)


def _end_with_parent() -> None:
    """A worker whose parent was killed must not go on writing beside the next run."""
    parent = multiprocessing.parent_process()
    assert parent is not None

    def watch() -> None:
        wait([parent.sentinel])
        os._exit(1)

    threading.Thread(target=watch, daemon=True).start()


def _in_worker(
    chunk: Chunk, site: SiteInfo, folder: Path, limits: Limits
) -> ChunkDone | tuple[type[HopsightError], str, str]:
    """An error goes back as its parts: exceptions with two arguments cannot be pickled."""
    try:
        return scan_chunk(chunk, site, folder, limits)
    except HopsightError as error:
        return type(error), error.cause, error.remedy


def _result(
    task: "Future[ChunkDone | tuple[type[HopsightError], str, str]]", folder: Path
) -> ChunkDone:
    try:
        result = task.result()
    except BrokenProcessPool as error:
        raise StoreError(
            f"a process that scanned for {folder} was ended from outside (out of memory?)",
            "run again, with fewer workers: what was done is kept",
        ) from error
    if isinstance(result, tuple):
        kind, cause, remedy = result
        raise kind(cause, remedy)
    return result


def _finish(folder: Path, chunks: Sequence[Chunk], notes: Sequence[ChunkDone]) -> None:
    """Check that the chunks join without a gap, find duplicates, and note that all is done."""
    _check_joins(chunks, notes)
    left_out = Counter[str]()
    for note in notes:
        left_out.update(note.left_out)
    entered = sum(note.entered for note in notes)
    if not entered:
        raise SourceError(f"{chunks[0].path} holds no pages", FETCH)
    pieces = tuple(note.pieces for note in notes)
    duplicates = _duplicates(folder, pieces)
    if duplicates:
        left_out["duplicate_page"] = len(duplicates)
    done = ScanDone(
        pieces=pieces,
        entered=entered,
        left_out=dict(sorted(left_out.items())),
        duplicates=duplicates,
    )
    write_atomic(folder / DONE, done.model_dump_json(indent=1).encode())
    log.info("event=scan_done pages=%d left_out=%s", entered, done.left_out)


def _check_joins(chunks: Sequence[Chunk], notes: Sequence[ChunkDone]) -> None:
    """Where a page crossed the end of a chunk, the next one must start behind that page."""
    start = reach = 0
    for chunk, note in zip(chunks, notes, strict=True):
        if chunk.first:
            start = reach = 0
        elif reach and reach - start <= note.own and max(0, reach - start) != note.lead:
            raise SourceError(
                f"{chunk.path} is damaged near byte {chunk.start}: pages do not follow each other",
                AGAIN,
            )
        if note.end:
            reach = start + note.end
        start += note.own


def _duplicates(folder: Path, pieces: Sequence[int]) -> tuple[tuple[int, int], ...]:
    """Rows (piece, row) of pages whose id was there before, in the order of the scan."""
    paths = [
        piece_path(folder, chunk, piece, "pages")
        for chunk, count in enumerate(pieces)
        for piece in range(count)
    ]
    ids = [pq.read_table(path, columns=["page_id"])["page_id"].to_numpy() for path in paths]
    if not ids:
        return ()
    starts = np.cumsum([0, *(len(each) for each in ids)])
    every = np.concatenate(ids)
    _, first = np.unique(every, return_index=True)
    if len(first) == len(every):
        return ()
    again = np.ones(len(every), bool)
    again[first] = False
    rows = np.flatnonzero(again)
    piece = np.searchsorted(starts, rows, side="right") - 1
    return tuple(zip(piece.tolist(), (rows - starts[piece]).tolist(), strict=True))
