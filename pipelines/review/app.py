"""The routes of the review page: its files, the queue, one question, its pictures, decisions."""

from pathlib import Path
from typing import Annotated, Any, Final

from fastapi import APIRouter, FastAPI
from fastapi import Path as InPath
from fastapi.responses import FileResponse, JSONResponse, Response

from curation.review import review_queue, standing
from hopsight.serve import ServeSettings
from hopsight.serve.failures import ApiError, add_handlers
from hopsight.serve.gate import Gate
from hopsight.serve.metrics import Metrics
from hopsight.serve.settings import check_exposure
from hopsight.store.images import mime_of
from hopsight.types import REVIEW_REASONS, ReviewDecision
from pipelines.review.door import Door
from pipelines.review.material import Material
from pipelines.review.view import decision_view, question_view

PAGE: Final = Path(__file__).with_name("page")
FILES: Final = {
    "/": "index.html",
    "/review.css": "review.css",
    "/review.js": "review.js",
    "/picture.js": "picture.js",
    "/chain.js": "chain.js",
    "/parts.js": "parts.js",
    "/icon.svg": "icon.svg",
}
MAX_BODY: Final = 64 << 10
_NEVER_CHANGES: Final = {"Cache-Control": "private, max-age=31536000, immutable"}

Sha256 = Annotated[str, InPath(pattern=r"^[0-9a-f]{64}$")]


def create_app(material: Material, settings: ServeSettings, *, token: str | None = None) -> FastAPI:
    """The application. Raises ConfigError where everybody could use it unintended."""
    check_exposure(settings, token)
    app = FastAPI(title="Hopsight review", docs_url=None, redoc_url=None, openapi_url=None)
    app.include_router(_files())
    app.include_router(_questions(material))
    add_handlers(app)
    app.add_middleware(Gate, settings=settings, token=token, metrics=Metrics())
    app.add_middleware(Door, token=token)
    return app


def _files() -> APIRouter:
    router = APIRouter()

    def serve(path: str, name: str) -> None:
        @router.get(path, name=name)
        async def file() -> FileResponse:
            return FileResponse(PAGE / name, headers={"Cache-Control": "no-cache"})

    for path, name in FILES.items():
        serve(path, name)
    return router


def _questions(material: Material) -> APIRouter:
    router = APIRouter()
    desk, shown = material.desk, material.pictures
    subjects = desk.subjects

    @router.get("/api/queue")
    def queue() -> dict[str, Any]:
        """The questions in the order in which they are to be looked at, and what was decided."""
        decided = standing(desk.journal.load())
        ordered = review_queue(subjects.questions.values(), decided, seed=subjects.seed)
        return {
            "round": subjects.round,
            "dataset": subjects.dataset,
            "reasons": list(REVIEW_REASONS),
            "items": [
                {"id": each.id, "decision": decision_view(decided.get(each.id))} for each in ordered
            ],
        }

    @router.get("/api/questions/{question_id}")
    def question(question_id: str) -> dict[str, Any]:
        """One question with its chain, evidence and figures."""
        found = subjects.questions.get(question_id)
        if found is None:
            raise ApiError(404, "unknown_question", "this round has no such question to review")
        decided = standing(desk.journal.load())
        return question_view(material, found, decided.get(question_id))

    @router.post("/api/decisions")
    def decide(decision: ReviewDecision) -> JSONResponse:
        """Keep a decision. One that cannot stand is refused, and the page says why."""
        refusal = desk.refusal(decision)
        if refusal is not None:
            raise ApiError(422, refusal.reason, refusal.detail)
        (kept,) = desk.journal.append([decision])
        return JSONResponse(decision_view(kept), 201)

    @router.get("/picture/{sha256}")
    def picture(sha256: Sha256) -> Response:
        """A picture of a question, byte for byte."""
        if sha256 not in shown:
            raise ApiError(404, "not_found", "no question shows that picture")
        data = material.workspace.images.bytes(sha256)
        return Response(data, media_type=mime_of(data), headers=_NEVER_CHANGES)

    return router
