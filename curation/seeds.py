"""Seed entities: pictured pages of middling in-degree, drawn evenly over the domains."""

from collections.abc import Mapping
from random import Random

from hopsight.stage import Staged
from hopsight.types import Domain, Page, Rejection
from hopsight.unique import World

STAGE = "seed_entities"


def seed_entities(
    world: World,
    *,
    count: int,
    weights: Mapping[Domain, float],
    min_in_degree: int,
    max_in_degree: int,
    min_picture_px: int,
    seed: int,
) -> Staged[Page]:
    """Draw `count` seeds over the domains in proportion to `weights` [OSV].

    A seed has an infobox, a picture of at least `min_picture_px` on its shorter side, an
    in-degree in the closed range, and all pages that link to it are in the snapshot. A domain
    that has too few leaves its places to the others.
    """
    rejected: list[Rejection] = []
    pools: dict[Domain, list[Page]] = {}
    for page_id in world.ids():
        page = world.page(page_id)
        reason = _unfit(world, page, weights, min_in_degree, max_in_degree, min_picture_px)
        if reason is None and page.domain is not None:
            pools.setdefault(page.domain, []).append(page)
        else:
            rejected.append(_reject(page, reason or "no_domain"))
    kept: list[Page] = []
    quotas = _quotas({domain: len(pool) for domain, pool in pools.items()}, weights, count)
    for domain in sorted(pools):
        pool = sorted(pools[domain], key=lambda page: page.page_id)
        Random(f"seeds|{seed}|{domain}").shuffle(pool)
        kept += pool[: quotas[domain]]
        rejected += [_reject(page, "not_drawn") for page in pool[quotas[domain] :]]
    kept.sort(key=lambda page: page.page_id)
    return Staged(len(kept) + len(rejected), tuple(kept), tuple(rejected))


def _unfit(
    world: World,
    page: Page,
    weights: Mapping[Domain, float],
    min_in_degree: int,
    max_in_degree: int,
    min_picture_px: int,
) -> str | None:
    if page.is_list or page.is_disambiguation:
        return "filtered_page"
    if not page.closed:
        return "not_closed"
    if page.infobox is None:
        return "no_infobox"
    if page.domain is None or weights.get(page.domain, 0) <= 0:
        return "no_domain"
    pictures = world.images(page.page_id)
    if not pictures:
        return "no_picture"
    if all(min(each.image.width, each.image.height) < min_picture_px for each in pictures):
        return "small_picture"
    if page.in_degree < min_in_degree:
        return "low_in_degree"
    return "hub" if page.in_degree > max_in_degree else None


def _quotas(
    sizes: Mapping[Domain, int], weights: Mapping[Domain, float], count: int
) -> dict[Domain, int]:
    """Places for each domain: one at a time to the one furthest below its share."""
    quotas = dict.fromkeys(sorted(sizes), 0)
    for _ in range(min(count, sum(sizes.values()))):
        with_room = [domain for domain in quotas if quotas[domain] < sizes[domain]]
        neediest = min(with_room, key=lambda domain: (quotas[domain] + 1) / weights[domain])
        quotas[neediest] += 1
    return quotas


def _reject(page: Page, reason: str) -> Rejection:
    return Rejection(record_id=page.id, stage=STAGE, reason=reason, detail=page.title)
