"""Pages fetched by ourselves and turned into Markdown: no service, no key, no scripts."""

from typing import Final

from hopsight.config.providers import PlainConfig
from hopsight.net import Fetched
from hopsight.providers.failures import empty_success
from hopsight.providers.jina import GONE, site_error
from hopsight.providers.markdown import page_of_html
from hopsight.providers.ports import FoundPage
from hopsight.providers.service import Request, Service

NAME: Final = "plain reader"
_HTML: Final = frozenset({"text/html", "application/xhtml+xml"})


class PlainReader:
    """Reads HTML and plain text. Other types are refused: BodyRefused names the type."""

    def __init__(self, config: PlainConfig, service: Service) -> None:
        self._config = config
        self._service = service

    async def read(self, url: str) -> FoundPage | None:
        """The page at `url`; None where the site says that there is none.

        Raises BlockedAddress for an address that is not public.
        """
        most = self._config.max_bytes
        request = Request("GET", url, max_bytes=most, site=True, operation="page")
        return await self._service.ask(request, _page)


def _page(fetched: Fetched) -> FoundPage | None:
    if fetched.status in GONE:
        return None
    if not fetched.ok:
        raise site_error(NAME, fetched.status)
    if fetched.mime not in _HTML:
        page = FoundPage(fetched.url, "", fetched.text.strip())
    else:
        title, markdown, pictures = page_of_html(fetched.text, fetched.url)
        page = FoundPage(fetched.url, title, markdown, pictures)
    if not page.markdown:
        raise empty_success(NAME, "no text")
    return page
