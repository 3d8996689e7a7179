"""What clients send and get. Requests are checked and bounded; what else they hold is refused."""

import base64
import binascii
from typing import Annotated, Any, Final

from pydantic import BaseModel, ConfigDict, Field

from hopsight.errors import PictureError
from hopsight.harness.backends import ImageHit, PageHit, PageText

MAX_QUERIES: Final = 4_096
"""Trainers send the searches of a whole batch of rollouts in one request."""

MAX_K: Final = 100
DEFAULT_K: Final = 3
MAX_QUERY_CHARS: Final = 2_000
MAX_URL_CHARS: Final = 2_000

Query = Annotated[str, Field(min_length=1, max_length=MAX_QUERY_CHARS)]
Count = Annotated[int, Field(ge=1, le=MAX_K)]


class _Asked(BaseModel):
    # Text of a request is not repeated in an error: it may be a picture of megabytes.
    model_config = ConfigDict(frozen=True, extra="forbid", hide_input_in_errors=True)


class RetrieveRequest(_Asked):
    """A request of the `/retrieve` protocol; `topk` null means the server's default."""

    queries: list[Query] = Field(min_length=1, max_length=MAX_QUERIES)
    topk: Count | None = None
    return_scores: bool = False


class SearchRequest(_Asked):
    """Words to look up."""

    query: Query
    topk: Count = DEFAULT_K


class PictureRequest(_Asked):
    """A picture, base64 of a PNG, JPEG or WebP file."""

    image: str = Field(min_length=1)
    topk: Count = DEFAULT_K


class PageRequest(_Asked):
    """An address."""

    url: str = Field(min_length=1, max_length=MAX_URL_CHARS)


class LensRequest(_Asked):
    """The id of a sample whose picture was searched for beforehand."""

    data_id: str = Field(min_length=1, max_length=200)


def picture_bytes(text: str, max_bytes: int) -> bytes:
    """The bytes of a picture sent as base64. Raises PictureError (no base64, or too many)."""
    if len(text) > -(-max_bytes // 3) * 4:
        raise PictureError("the picture is too large", f"give one of at most {max_bytes} bytes")
    try:
        return base64.b64decode(text, validate=True)
    except (binascii.Error, ValueError) as error:
        raise PictureError("the picture is no base64", "send the file's bytes as base64") from error


def page_hit(hit: PageHit) -> dict[str, Any]:
    """A page found, as it is sent."""
    return {"url": hit.url, "title": hit.title, "snippet": hit.snippet, "score": hit.score}


def image_hit(hit: ImageHit) -> dict[str, Any]:
    """A picture found, as it is sent; its bytes are at `/image/{sha256}`."""
    return {
        "image": hit.image.model_dump(mode="json"),
        "page_title": hit.page_title,
        "page_url": hit.page_url,
        "score": hit.score,
        "match": hit.match,
    }


def page_text(page: PageText) -> dict[str, Any]:
    """A page, as it is sent."""
    return {
        "url": page.url,
        "title": page.title,
        "markdown": page.markdown,
        "images": [image.model_dump(mode="json") for image in page.images],
    }
