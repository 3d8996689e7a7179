"""Duplicates and contamination: 100,000 questions with planted copies; datasketch's MinHash beside.

Both stages get the records as a round makes them, perceptual hashes included: decoding a picture
takes a few milliseconds and is no part of it. datasketch gets ready shingles, 252 permutations in
42 bands of 6, and neither folds, nor masks frames, nor verifies.
"""

import random
import tempfile
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from math import log
from pathlib import Path
from time import process_time

from datasketch import MinHash, MinHashLSH

from benchmarks.question_texts import frames, questions, reworded
from benchmarks.report import alternate, figure, finish
from curation.contamination import BenchmarkRow, contaminated, fingerprints_of
from curation.duplicates import NearTexts, TextRules, drop_duplicates, near_texts
from hopsight.imaging.hashes import BITS
from hopsight.leak import folded
from hopsight.types import Evidence, EvidenceChain, EvidenceNode, ImageRef, PromptRef, Question

SIZES = (25_000, 50_000, 100_000)
PLANTED = 0.05
BENCHMARK = 5_000
SKETCHED = 1_500
REPEATS = 3


_SAID = Evidence(page_id=1, title="t", revision=1, start=0, end=1, sentence="s")
NODE = EvidenceNode(page_id=1, title="A node", infobox="country", clue=None, hop=None, link=None)
CHAIN = EvidenceChain(
    path_id="",
    nodes=(NODE,),
    attribute="capital",
    answer="a",
    answer_aliases=(),
    answer_evidence=_SAID,
)
PROMPT = PromptRef(name="benchmark", version="1", sha256="0" * 64)
PICTURE = ImageRef(
    sha256="0" * 64,
    mime="image/png",
    width=512,
    height=512,
    source_url="",
    license="CC0-1.0",
    author="",
)


@dataclass(frozen=True, slots=True)
class Corpus:
    """Texts, of which text `len(texts) - planted + n` is a reworded copy of text n."""

    texts: list[str]
    planted: int

    @property
    def pairs(self) -> list[tuple[int, int]]:
        """Each copy with what it was made of."""
        first = len(self.texts) - self.planted
        return [(place, first + place) for place in range(self.planted)]


def corpus(count: int, shapes: Sequence[tuple[str, int]]) -> Corpus:
    """`count` questions in all."""
    rng = random.Random(count)
    planted = int(PLANTED * count)
    texts = questions(count - planted, shapes, seed=1)
    texts += [reworded(texts[place], rng.randint(1, 4), rng) for place in range(planted)]
    return Corpus(texts, planted)


def likenesses(
    texts: Sequence[str], pairs: Sequence[tuple[int, int]], rules: TextRules
) -> dict[tuple[int, int], float]:
    """The likeness of pairs by plain sets of masked shingles, counted here anew.

    Pairs of equal texts have none, nor such with one that says too little beside its frame.
    """
    counts: Counter[str] = Counter()
    distinct = {folded(text) for text in texts}
    for text in distinct:
        counts.update(shingles(text, rules.shingle))
    most = rules.frame(len(distinct))
    found = {}
    for one, two in pairs:
        said = [folded(texts[place]) for place in (one, two)]
        sets = [
            {each for each in shingles(text, rules.shingle) if counts[each] <= most}
            for text in said
        ]
        if min(map(len, sets)) >= rules.fewest and said[0] != said[1]:
            found[one, two] = len(sets[0] & sets[1]) / len(sets[0] | sets[1])
    return found


def shingles(text: str, size: int) -> set[str]:
    """Runs of words."""
    words = text.split()
    return {" ".join(words[place : place + size]) for place in range(len(words) - size + 1)}


def found_pairs(found: NearTexts) -> list[tuple[int, int]]:
    """The pairs as tuples."""
    return [(one, two) for one, two in found.pairs.tolist()]


def recall(made: Corpus, found: NearTexts, rules: TextRules) -> tuple[float, int]:
    """The share of planted pairs alike enough that are found, and how many there are."""
    pairs = set(found_pairs(found))
    alike = likenesses(made.texts, made.pairs, rules)
    wanted = {pair for pair, likeness in alike.items() if likeness >= rules.jaccard}
    return len(wanted & pairs) / len(wanted), len(wanted)


def precision(made: Corpus, found: NearTexts, rules: TextRules) -> float:
    """The share of the pairs found that plain sets find alike too."""
    pairs = found_pairs(found)
    alike = likenesses(made.texts, pairs, rules)
    return sum(alike.get(pair, 0.0) >= rules.jaccard for pair in pairs) / len(pairs)


def records(made: Corpus) -> tuple[list[Question], list[EvidenceChain]]:
    """A question, a picture and a chain of its own for every text; a copy has its original's."""
    first = len(made.texts) - made.planted
    asked, chains = [], []
    for place, text in enumerate(made.texts):
        number = place if place < first else place - first
        chain = CHAIN.model_copy(
            update={
                "path_id": f"path_{place}",
                "nodes": (NODE.model_copy(update={"page_id": place}),),
            }
        )
        chains.append(chain)
        asked.append(
            Question(
                text=text,
                answer=f"answer {number}",
                answer_aliases=(),
                images=(PICTURE.model_copy(update={"sha256": f"{number:064x}"}),),
                chain_id=chain.id,
                parent_id=None,
                operator="import",
                prompt=PROMPT,
                round="0001",
            )
        )
    return asked, chains


