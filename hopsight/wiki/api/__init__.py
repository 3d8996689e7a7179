"""The API source: the surroundings of seed pages of any MediaWiki, written as a dump source."""

from hopsight.config.api import ApiSource
from hopsight.wiki.api.crawl import CrawlFiles, CrawlSummary, crawl

__all__ = ["ApiSource", "CrawlFiles", "CrawlSummary", "crawl"]
