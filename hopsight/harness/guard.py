"""What an episode must not read: hosts of benchmarks and data sets, and its own question answered.

A blocklist looks at addresses, a leak guard at what a page says. Neither is shown to the policy.
"""

import re
import unicodedata
from collections import Counter, deque
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Final
from urllib.parse import unquote

from hopsight.leak import folded

DEFAULT_HOSTS: Final = frozenset(
    (
        # Data sets, and their mirrors.
        "huggingface.co hf.co hf.space hf-mirror.com huggingface.tw aifasthub.com gitee.ai "
        "kaggle.com kaggleusercontent.com modelscope.cn modelscope.ai opendatalab.com "
        "openxlab.org.cn paperswithcode.com academictorrents.com "
        # Benchmarks' own.
        "lastexam.ai agi.safe.ai openaipublic.blob.core.windows.net"
    ).split()
)
"""Hosts that are blocked with all their subdomains."""

DEFAULT_CODE_HOSTS: Final = frozenset(
    (
        "github.com githubusercontent.com github.io ghcr.io gitlab.com gitlab.io bitbucket.org "
        "gitee.com gitcode.com gitcode.net codeberg.org sourceforge.net raw.githack.com "
        "rawgit.com statically.io jsdelivr.net unpkg.com zenodo.org figshare.com osf.io "
        "dropbox.com dropboxusercontent.com drive.google.com docs.google.com "
        "storage.googleapis.com amazonaws.com"
    ).split()
)
"""Hosts of much else besides: only what bears the name of a benchmark is blocked there."""

DEFAULT_NAMES: Final = frozenset(
    (
        "browsecomp mmbrowsecomp mmsearch mmsearchplus mmsearchopd livevqa simplevqa fvqa infoseek "
        "vdrbench visbrowse hlevl humanityslastexam simpleevals"
    ).split()
)
"""Names of benchmarks, as letters and digits alone; longer words that start so count too."""

_LAYERS: Final = 5
_MAX_CHARS: Final = 100_000
_HOST: Final = re.compile(r"(?<![\w.-])(?:[\w-]{1,63}\.){1,120}[a-z][\w-]{1,62}", re.ASCII)
_FOLLOWS: Final = re.compile(r"[^\s\"'<>]{0,1000}")
_DOTS: Final = str.maketrans({"。": ".", "\\": "/"})
_TRANSLATED: Final = ".translate.goog"
_LONGEST_RULE: Final = 6
_PARTS: Final = re.compile(r"[/?&#=:@,;]+")
_WORD: Final = re.compile(r"[a-z0-9]+")

_GRAM: Final = 4
_SHARE: Final = 0.5
_MIN_WORDS: Final = 6
_LONG: Final = 4
_LONG_SHARE: Final = 0.4
_UNSPACED: Final = r"\u0e00-\u0eff\u1000-\u109f\u3040-\u30ff\u3400-\u9fff"
_TOKEN: Final = re.compile(rf"[{_UNSPACED}]|[^\W{_UNSPACED}]+")

Gram = tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Blocklist:
    """Addresses that no tool may bring anything from.

    A rule holds for an address however it is written (case, port, user name, percent-codes, final
    dots, full-width letters), and for one that stands inside another: in an archive, a cache, a
    translation, a reader, a redirect's parameter or the name of a mirror.
    """

    hosts: frozenset[str] = DEFAULT_HOSTS
    code_hosts: frozenset[str] = DEFAULT_CODE_HOSTS
    names: frozenset[str] = DEFAULT_NAMES

    def blocks(self, text: str) -> str | None:
        """The rule (`host:…` or `name:…`) that blocks an address in `text`, None where none does.

        `text` is an address, or what may hold some: a query (`site:…`), a program.
        """
        for host, rest in _addresses(text):
            rule = self._rule(host, rest)
            if rule is not None:
                return rule
        return None

    def _rule(self, host: str, rest: str) -> str | None:
        runs = _label_runs(host)
        blocked = runs & self.hosts
        if blocked:
            return f"host:{min(blocked)}"
        if runs & self.code_hosts:
            borne = [name for name in self.names if _bears(name, host, rest)]
            return f"name:{min(borne)}" if borne else None
        return None


