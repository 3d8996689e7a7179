"""The search server: `/retrieve` as the published trainers speak it, and the harness's searches.

Every answer is JSON except pictures and metrics. No match is an empty list; whatever could not be
looked up is an error status (hopsight.serve.failures).
"""

import asyncio
from collections.abc import AsyncIterator, Awaitable
from contextlib import asynccontextmanager
from dataclasses import dataclass
from typing import Annotated, Final, TypeVar

from fastapi import APIRouter, FastAPI, Path
from fastapi.responses import JSONResponse, PlainTextResponse, Response

from hopsight.errors import StoreError
from hopsight.harness.backends import SearchBackend
from hopsight.harness.backends.arrived import seen
from hopsight.harness.bank import Pictures
from hopsight.serve.documents import PageRetriever, Retriever
from hopsight.serve.failures import ApiError, add_handlers
from hopsight.serve.gate import Gate
from hopsight.serve.lens import LensCache
from hopsight.serve.mcp_http import McpEndpoint
from hopsight.serve.metrics import Metrics
from hopsight.serve.settings import ServeSettings, check_exposure
from hopsight.serve.wire import (
    DEFAULT_K,
    LensRequest,
    PageRequest,
    PictureRequest,
    RetrieveRequest,
    SearchRequest,
    image_hit,
    page_hit,
    page_text,
    picture_bytes,
)
from hopsight.store.images import mime_of

T = TypeVar("T")

Sha256 = Annotated[str, Path(pattern=r"^[0-9a-f]{64}$")]
_NEVER_CHANGES: Final = {"Cache-Control": "private, max-age=31536000, immutable"}


@dataclass(frozen=True, slots=True)
class Served:
    """What a server answers from. What is None is not served, and asking for it is an error.

    `retriever` answers `/retrieve`; without one the backend's pages do.
    """

    backend: SearchBackend | None = None
    retriever: Retriever | None = None
    pictures: Pictures | None = None
    lens: LensCache | None = None

    @property
    def offers(self) -> list[str]:
        """Names of what it serves, sorted."""
        tools = self.backend.offers if self.backend else frozenset()
        others = {"retrieve": self.documents, "lens": self.lens}
        return sorted({*tools, *(name for name, part in others.items() if part is not None)})

    @property
    def documents(self) -> Retriever | None:
        """What `/retrieve` looks up."""
        if self.retriever is not None or self.backend is None:
            return self.retriever
        return PageRetriever(self.backend) if "web_search" in self.backend.offers else None

    def search(self, tool: str) -> SearchBackend:
        """The backend, for one of its tools. Raises ApiError where that is not served."""
        if self.backend is None or tool not in self.backend.offers:
            raise ApiError(404, "not_served", f"this server has no {tool}; see /health")
        return self.backend


def create_app(
    served: Served,
    settings: ServeSettings | None = None,
    *,
    token: str | None = None,
    metrics: Metrics | None = None,
    mcp: McpEndpoint | None = None,
) -> FastAPI:
    """The application. Raises ConfigError where everybody could use it unintended."""
    settings = settings or ServeSettings()
    check_exposure(settings, token)
    metrics = metrics or Metrics()

    @asynccontextmanager
    async def lifespan(_: FastAPI) -> AsyncIterator[None]:
        try:
            if mcp is None:
                yield
            else:
                async with mcp.running():
                    yield
        finally:
            metrics.close()

    # No pages of documentation: they load programs from elsewhere. /openapi.json describes all.
    app = FastAPI(title="Hopsight search", docs_url=None, redoc_url=None, lifespan=lifespan)
    app.include_router(_searches(served, settings))
    app.include_router(_pictures(served, settings))
    app.include_router(_upkeep(served, metrics))
    if mcp is not None:
        app.router.routes.append(mcp.route())
    add_handlers(app)
    app.add_middleware(Gate, settings=settings, token=token, metrics=metrics)
    return app


