"""Choosing the sentence of a page's prose that states an infobox value."""

import re
from collections import defaultdict
from collections.abc import Mapping, Sequence, Set
from dataclasses import dataclass
from typing import Final

from hopsight.wiki.cues import WEAK, contrary, cues, is_unspoken
from hopsight.wiki.places import Place, Sentence, Wanted, names, places

_NEAR: Final = 80
"""Characters within which a cue is taken to speak of the value."""

_BESIDE: Final = 6
"""Characters within which a weak cue counts: room for an article."""

_SUBJECT: Final = re.compile(
    r"(?:The [a-z]+|Its|His|Her|Their)\b|(?:.{0,13}\b)?(?:[Ii]t|[Hh]e|[Ss]he|[Tt]hey)\b"
)
"""How a sentence begins that takes up what the page is about: the bridge, its, he."""

_WEAKLY: Final = 0.6
"""What a weak cue beside the value counts."""

_FEW: Final = 2
"""A value without any cue is taken as stated if it stands in at most so many sentences."""


def align(
    sentences: Sequence[Sentence], wanted: Sequence[Wanted], title: str
) -> list[Sentence | None]:
    """For each value of a page the sentence that states it, or None.

    A sentence must hold the value: a link to its page, its words, or its number; and it must
    speak of the attribute by some cue, unless the value alone is telling enough. Cues near the
    value count for a sentence, cues of the page's other attributes and contrary ones against it;
    so do its place on the page and how many members of the same list it holds. The earlier
    sentence wins a tie. A sentence with no cue, or with none but a word like "in", must be about
    the page: name it, begin with what stands for it, or be its first.
    """
    named = {held.number for held in sentences if held.number == 0 or _is_about(held, title)}
    found = [[p for held in sentences for p in places(held, want, title)] for want in wanted]
    lists = _lists(wanted, found)
    rivals = {want.attribute: cues(want.attribute) for want in wanted}
    return [_best(want, at, rivals, lists, named) for want, at in zip(wanted, found, strict=True)]


def _is_about(held: Sentence, title: str) -> bool:
    return names(held, title) or _SUBJECT.match(held.text) is not None


@dataclass(slots=True)
class _Listing:
    """What one sentence says of one attribute: members that it holds, its nearest cue."""

    members: int = 0
    cue: float = 0.0


def _lists(
    wanted: Sequence[Wanted], found: Sequence[Sequence[Place]]
) -> dict[tuple[str, int], _Listing]:
    """By attribute and sentence. A cue beside one member of a list speaks of all of them."""
    lists: dict[tuple[str, int], _Listing] = defaultdict(_Listing)
    for want, at in zip(wanted, found, strict=True):
        for number in {place.sentence.number for place in at}:
            lists[want.attribute, number].members += 1
        for place in at:
            listing = lists[want.attribute, place.sentence.number]
            listing.cue = max(listing.cue, _nearness(place, cues(want.attribute)))
    return lists


def _best(
    wanted: Wanted,
    found: Sequence[Place],
    rivals: Mapping[str, frozenset[str]],
    lists: Mapping[tuple[str, int], _Listing],
    named: Set[int],
) -> Sentence | None:
    few = len({place.sentence.number for place in found}) <= _FEW
    alone = few and (wanted.page_id is None or is_unspoken(wanted.attribute))
    best: Sentence | None = None
    best_score = float("-inf")
    for place in found:
        listing = lists[wanted.attribute, place.sentence.number]
        told = place.sentence.number in named
        if listing.cue == 0.0 and not (place.certain and alone and told):
            continue
        if listing.cue == _WEAKLY and not told:
            continue
        score = (
            place.plain
            + 4.0 * listing.cue
            - 1.5 * _rival(place, wanted.attribute, rivals)
            - 3.0 * (_nearness(place, contrary(wanted.attribute)) > 0)
            + 0.75 * (place.sentence.number == 0)
            + 0.75 * min(2, listing.members - 1)
        )
        if score > best_score:
            best, best_score = place.sentence, score
    return best


def _rival(place: Place, attribute: str, rivals: Mapping[str, frozenset[str]]) -> float:
    own = cues(attribute)
    return max(
        (_nearness(place, words - own) for name, words in rivals.items() if name != attribute),
        default=0.0,
    )


def _nearness(place: Place, words: frozenset[str]) -> float:
    """1 for a cue beside the value, less for one farther off, 0 for none within reach."""
    best = 0.0
    for word, length, at in place.sentence.words:
        if word in words and not place.start <= at < place.end:
            before = at < place.start
            gap = place.start - (at + length) if before else at - place.end
            if word in WEAK:
                best = max(best, _WEAKLY if before and gap <= _BESIDE else 0.0)
            else:
                best = max(best, 1.0 - gap / _NEAR)
    return max(0.0, best)