def benchmark(made: Corpus, shapes: Sequence[tuple[str, int]]) -> list[BenchmarkRow]:
    """Rows of a benchmark; the first tenth are the corpus' first copies, with their answers."""
    first = len(made.texts) - made.planted
    texts = made.texts[first : first + BENCHMARK // 10]
    texts += questions(BENCHMARK - len(texts), shapes, seed=2)
    return [
        BenchmarkRow(f"bench:{number}", text, (f"answer {number}",), (), (), ())
        for number, text in enumerate(texts)
    ]


def sketched(texts: Sequence[str]) -> int:
    """Near-duplicates by datasketch: texts put in and asked for; the number of pairs."""
    index = MinHashLSH(num_perm=252, params=(42, 6))
    sketches = []
    for place, text in enumerate(texts):
        sketch = MinHash(num_perm=252)
        sketch.update_batch([each.encode() for each in shingles(text, 3)])
        index.insert(place, sketch)
        sketches.append(sketch)
    return sum(len(index.query(sketch)) for sketch in sketches)


def looks(count: int) -> dict[str, int]:
    """Perceptual hashes of pictures by sha256: as different as those of photographs are."""
    rng = random.Random(3)
    return {f"{number:064x}": rng.getrandbits(BITS) for number in range(count)}


@dataclass(frozen=True, slots=True)
class Measured:
    """CPU seconds at one size, and what was found.

    `found` is the share of the planted benchmark questions, `wrong` how many others were held to
    be some, those apart that these were made of.
    """

    duplicates: float
    contamination: float
    dropped: int
    found: float
    wrong: int


def measured(made: Corpus, shapes: Sequence[tuple[str, int]]) -> Measured:
    """Both stages over the records of a corpus."""
    asked, chains = records(made)
    hashes = looks(len(asked))
    rows = benchmark(made, shapes)
    began = process_time()
    dropped = drop_duplicates(asked, chains, hashes.__getitem__)
    between = process_time()
    dirty = contaminated(asked, chains, fingerprints_of(rows), hashes.__getitem__)
    ended = process_time()
    out = {each.record_id for each in dirty.rejected}
    first = len(asked) - made.planted
    planted = {each.id for each in asked[first : first + BENCHMARK // 10]}
    originals = {each.id for each in asked[: BENCHMARK // 10]}
    return Measured(
        duplicates=between - began,
        contamination=ended - between,
        dropped=len(dropped.rejected),
        found=len(planted & out) / len(planted),
        wrong=len(out - planted - originals),
    )


def main() -> None:
    """Run the benchmark."""
    with tempfile.TemporaryDirectory() as folder:
        shapes = frames(Path(folder))
    made = {count: corpus(count, shapes) for count in SIZES}
    sizes = {count: measured(made[count], shapes) for count in SIZES}
    full = made[SIZES[-1]]
    strict, wide = TextRules(), TextRules(jaccard=0.5)
    found = near_texts(full.texts, strict)
    recalled, wanted = recall(full, found, strict)
    at_half, _ = recall(full, near_texts(full.texts, wide), wide)
    sides = alternate(
        {
            "near_texts": lambda: near_texts(full.texts),
            "datasketch": lambda: sketched(full.texts[:SKETCHED]),
        },
        repeats=REPEATS,
    )
    rates = {
        "near_texts": len(full.texts) / sides["near_texts"].cpu,
        "datasketch": SKETCHED / sides["datasketch"].cpu,
    }
    last, first = sizes[SIZES[-1]], sizes[SIZES[0]]
    total, least = last.duplicates + last.contamination, first.duplicates + first.contamination
    growth = log(total / least) / log(SIZES[-1] / SIZES[0])
    rows: list[tuple[object, ...]] = [
        (f"{count:,} questions", each.duplicates, each.contamination, each.dropped, each.found)
        for count, each in sizes.items()
    ]
    finish(
        "Duplicates and contamination",
        ("", "duplicates CPU-s", "contamination CPU-s", "dropped", "benchmark found"),
        rows,
        [
            figure("dedup_cpu_s_at_100k", total, "<=", 30),
            figure("dedup_growth_exponent", growth, "<=", 1.2),
            figure("dedup_recall_at_jaccard_0.7", recalled, ">=", 0.99),
            figure("dedup_planted_pairs_at_0.7", wanted),
            figure("dedup_recall_at_jaccard_0.5", at_half),
            figure("dedup_precision", precision(full, found, strict), ">=", 1.0),
            figure("dedup_candidates_per_question", found.candidates / len(full.texts), "<=", 10),
            figure("dedup_texts_per_cpu_s", rates["near_texts"]),
            figure("dedup_speed_of_datasketch", rates["near_texts"] / rates["datasketch"], ">=", 5),
            figure("contamination_found", last.found, ">=", 0.99),
            figure("contamination_wrong", last.wrong),
        ],
    )


if __name__ == "__main__":
    main()