def _searches(served: Served, settings: ServeSettings) -> APIRouter:
    router = APIRouter()
    documents = served.documents

    async def timely(answer: Awaitable[T]) -> T:
        async with asyncio.timeout(settings.timeout_s):
            return await answer

    @router.post("/retrieve")
    async def retrieve(asked: RetrieveRequest) -> JSONResponse:
        """Documents for several queries: one list for each, scores beside them where asked."""
        if documents is None:
            raise ApiError(404, "not_served", "this server has no /retrieve; see /health")
        found = await timely(documents.retrieve(asked.queries, asked.topk or DEFAULT_K))
        if asked.return_scores:
            scored = [[{"document": x.document, "score": x.score} for x in row] for row in found]
            return JSONResponse({"result": scored})
        return JSONResponse({"result": [[x.document for x in row] for row in found]})

    @router.post("/web_search")
    async def web_search(asked: SearchRequest) -> JSONResponse:
        """Pages for words."""
        hits = await timely(served.search("web_search").web_search(asked.query, asked.topk))
        return JSONResponse({"result": [page_hit(hit) for hit in hits]})

    @router.post("/scholar_search")
    async def scholar_search(asked: SearchRequest) -> JSONResponse:
        """Papers for words."""
        backend = served.search("scholar_search")
        hits = await timely(backend.scholar_search(asked.query, asked.topk))
        return JSONResponse({"result": [page_hit(hit) for hit in hits]})

    @router.post("/image_search")
    async def image_search(asked: SearchRequest) -> JSONResponse:
        """Pictures for words."""
        hits = await timely(served.search("image_search").image_search(asked.query, asked.topk))
        return JSONResponse({"result": [image_hit(hit) for hit in hits]})

    @router.post("/visual_search")
    async def visual_search(asked: PictureRequest) -> JSONResponse:
        """Pages that show a picture; an unknown picture gives an empty list."""
        data = picture_bytes(asked.image, settings.max_picture_bytes)
        hits = await timely(served.search("visual_search").visual_search(data, asked.topk))
        return JSONResponse({"result": [image_hit(hit) for hit in hits]})

    @router.post("/visit")
    async def visit(asked: PageRequest) -> JSONResponse:
        """The page at an address, null where there is none."""
        page = await timely(served.search("visit").visit(asked.url))
        return JSONResponse({"page": None if page is None else page_text(page)})

    @router.post("/lens")
    async def lens(asked: LensRequest) -> JSONResponse:
        """What was found beforehand for the picture of a sample."""
        if served.lens is None:
            raise ApiError(404, "not_served", "this server has no lens cache; see /health")
        found = served.lens.get(asked.data_id)
        if found is None:
            # Not looked up is not the same as looked up and not found.
            raise ApiError(404, "not_cached", f"the sample {asked.data_id!r} is not in the cache")
        return JSONResponse({"result": found})

    return router


def _pictures(served: Served, settings: ServeSettings) -> APIRouter:
    router = APIRouter()

    @router.post("/fetch_image")
    async def fetch_image(asked: PageRequest) -> JSONResponse:
        """The picture at an address, null where there is none."""
        async with asyncio.timeout(settings.timeout_s):
            image = await served.search("fetch_image").fetch_image(asked.url)
        return JSONResponse({"image": None if image is None else image.model_dump(mode="json")})

    @router.get("/image/{sha256}")
    async def image(sha256: Sha256) -> Response:
        """The bytes of a picture that an answer named."""
        if served.pictures is None:
            raise ApiError(404, "not_served", "this server holds no pictures; see /health")
        try:
            data = served.pictures.bytes(sha256)
        except StoreError as error:
            raise ApiError(404, "no_picture", "there is no such picture") from error
        return Response(data, media_type=mime_of(data), headers=_NEVER_CHANGES)

    @router.post("/self_test")
    async def self_test(asked: PictureRequest) -> JSONResponse:
        """What arrived of a picture, so that a client can tell whether its pixels did."""
        data = picture_bytes(asked.image, settings.max_picture_bytes)
        return JSONResponse(seen(data))

    return router


def _upkeep(served: Served, metrics: Metrics) -> APIRouter:
    router = APIRouter()

    @router.get("/health")
    async def health() -> JSONResponse:
        """Whether it answers, and what it serves."""
        return JSONResponse({"status": "ok", "offers": served.offers})

    @router.get("/metrics")
    async def counts() -> PlainTextResponse:
        """Requests of all workers, as Prometheus reads them."""
        return PlainTextResponse(metrics.text(), media_type="text/plain; version=0.0.4")

    return router
