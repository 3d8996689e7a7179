"""Providers of searches, of pages and of public addresses for pictures, and recorded answers."""

from hopsight.providers.environment import (
    cached_lens_files,
    resolved,
    summary_endpoint,
    trajectory_folder,
)
from hopsight.providers.failures import ServiceError
from hopsight.providers.gateway import GatewaySettings, ProviderGateway
from hopsight.providers.lens_cache import CachedLens, CachedPicture, read_lens_cache
from hopsight.providers.opening import Providers, open_providers, tools_of
from hopsight.providers.pictures import WebPictures
from hopsight.providers.ports import (
    FoundPage,
    FoundPicture,
    Hosted,
    ImageHost,
    PageProvider,
    SearchProvider,
)
from hopsight.providers.service import Payer
from hopsight.providers.tape import Tape

__all__ = [
    "CachedLens",
    "CachedPicture",
    "FoundPage",
    "FoundPicture",
    "GatewaySettings",
    "Hosted",
    "ImageHost",
    "PageProvider",
    "Payer",
    "ProviderGateway",
    "Providers",
    "SearchProvider",
    "ServiceError",
    "Tape",
    "WebPictures",
    "cached_lens_files",
    "open_providers",
    "read_lens_cache",
    "resolved",
    "summary_endpoint",
    "tools_of",
    "trajectory_folder",
]
