"""Full-text search over pages: BM25 in tantivy, names told whole first, snippet around the match.

All words of a page are one field: over fields of their own, a term's rarity and a field's usual
length would be counted where most pages have nothing.
"""

import shutil
import zlib
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import Final

import tantivy

from hopsight.errors import StoreError
from hopsight.search.analysis import MAX_QUERY_TERMS, body_analyzer, clean_query, name_analyzer

SNIPPET_CHARS: Final = 260
WRITER_BYTES: Final = 64_000_000


@dataclass(frozen=True, slots=True)
class TextDoc:
    """A page as the index takes it. `facts` is searched but never shown in a snippet."""

    url: str
    title: str
    names: tuple[str, ...] = ()
    body: str = ""
    facts: str = ""


@dataclass(frozen=True, slots=True)
class PageHit:
    """A page found. `score` is BM25 with field boosts: comparable within one answer only."""

    url: str
    title: str
    snippet: str
    score: float


class TextIndex:
    """A read-only index in a folder. Equal documents give equal answers, ties ordered by URL."""

    def __init__(self, index: tantivy.Index) -> None:
        _register(index)
        self._schema = index.schema
        self._searcher = index.searcher()
        self._body = body_analyzer()
        self._name = name_analyzer()

    @classmethod
    def build(cls, docs: Iterable[TextDoc], folder: Path) -> "TextIndex":
        """Write an index of `docs` into `folder`, replacing what is there, and open it."""
        shutil.rmtree(folder, ignore_errors=True)
        folder.mkdir(parents=True)
        index = tantivy.Index(_schema(), path=str(folder), reuse=False)
        _register(index)
        # One thread and one commit: the order of documents, and so of ties, is that of the input.
        writer = index.writer(heap_size=WRITER_BYTES, num_threads=1)
        analyzer = name_analyzer()
        for doc in docs:
            writer.add_document(_document(doc, analyzer))
        writer.commit()
        writer.wait_merging_threads()
        return cls.open(folder)

    @classmethod
    def open(cls, folder: Path) -> "TextIndex":
        """Open an index. Raises StoreError where there is none or it cannot be read."""
        try:
            return cls(tantivy.Index.open(str(folder)))
        except (ValueError, OSError) as error:
            raise StoreError(
                f"no readable text index in {folder}: {error}", "build the search index again"
            ) from error

    def __len__(self) -> int:
        return self._searcher.num_docs

    def search(self, query: str, k: int) -> list[PageHit]:
        """The best `k` pages for `query`, best first; none where no term of it is known."""
        terms = self._terms(clean_query(query))
        found = self.matches(query, 2 * k)
        if not found:
            return []
        generator = self._snippets(terms)
        hits = []
        for score, address in found:
            doc = self._searcher.doc(address)
            url, title = _stored(doc, "url"), _stored(doc, "title")
            hits.append((-score, url, title, doc))
        hits.sort(key=lambda hit: hit[:2])
        return [
            PageHit(url, title, self._snippet(generator, doc), -score)
            for score, url, title, doc in hits[:k]
        ]

    def matches(self, query: str, limit: int) -> list[tuple[float, tantivy.DocAddress]]:
        """Scores and places of the best pages, best first, without reading the pages."""
        text = clean_query(query)
        clauses = [self._clause("words", term) for term in self._terms(text)]
        label = _label(self._name, text)
        if label and self._searcher.doc_freq("label", label):
            # Few pages bear a name, so that it weighs more than any word. No boost: it would keep
            # tantivy from leaving out what cannot be among the best.
            clauses.append(self._clause("label", label))
        if not clauses or limit < 1 or not len(self):
            return []
        either = tantivy.Query.boolean_query(clauses)
        found = self._searcher.search(either, limit=limit, count=False)
        return [(round(float(score), 4), address) for score, address in found.hits]

    def _clause(self, field: str, term: str) -> tuple[tantivy.Occur, tantivy.Query]:
        query = tantivy.Query.term_query(self._schema, field, term, index_option="freq")
        return tantivy.Occur.Should, query

    def _terms(self, text: str) -> list[str]:
        return list(dict.fromkeys(self._body.analyze(text)))[:MAX_QUERY_TERMS]

    def _snippets(self, terms: list[str]) -> tantivy.SnippetGenerator | None:
        if not terms:
            return None
        query = tantivy.Query.boolean_query([self._clause("words", term) for term in terms])
        generator = tantivy.SnippetGenerator.create(self._searcher, query, self._schema, "words")
        generator.set_max_num_chars(SNIPPET_CHARS)
        return generator

    def _snippet(self, generator: tantivy.SnippetGenerator | None, doc: tantivy.Document) -> str:
        body = zlib.decompress(bytes(doc.get_first("body") or b""), wbits=-15).decode()
        part = ""
        if generator is not None:
            # The body alone: what is only searched shall not be shown.
            shown = tantivy.Document()
            shown.add_text("words", body)
            part = generator.snippet_from_doc(shown).fragment()
        if not part:
            part = body[:SNIPPET_CHARS]
        text = " ".join(part.split())
        start = "" if body.startswith(part) else "… "
        end = "" if body.endswith(part) else " …"
        return f"{start}{text}{end}" if text else ""


def _schema() -> tantivy.Schema:
    builder = tantivy.SchemaBuilder()
    for name in ("url", "title", "body"):
        builder.add_bytes_field(name, stored=True)
    builder.add_text_field("label", tokenizer_name="raw", index_option="freq")
    builder.add_text_field("words", tokenizer_name="hopsight_body", index_option="freq")
    return builder.build()


def _register(index: tantivy.Index) -> None:
    index.register_tokenizer("hopsight_body", body_analyzer())


def _label(analyzer: tantivy.TextAnalyzer, text: str) -> str:
    """A name in the form in which equal names are equal: lower case, no accents, stems."""
    return " ".join(analyzer.analyze(text)[:MAX_QUERY_TERMS])


def _document(doc: TextDoc, analyzer: tantivy.TextAnalyzer) -> tantivy.Document:
    document = tantivy.Document()
    for name, text in (("url", doc.url), ("title", doc.title)):
        document.add_bytes(name, text.encode("utf-8", "replace"))
    # Tantivy's own compression leaves two thirds of a text, deflating it little more than half.
    document.add_bytes("body", zlib.compress(doc.body.encode("utf-8", "replace"), wbits=-15))
    for label in sorted({_label(analyzer, name) for name in (doc.title, *doc.names)} - {""}):
        document.add_text("label", label)
    document.add_text("words", "\n".join([doc.title, *doc.names, doc.body, doc.facts]))
    return document


def _stored(doc: tantivy.Document, field: str) -> str:
    return bytes(doc.get_first(field) or b"").decode("utf-8", "replace")