@dataclass(frozen=True, slots=True)
class LeakGuard:
    """Tells pages that hold the question and its answer together, made by who knows both.

    Let Q be the distinct word 4-grams of the folded question. A page leaks where some window of it,
    twice as long as the question, holds at least half of Q (all of Q if the question has fewer than
    12 words), and an accepted answer stands anywhere on the page, word by word. A question of
    fewer than 6 words ("Who is this?") is too ordinary to be told from a page about something else.
    A question in other words or another language is not found.
    """

    question: str
    answers: tuple[str, ...]

    def leaks(self, text: str) -> str | None:
        """`holds_question_and_answer`, or None for a page that holds at most one of them."""
        if not self.holds_question(text):
            return None
        words = _words(text)
        held = any(_holds(words, _words(answer)) for answer in self.answers)
        return "holds_question_and_answer" if held else None

    def holds_question(self, text: str) -> bool:
        """Whether some part of `text` is the question, whatever stands beside it."""
        sought = _sought(self.question)
        if sought.words < _MIN_WORDS or not _may_hold(sought, text):
            return False
        needed = _SHARE if sought.words >= 2 * _MIN_WORDS else 1.0
        return _best_share(sought.grams, _grams(_words(text)), 2 * sought.words) >= needed


@dataclass(frozen=True, slots=True)
class _Sought:
    """A question as it is looked for; `long` are its words of at least _LONG letters."""

    words: int
    grams: frozenset[Gram]
    long: frozenset[str]


@lru_cache(maxsize=1024)
def _sought(question: str) -> _Sought:
    words = _words(question)
    long = frozenset(word for word in words if len(word) >= _LONG and word.isascii())
    return _Sought(len(words), frozenset(_grams(words)), long)


def _may_hold(sought: _Sought, text: str) -> bool:
    """Whether so many of a question's long words stand in `text` that it may hold half of it.

    Looking for words costs a tenth of folding a text, and most pages have few of them.
    """
    if len(sought.long) < _GRAM:
        return True
    plain = text.casefold()
    return sum(word in plain for word in sought.long) >= _LONG_SHARE * len(sought.long)


def _best_share(sought: frozenset[Gram], found: Iterable[Gram], window: int) -> float:
    """The largest share of `sought` that stands in one window of `found`."""
    inside: Counter[Gram] = Counter()
    recent: deque[tuple[int, Gram]] = deque()
    best = 0
    for place, gram in enumerate(found):
        if gram not in sought:
            continue
        recent.append((place, gram))
        inside[gram] += 1
        while recent[0][0] <= place - window:
            old = recent.popleft()[1]
            inside[old] -= 1
            if not inside[old]:
                del inside[old]
        best = max(best, len(inside))
    return best / len(sought)


def _holds(words: Sequence[str], run: Sequence[str]) -> bool:
    """Whether `run` stands in `words`, one after another. An answer of signs alone may be there."""
    if not run:
        return True
    starts = (place for place, word in enumerate(words) if word == run[0])
    return any(words[place : place + len(run)] == run for place in starts)


def _words(text: str) -> list[str]:
    """Folded words without signs; where words are not parted by spaces, characters."""
    return _TOKEN.findall(folded(text))


def _grams(words: Sequence[str]) -> Iterable[Gram]:
    return zip(*(words[start:] for start in range(_GRAM)), strict=False)


def _addresses(text: str) -> Iterator[tuple[str, str]]:
    """Every host in `text` with what follows it, in each layer of percent-codes."""
    layer = text[:_MAX_CHARS]
    for _ in range(_LAYERS):
        plain = unicodedata.normalize("NFKC", layer).translate(_DOTS).casefold()
        for match in _HOST.finditer(plain):
            follows = _FOLLOWS.match(plain, match.end())
            yield _untranslated(match.group()), follows.group() if follows else ""
        inner = unquote(layer)
        if inner == layer:
            return
        layer = inner


def _untranslated(host: str) -> str:
    """`huggingface-co.translate.goog` is huggingface.co; a hyphen of its own is written twice."""
    if not host.endswith(_TRANSLATED):
        return host
    dotted = (part.replace("-", ".") for part in host.removesuffix(_TRANSLATED).split("--"))
    return "-".join(dotted)


def _label_runs(host: str) -> frozenset[str]:
    """The domains that a host lies under, and those written before the domain of a mirror.

    hf.co.mirror.example holds hf.co; hf.co.uk does not.
    """
    labels = host.split(".")
    last = len(labels)
    return frozenset(
        ".".join(labels[start:end])
        for start in range(last)
        for end in range(start + 2, min(start + _LONGEST_RULE, last) + 1)
        if end != last - 1
    )


def _bears(name: str, host: str, rest: str) -> bool:
    """Whether a part of an address begins a word with `name`, however that is hyphenated."""
    for part in (*host.split("."), *_PARTS.split(rest)):
        words = _WORD.findall(part)
        if any("".join(words[start:]).startswith(name) for start in range(len(words))):
            return True
    return False
