"""Link paths: walks from a pictured seed over hops that facts and sentences bear out."""

from collections import Counter
from collections.abc import Iterator, Sequence
from random import Random

from hopsight.chains.walker import PathRules, Walker
from hopsight.stage import Staged
from hopsight.types import Hop, LinkPath, Page, Rejection, content_hash

STAGE = "link_paths"
ARROW = " → "
"""Between the titles of a walk, where it is told."""

TURNS_PER_SEED = 2
"""Rounds over the seeds, as a multiple of those that would do if no walk failed."""


def sample_paths(
    walker: Walker, seeds: Sequence[Page], rules: PathRules, *, seed: int
) -> Staged[LinkPath]:
    """Walk from every seed in turn until `rules.paths` paths are found or the seeds are spent.

    Seeds take turns, so that a small number of paths still has many anchors. A path is tried at
    most `rules.retries` times; each failed walk is a rejection, and so is a seed that gave no
    path or had no turn. What a seed gives depends on the seed number and its title alone.
    """
    order = sorted(seeds, key=lambda page: content_hash(["turn", seed, page.title]))
    found: dict[int, dict[object, LinkPath]] = {page.page_id: {} for page in order}
    rejected: list[Rejection] = []
    turns = -(-rules.paths // max(1, len(order)))
    kept = 0
    walked: set[int] = set()
    for turn, page in ((turn, page) for turn in range(TURNS_PER_SEED * turns) for page in order):
        if kept == rules.paths:
            break
        walked.add(page.page_id)
        paths = found[page.page_id]
        before = len(paths)
        rejected += _add_path(walker, page, rules, paths, f"{seed}|{page.title}|{turn}", seed)
        kept += len(paths) - before
    for page in order:
        if not found[page.page_id]:
            reason = "seed_dropped" if page.page_id in walked else "not_walked"
            rejected.append(_reject(page.id, reason, page.title))
    all_paths = tuple(path for page in order for path in found[page.page_id].values())
    return Staged(len(all_paths) + len(rejected), all_paths, tuple(rejected))


def _add_path(
    walker: Walker,
    page: Page,
    rules: PathRules,
    paths: dict[object, LinkPath],
    key: str,
    seed: int,
) -> list[Rejection]:
    """Add one new path from a seed to `paths`, and tell the walks that failed on the way."""
    rejected = []
    for attempt in range(rules.retries):
        path, reason, detail = _walk(walker, page, rules, f"{key}|{attempt}", seed)
        # The same question asked of the same entities by another relation is no new path.
        if path is not None and (path.entities, path.attribute) not in paths:
            paths[path.entities, path.attribute] = path
            break
        walk_id = f"walk_{content_hash(f'{key}|{attempt}')[:16]}"
        rejected.append(_reject(walk_id, reason, detail))
    return rejected


def _walk(
    walker: Walker, page: Page, rules: PathRules, key: str, seed: int
) -> tuple[LinkPath | None, str, str]:
    """One walk: the path, or the reason and the entities reached."""
    rng = Random(f"walk|{key}")
    lengths = sorted(rules.hops)
    wanted = rng.choices(lengths, [rules.hops[length] for length in lengths])[0]
    path: tuple[int, ...] = (page.page_id,)
    hops: list[Hop] = []
    for step in range(wanted):
        usable, refused = walker.steps(path, last=step == wanted - 1)
        if not usable:
            return None, _main_reason(refused), _told(walker, path)
        hops.append(walker.draw(usable, rng))
        path = (*path, hops[-1].target)
    endings, refused = walker.endings(hops)
    if not endings:
        return None, _main_reason(refused) if refused else "no_answer", _told(walker, path)
    answer = rng.choice(endings)
    return walker.path(hops, answer.attribute, seed), "duplicate_path", _told(walker, path)


def enumerate_paths(
    walker: Walker, seeds: Sequence[Page], lengths: Sequence[int], *, seed: int = 0
) -> Iterator[LinkPath]:
    """Every path of the given lengths from the seeds, with every attribute it may ask for.

    Of several relations over the same entities only the first is taken, so (entities, attribute)
    never comes twice. Lazy: the number grows fast with the length.
    """
    for length in lengths:
        for page in sorted(seeds, key=lambda page: page.page_id):
            yield from _extend(walker, (page.page_id,), [], length, seed)


def _extend(
    walker: Walker, path: tuple[int, ...], hops: list[Hop], length: int, seed: int
) -> Iterator[LinkPath]:
    if len(hops) == length:
        endings, _ = walker.endings(hops)
        yield from (walker.path(hops, answer.attribute, seed) for answer in endings)
        return
    usable, _ = walker.steps(path, last=len(hops) == length - 1)
    taken: set[int] = set()
    for hop in usable:
        if hop.target not in taken:
            taken.add(hop.target)
            yield from _extend(walker, (*path, hop.target), [*hops, hop], length, seed)


def _main_reason(refused: Counter[str]) -> str:
    """The commonest reason, ties by name; a page without links is a dead end."""
    if not refused:
        return "dead_end"
    return min(refused, key=lambda reason: (-refused[reason], reason))


def _told(walker: Walker, path: tuple[int, ...]) -> str:
    return ARROW.join(walker.world.page(page_id).title for page_id in path)


def _reject(record_id: str, reason: str, detail: str) -> Rejection:
    return Rejection(record_id=record_id, stage=STAGE, reason=reason, detail=detail)
