"""Full-text search over pages: BM25 in tantivy, best field per term, snippet around the match."""

import shutil
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import Final

import tantivy

from hopsight.errors import StoreError
from hopsight.search.analysis import MAX_QUERY_TERMS, body_analyzer, clean_query, name_analyzer

SNIPPET_CHARS: Final = 260
# A term in the title says more than one in the text; infobox values come last.
BOOSTS: Final = {"title": 2.0, "names": 1.5, "body": 1.0, "facts": 0.6}
NAME_FIELDS: Final = ("title", "names")
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
        for doc in docs:
            writer.add_document(_document(doc))
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
        text = clean_query(query)
        terms = self._terms(text)
        if not terms or k < 1 or not len(self):
            return []
        found = self._searcher.search(_any_of(self._schema, terms), limit=2 * k, count=False)
        bodies = [term for term, name_only in terms if not name_only]
        generator = self._snippets(bodies)
        hits = []
        for score, address in found.hits:
            doc = self._searcher.doc(address)
            url, title = doc.get_first("url"), doc.get_first("title")
            hits.append((-round(float(score), 4), str(url), str(title), doc))
        hits.sort(key=lambda hit: hit[:2])
        return [
            PageHit(url, title, _snippet(generator, doc), -score)
            for score, url, title, doc in hits[:k]
        ]

    def _terms(self, text: str) -> list[tuple[str, bool]]:
        """Distinct terms; stopwords alone are looked up among names only (`True`)."""
        terms = list(dict.fromkeys(self._body.analyze(text)))[:MAX_QUERY_TERMS]
        if terms:
            return [(term, False) for term in terms]
        names = list(dict.fromkeys(self._name.analyze(text)))[:MAX_QUERY_TERMS]
        return [(term, True) for term in names]

    def _snippets(self, terms: list[str]) -> tantivy.SnippetGenerator | None:
        if not terms:
            return None
        should = [
            (tantivy.Occur.Should, tantivy.Query.term_query(self._schema, "body", term))
            for term in terms
        ]
        query = tantivy.Query.boolean_query(should)
        generator = tantivy.SnippetGenerator.create(self._searcher, query, self._schema, "body")
        generator.set_max_num_chars(SNIPPET_CHARS)
        return generator


def _schema() -> tantivy.Schema:
    builder = tantivy.SchemaBuilder()
    builder.add_text_field("url", stored=True, tokenizer_name="raw", index_option="basic")
    for name in BOOSTS:
        tokenizer = "hopsight_name" if name in NAME_FIELDS else "hopsight_body"
        stored = name in {"title", "body"}
        builder.add_text_field(name, stored=stored, tokenizer_name=tokenizer, index_option="freq")
    return builder.build()


def _register(index: tantivy.Index) -> None:
    index.register_tokenizer("hopsight_body", body_analyzer())
    index.register_tokenizer("hopsight_name", name_analyzer())


def _document(doc: TextDoc) -> tantivy.Document:
    document = tantivy.Document()
    document.add_text("url", doc.url)
    document.add_text("title", doc.title)
    for name in doc.names:
        document.add_text("names", name)
    document.add_text("body", doc.body)
    document.add_text("facts", doc.facts)
    return document


def _any_of(schema: tantivy.Schema, terms: list[tuple[str, bool]]) -> tantivy.Query:
    """Pages with any of the terms; each term counts where it counts most."""
    should = []
    for term, name_only in terms:
        fields = NAME_FIELDS if name_only else tuple(BOOSTS)
        options = [
            tantivy.Query.boost_query(
                tantivy.Query.term_query(schema, field, term, index_option="freq"), BOOSTS[field]
            )
            for field in fields
        ]
        best = tantivy.Query.disjunction_max_query(options, tie_breaker=0.2)
        should.append((tantivy.Occur.Should, best))
    return tantivy.Query.boolean_query(should)


def _snippet(generator: tantivy.SnippetGenerator | None, doc: tantivy.Document) -> str:
    body = str(doc.get_first("body") or "")
    part = generator.snippet_from_doc(doc).fragment() if generator is not None else ""
    if not part:
        part = body[:SNIPPET_CHARS]
    text = " ".join(part.split())
    start = "" if body.startswith(part) else "… "
    end = "" if body.endswith(part) else " …"
    return f"{start}{text}{end}" if text else ""
