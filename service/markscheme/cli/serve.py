"""`markscheme serve`: the HTTP service."""

from typing import Annotated

import typer

from markscheme.cli.start import start


def serve(
    *,
    host: Annotated[str | None, typer.Option(help="Address to listen on, instead of MARKSCHEME_HOST.")] = None,
    port: Annotated[
        int | None,
        typer.Option(min=0, max=65_535, help="Port to listen on, instead of MARKSCHEME_PORT; 0: a free one."),
    ] = None,
) -> None:
    """Serve the HTTP API and the page. Ctrl-C lets running requests end first."""
    settings = start()
    import uvicorn  # noqa: PLC0415 - a quarter of a second that no other command should wait for

    uvicorn.run(
        # By name: the command line and the web are siblings, and neither knows the other.
        "markscheme.web.asgi:app",
        host=settings.host if host is None else host,
        port=settings.port if port is None else port,
        log_level=settings.log_level,
    )
