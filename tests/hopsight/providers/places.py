"""Providers of a file against the services on loopback."""

import asyncio
import io
from contextlib import asynccontextmanager
from dataclasses import dataclass

from PIL import Image

from hopsight.config.providers import ProvidersFile
from hopsight.errors import HopsightError
from hopsight.harness.backends.live import LiveBackend
from hopsight.net import Fetcher, FetchLimits
from hopsight.providers import Payer, Providers, WebPictures, open_providers
from hopsight.store.images import ImageStore
from tests.provider_server import ACCESS, KEY, SECRET, TOKEN, ProviderServer, Reply

ENVIRON = {
    "SERPER_API_KEY": KEY,
    "SERPAPI_API_KEY": KEY,
    "JINA_API_KEY": KEY,
    "VISUAL_SEARCH_GITHUB_TOKEN": TOKEN,
    "AWS_ACCESS_KEY_ID": ACCESS,
    "AWS_SECRET_ACCESS_KEY": SECRET,
    "DROP_AUTH": f"Bearer {TOKEN}",
}
LIMITS = {"backoff_s": 0.002, "timeout_s": 30.0, "attempts": 3, "break_after": 50, "rest_s": 60.0}


def providers_file(server, limits=None, where=None, **chosen) -> ProvidersFile:
    """The three kinds of provider at `server`; `chosen` says which."""
    known = LIMITS | (limits or {})
    one = {"limits": known}
    groups = {
        "serper": {"base_url": f"{server.url}/serper"} | one | (where or {}),
        "serpapi": {"base_url": f"{server.url}/serpapi"} | one | (where or {}),
        "jina": {"base_url": f"{server.url}/jina"} | one,
        "plain": one,
        "github": {"base_url": f"{server.url}/github", "repo": "o/pictures"}
        | {"limits": known | {"concurrency": 1}},
        "s3": {"endpoint": f"{server.url}/s3", "bucket": "pictures", "folder": "up"} | one,
        "template": {
            "put_url": f"{server.url}/drop/{{name}}",
            "public_url": f"{server.url}/raw/{{name}}",
            "delete_url": f"{server.url}/drop/{{name}}",
            "auth_env": "DROP_AUTH",
        }
        | one,
    }
    return ProvidersFile.model_validate(
        {"search": "none", "pages": "none", "image_host": "none"} | groups | chosen
    )


@dataclass
class Place:
    """A server, the open providers, and a live backend over them."""

    server: ProviderServer
    providers: Providers
    live: LiveBackend
    store: ImageStore
    web: Fetcher


@asynccontextmanager
async def place(
    tmp_path, *, environ=None, limits=None, payer: Payer | None = None, server=None, **chosen
):
    server = server or ProviderServer()
    allowed = FetchLimits(whole_s=30.0)
    async with server.running():
        file = providers_file(server, limits, **chosen)
        async with Fetcher(allowed, allow_hosts=frozenset({server.place})) as web:
            told = ENVIRON if environ is None else environ
            async with open_providers(file, told, web, payer=payer) as providers:
                store = ImageStore(tmp_path / "pictures")
                live = LiveBackend(providers, WebPictures(web, store), file.page_pictures)
                yield Place(server, providers, live, store, web)


def run(main):
    return asyncio.run(main())


async def outcome(asked):
    """What a call gives, or the error that it raises."""
    try:
        return await asked
    except HopsightError as error:
        return error


def picture(colour="red", size=(64, 48), kind="PNG") -> bytes:
    out = io.BytesIO()
    Image.new("RGB", size, colour).save(out, kind)
    return out.getvalue()


def shown(data: bytes) -> Reply:
    return Reply(200, data, {"content-type": "image/png"})
