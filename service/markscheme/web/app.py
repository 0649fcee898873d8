"""The application: routes, middleware and the life of the grader, put together."""

from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager

from fastapi import APIRouter, FastAPI
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import Response
from starlette.staticfiles import StaticFiles

from markscheme import __version__
from markscheme.adapters.wire import Limits
from markscheme.grading.errors import MarkschemeError
from markscheme.settings import Settings
from markscheme.web import api, form
from markscheme.web.desk import GraderPort, GradingDesk
from markscheme.web.errors import KINDS, code_of
from markscheme.web.middleware import BodyLimit, RequestContext
from markscheme.web.openapi import describe
from markscheme.web.pages import STATIC, templates
from markscheme.web.problem import problem_response

_about = APIRouter(include_in_schema=False)


def create_app(grader_factory: Callable[[], GraderPort], *, settings: Settings) -> FastAPI:
    """Make the service.

    Args:
        grader_factory: Loads the grader. Called when the service starts, never before; where it raises a
            MarkschemeError the service starts all the same, and answers with that error what needs a grader.
        settings: Limits, and how many answers are graded at once.
    """

    @asynccontextmanager
    async def lifespan(app: FastAPI) -> AsyncIterator[None]:
        desk = GradingDesk(grader_factory, workers=settings.usable_threads, queue_limit=settings.queue_limit)
        app.state.desk = desk
        await desk.open()
        try:
            yield
        finally:
            desk.close()

    # No pages of FastAPI's own: they load scripts from elsewhere.
    app = FastAPI(title="Markscheme", version=__version__, docs_url=None, redoc_url=None, lifespan=lifespan)
    app.state.limits = Limits(max_answer_chars=settings.max_answer_chars)
    app.state.max_body_bytes = settings.max_body_bytes
    app.add_middleware(BodyLimit, limit=settings.max_body_bytes)
    app.add_middleware(RequestContext)
    app.add_exception_handler(MarkschemeError, _answer_with_problem)
    app.add_exception_handler(HTTPException, _answer_with_problem)
    app.include_router(api.router)
    app.include_router(form.router)
    app.include_router(_about)
    app.mount("/static", StaticFiles(directory=STATIC), name="static")
    app.openapi = lambda: describe(app)  # type: ignore[method-assign]  # FastAPI's own way to replace it
    return app


async def _answer_with_problem(request: Request, error: Exception) -> Response:
    if code_of(error) == "internal_error":
        # RequestContext logs it with the request's id, and tells the caller nothing of it.
        raise error
    return problem_response(request, error)


@_about.get("/problems")
async def show_problems(request: Request) -> Response:
    """The table of problems, for people: the `type` of every problem points into it."""
    return templates.TemplateResponse(request, "problems.html", {"kinds": KINDS})
