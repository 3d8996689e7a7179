"""The providers that a file and the environment describe, opened within one event loop."""

from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from typing import Final

from hopsight.config.providers import ProvidersFile, ServiceLimits
from hopsight.errors import ConfigError
from hopsight.llm.prices import ServiceKind
from hopsight.net import Fetcher, FetchLimits
from hopsight.net.address import target_of
from hopsight.providers.environment import resolved
from hopsight.providers.gateway import ProviderGateway, through
from hopsight.providers.github import GithubHost
from hopsight.providers.jina import Jina
from hopsight.providers.keys import Secret, optional_secret, secret
from hopsight.providers.plain import PlainReader
from hopsight.providers.ports import ImageHost, PageProvider, SearchKind, SearchProvider
from hopsight.providers.s3 import S3Host
from hopsight.providers.serpapi import SerpApi
from hopsight.providers.serper import Serper
from hopsight.providers.service import Payer, Service
from hopsight.providers.sigv4 import Signer
from hopsight.providers.template_host import TemplateHost
from hopsight.types import content_hash

TOOLS: Final[Mapping[SearchKind, str]] = {
    "search": "web_search",
    "images": "image_search",
    "scholar": "scholar_search",
    "lens": "visual_search",
}
_CONNECTIONS: Final = 256
_LONGEST_S: Final = 600.0


@dataclass(frozen=True, slots=True)
class Providers:
    """Who answers. None where nobody is configured: the tools that need them are not offered."""

    search: SearchProvider | None
    pages: PageProvider | None
    host: ImageHost | None


@dataclass(frozen=True, slots=True)
class _Opener:
    environ: Mapping[str, str]
    services: Fetcher
    web: Fetcher
    gateway: ProviderGateway | None
    payer: Payer | None
    seed: int
    known: list[Secret] = field(default_factory=list)
    """Every key read so far: no service's answer may hold that of another either."""

    def service(
        self, name: str, limits: ServiceLimits, *keys: Secret | None, web: bool = False
    ) -> Service:
        self.known.extend(key for key in keys if key is not None)
        return Service(
            name,
            self.web if web else self.services,
            limits,
            secrets=self.known,
            payer=self.payer,
            seed=self.seed,
        )

    def search(self, file: ProvidersFile) -> SearchProvider | None:
        if file.search == "serper":
            key = secret(self.environ, file.serper.key_env, "serper")
            return Serper(file.serper, key, self.service("serper", file.serper.limits, key))
        if file.search == "serpapi":
            key = secret(self.environ, file.serpapi.key_env, "serpapi")
            return SerpApi(file.serpapi, key, self.service("serpapi", file.serpapi.limits, key))
        if file.search == "gateway":
            settings, gateway = through(self.environ, self.gateway)
            return gateway.search(settings, self.services)
        return None

    def pages(self, file: ProvidersFile) -> PageProvider | None:
        if file.pages == "jina":
            key = optional_secret(self.environ, file.jina.key_env)
            return Jina(file.jina, key, self.service("jina", file.jina.limits, key))
        if file.pages == "gateway":
            settings, gateway = through(self.environ, self.gateway)
            return gateway.pages(settings, self.services)
        if file.pages == "plain":
            return PlainReader(
                file.plain, self.service("plain reader", file.plain.limits, web=True)
            )
        return None

    def host(self, file: ProvidersFile) -> ImageHost | None:
        if file.image_host == "github":
            token = secret(self.environ, file.github.key_env, "the image host github")
            return GithubHost(file.github, token, self.service("github", file.github.limits, token))
        if file.image_host == "s3" and file.s3 is not None:
            access = secret(self.environ, file.s3.access_key_env, "the image host s3")
            key = secret(self.environ, file.s3.secret_key_env, "the image host s3")
            signer = Signer(access.value, key, file.s3.region)
            return S3Host(file.s3, signer, self.service("s3", file.s3.limits, access, key))
        if file.image_host == "template" and file.template is not None:
            auth = self._auth(file.template.auth_env)
            service = self.service("image host", file.template.limits, auth)
            return TemplateHost(file.template, auth, service)
        return None

    def _auth(self, variable: str | None) -> Secret | None:
        if variable is None:
            return None
        found = optional_secret(self.environ, variable, spaces=True)
        if found is None:
            raise ConfigError(
                f"the image host needs {variable}, which is not set",
                f"set {variable} to the whole value of the Authorization header",
            )
        return found


@asynccontextmanager
async def open_providers(
    file: ProvidersFile,
    environ: Mapping[str, str],
    web: Fetcher,
    *,
    gateway: ProviderGateway | None = None,
    payer: Payer | None = None,
    seed: int = 0,
) -> AsyncIterator[Providers]:
    """Open what `file` names. `web` fetches pages; the services' own addresses, which may be
    private, are asked through another Fetcher.

    Raises ConfigError for a key that is missing, a gateway that nobody speaks to, and a price that
    is unknown where money is limited.
    """
    file = resolved(file, environ)
    if payer is not None:
        _check_prices(file, payer)
    limits = FetchLimits(whole_s=_LONGEST_S, piece_s=_LONGEST_S, connections=_CONNECTIONS)
    async with Fetcher(limits, allow_hosts=_addresses(file)) as services:
        opener = _Opener(environ, services, web, gateway, payer, seed)
        yield Providers(opener.search(file), opener.pages(file), opener.host(file))


def tools_of(file: ProvidersFile, environ: Mapping[str, str]) -> dict[str, str]:
    """The tools that a live backend of `file` offers, each with a hash of who answers and how.

    Answers recorded under another hash are not taken for it. A gateway's searches are not known
    before it is opened; all kinds are assumed.
    """
    file = resolved(file, environ)
    search = {
        "provider": file.search,
        "country": getattr(getattr(file, file.search, None), "country", None),
        "language": getattr(getattr(file, file.search, None), "language", None),
    }
    told: dict[str, object] = {"fetch_image": {}}
    if file.search != "none":
        told |= {tool: search for kind, tool in TOOLS.items() if kind != "lens"}
        if file.image_host != "none":
            told[TOOLS["lens"]] = search
    if file.pages != "none":
        told["visit"] = {"provider": file.pages, "pictures": file.page_pictures}
    return {tool: content_hash(value) for tool, value in sorted(told.items())}


def _check_prices(file: ProvidersFile, payer: Payer) -> None:
    used: dict[ServiceKind, bool] = {
        "search": file.search != "none",
        "page": file.pages not in ("none", "plain"),
        "image_host": file.image_host != "none",
    }
    for kind in (kind for kind, is_used in used.items() if is_used):
        known = payer.spending.prices.of_service(kind) is not None
        payer.spending.check_price(kind, known=known)


def _addresses(file: ProvidersFile) -> frozenset[str]:
    """`host:port` of every service that the file names: its user may run it at home."""
    urls = [file.serper.base_url, file.serpapi.base_url, file.jina.base_url, file.github.base_url]
    if file.s3 is not None:
        urls.append(file.s3.endpoint)
    if file.template is not None:
        urls += [file.template.put_url, file.template.delete_url or file.template.put_url]
    return frozenset(target_of(url.replace("{name}", "")).place for url in urls)
