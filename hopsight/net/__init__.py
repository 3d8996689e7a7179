"""Fetching: from public addresses alone, within bounds, and pictures that are what they seem."""

from hopsight.net.address import why_not_public
from hopsight.net.answer import Fetched
from hopsight.net.connect import Resolver, system_resolver
from hopsight.net.failures import BlockedAddress, BodyRefused, FetchFailed
from hopsight.net.fetcher import Blocks, Fetcher, FetchLimits, Proxy
from hopsight.net.kinds import ANYTHING, PAGES, PICTURES
from hopsight.net.pictures import picture_of

__all__ = [
    "ANYTHING",
    "PAGES",
    "PICTURES",
    "BlockedAddress",
    "Blocks",
    "BodyRefused",
    "FetchFailed",
    "FetchLimits",
    "Fetched",
    "Fetcher",
    "Proxy",
    "Resolver",
    "picture_of",
    "system_resolver",
    "why_not_public",
]
