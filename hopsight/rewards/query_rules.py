"""r_query by rule: overlap of words and of pictures, nothing that needs understanding. [ours]"""

import re
from collections.abc import Sequence
from statistics import fmean
from typing import Final

from hopsight.errors import Outcome
from hopsight.leak import fold
from hopsight.rewards.query_score import Invalid, QueryScore
from hopsight.rewards.searches import Search, searches
from hopsight.types import BankImage, Task, Turn

_COMMON: Final = frozenset(
    (
        "a an and are as at be been by did do does for from had has have how in into is it its of "
        "on or s that the their there this to was were what when where which who whom whose why "
        "will with"
    ).split()
)
_WORD: Final = re.compile(r"\w+")
_UNSPACED: Final = re.compile(r"[\u0e00-\u0eff\u1000-\u109f\u3040-\u30ff\u3400-\u9fff]")


def rule_queries(
    task: Task, turns: Sequence[Turn], bank: Sequence[BankImage]
) -> QueryScore | Invalid:
    """r_query of `turns` (those before a fatal step, where there is one).

    Searches that the tool lost (transient) are left out. Without any search all that applies is
    0; where every search was lost the score is invalid.

    - relevance: the share of a query's words that the question or an earlier result holds; a
      search by picture is relevant if the picture is one of the episode's. Mean over searches.
    - progression: 1 − the largest Jaccard overlap with an earlier query; a picture searched again
      has 0. Mean over searches.
    - signal: the share of searches that brought back a word or a picture not seen before.
    - complementarity: ½ if both kinds of search succeeded, and ½ if one used what the other found
      and the question did not hold. Only for a task with pictures.
    """
    made = searches(turns, bank)
    kept = [search for search in made if search.outcome is not Outcome.TRANSIENT]
    if made and not kept:
        return Invalid("searches_lost", f"all {len(made)} searches failed as transient")
    if not kept:
        return QueryScore(
            relevance=0, progression=0, signal=0, complementarity=0 if task.images else None
        )
    return QueryScore(
        relevance=fmean(_relevances(task, kept)),
        progression=fmean(_progressions(kept)),
        signal=fmean(_signals(task, kept)),
        complementarity=_complementarity(task, made) if task.images else None,
    )


def content_words(text: str) -> frozenset[str]:
    """Folded words of `text` that carry meaning; single characters of scripts without spaces."""
    words = _WORD.findall(fold(text))
    spaced = {word for word in words if not _UNSPACED.search(word)} - _COMMON
    return frozenset(spaced | {char for word in words for char in word if _UNSPACED.match(char)})


def _relevances(task: Task, made: Sequence[Search]) -> list[float]:
    known = set(content_words(task.text))
    scores = []
    for search in made:
        if search.words is None:
            scores.append(0.0 if (search.picture or "").startswith("unknown:") else 1.0)
        else:
            words = content_words(search.words)
            scores.append(len(words & known) / len(words) if words else 0.0)
        known |= _found(search)
    return scores


def _progressions(made: Sequence[Search]) -> list[float]:
    scores = []
    for place, search in enumerate(made):
        overlaps = [_overlap(search, earlier) for earlier in made[:place]]
        scores.append(1 - max(overlaps, default=0.0))
    return scores


def _overlap(search: Search, earlier: Search) -> float:
    if search.words is None or earlier.words is None:
        return float(search.picture is not None and search.picture == earlier.picture)
    if search.tool != earlier.tool:
        return 0.0
    mine, theirs = content_words(search.words), content_words(earlier.words)
    return len(mine & theirs) / len(mine | theirs) if mine | theirs else 1.0


def _signals(task: Task, made: Sequence[Search]) -> list[float]:
    known = set(content_words(task.text))
    pictures = {image.sha256 for image in task.images}
    scores = []
    for search in made:
        asked = content_words(search.words or "")
        is_new = bool(_found(search) - known - asked or search.brought - pictures)
        scores.append(float(is_new))
        known |= _found(search)
        pictures |= search.brought
    return scores


def _complementarity(task: Task, made: Sequence[Search]) -> float:
    ok = [search.outcome is Outcome.OK for search in made]
    both = {search.words is None for search, good in zip(made, ok, strict=True) if good}
    return 0.5 * (len(both) == 2) + 0.5 * _feeds(task, made)


def _feeds(task: Task, made: Sequence[Search]) -> bool:
    """Whether a query holds a word that a picture search found, or a picture that words found."""
    told = content_words(task.text)
    seen_in_pictures: set[str] = set()
    for search in made:
        if search.words is not None and (content_words(search.words) - told) & seen_in_pictures:
            return True
        source = None if search.picture_from is None else made[search.picture_from]
        if search.words is None and source is not None and source.words is not None:
            return True
        if search.words is None:
            seen_in_pictures |= _found(search)
        else:
            told |= content_words(search.words) | _found(search)
    return False


def _found(search: Search) -> frozenset[str]:
    return content_words(search.found) if search.outcome is Outcome.OK else frozenset()
