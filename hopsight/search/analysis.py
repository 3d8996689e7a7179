"""How text becomes terms, for the index and for queries alike."""

from typing import Final

import tantivy

MAX_TERM: Final = 40
MAX_QUERY_CHARS: Final = 2_000
MAX_QUERY_TERMS: Final = 48

# Words too common to tell one page from another; they also cost most of a query's time.
STOPWORDS: Final = tuple(
    "a about after all also am an and any are as at be been before being between both but by can "
    "could did do does for from had has have he her here hers him his how i if in into is it its "
    "itself me more most my no nor not of off on once only or other our out over own please same "
    "she should so some such tell than that the their them then there these they this those to "
    "too under until up very was we were what when where which while who whom whose why will "
    "with would you your".split()
)


def _builder() -> tantivy.TextAnalyzerBuilder:
    return (
        tantivy.TextAnalyzerBuilder(tantivy.Tokenizer.simple())
        .filter(tantivy.Filter.remove_long(MAX_TERM))
        .filter(tantivy.Filter.lowercase())
        .filter(tantivy.Filter.ascii_fold())
    )


def body_analyzer() -> tantivy.TextAnalyzer:
    """Lower case, accents folded, stopwords dropped, English stems."""
    stopwords = tantivy.Filter.custom_stopword(list(STOPWORDS))
    return _builder().filter(stopwords).filter(tantivy.Filter.stemmer("english")).build()


def name_analyzer() -> tantivy.TextAnalyzer:
    """As for bodies, but stopwords stay: a name may consist of nothing else."""
    return _builder().filter(tantivy.Filter.stemmer("english")).build()


def clean_query(text: str) -> str:
    """A query as the index can take it: bounded, and without what is not valid Unicode text."""
    return text[:MAX_QUERY_CHARS].encode("utf-8", "replace").decode("utf-8")
