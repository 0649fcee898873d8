"""`markscheme serve`: the HTTP service."""

import socket
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
    address = (settings.host if host is None else host, settings.port if port is None else port)
    _refuse_taken(*address)
    import uvicorn  # noqa: PLC0415 - a quarter of a second that no other command should wait for

    uvicorn.run(
        # By name: the command line and the web are siblings, and neither knows the other.
        "markscheme.web.asgi:app",
        host=address[0],
        port=address[1],
        log_level=settings.log_level,
    )


def _refuse_taken(host: str, port: int) -> None:
    """Try the address: the server itself would load the model first, and then leave with a status of its own."""
    try:
        for family, kind, protocol, _, address in socket.getaddrinfo(
            host, port, type=socket.SOCK_STREAM, flags=socket.AI_PASSIVE
        ):
            with socket.socket(family, kind, protocol) as trial:
                trial.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
                if family == socket.AF_INET6:
                    # As the server does: "::" is then no claim on the addresses of version 4.
                    trial.setsockopt(socket.IPPROTO_IPV6, socket.IPV6_V6ONLY, 1)
                trial.bind(address)
    except OSError as error:
        raise OSError(error.errno, error.strerror, f"{host}:{port}") from error
