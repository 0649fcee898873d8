"""What every request goes through: an id, a limit on its body, headers for the browser, and a net under all."""

import logging
import string
import uuid

from starlette.datastructures import Headers, MutableHeaders
from starlette.requests import ClientDisconnect, Request
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from markscheme.web.errors import BodyTooLargeError
from markscheme.web.problem import problem_response

_log = logging.getLogger(__name__)

REQUEST_ID = "X-Request-ID"
_ID_CHARACTERS = frozenset(string.ascii_letters + string.digits + "._-")
_ID_LENGTH = 128
# More than any limit has, and few enough for Python to read.
_LENGTH_DIGITS = 20

SECURITY_HEADERS = {
    "Content-Security-Policy": (
        "default-src 'none'; style-src 'self'; form-action 'self'; frame-ancestors 'none'; base-uri 'none'"
    ),
    "X-Content-Type-Options": "nosniff",
    # Not no-referrer: with that, browsers send the form with the Origin "null", which is refused.
    "Referrer-Policy": "same-origin",
}


class RequestContext:
    """Gives each request an id and each reply its headers, and turns what nobody foresaw into a plain 500."""

    def __init__(self, app: ASGIApp) -> None:
        self.app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Handle one connection."""
        if scope["type"] != "http":
            await self.app(scope, receive, send)
            return
        request_id = _request_id(Headers(scope=scope).get(REQUEST_ID, ""))
        started = False

        async def send_with_headers(message: Message) -> None:
            nonlocal started
            if message["type"] == "http.response.start":
                started = True
                headers = MutableHeaders(scope=message)
                headers[REQUEST_ID] = request_id
                headers.update(SECURITY_HEADERS)
            await send(message)

        try:
            await self.app(scope, receive, send_with_headers)
        except ClientDisconnect:
            # Nobody is left to answer, and nothing here went wrong.
            _log.debug("Request %s: the client hung up before the body had come", request_id)
        except Exception as error:
            _log.exception("Request %s failed", request_id)
            if started:
                raise
            await problem_response(Request(scope), error)(scope, receive, send_with_headers)


class BodyLimit:
    """Refuses a body over the limit: at once where its length is declared, else as soon as the bytes exceed it.

    Args:
        app: The application.
        limit: The largest body, in bytes.
    """

    def __init__(self, app: ASGIApp, limit: int) -> None:
        self.app = app
        self.limit = limit

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Handle one connection."""
        if scope["type"] != "http":
            await self.app(scope, receive, send)
            return
        declared = Headers(scope=scope).get("content-length", "")
        if declared.isdecimal() and int(declared[:_LENGTH_DIGITS]) > self.limit:
            await problem_response(Request(scope), self._error())(scope, receive, send)
            return
        received = 0

        async def receive_within_limit() -> Message:
            nonlocal received
            message = await receive()
            received += len(message.get("body", b""))
            if received > self.limit:
                raise self._error()
            return message

        await self.app(scope, receive_within_limit, send)

    def _error(self) -> BodyTooLargeError:
        message = f"The body has more than {self.limit:,} bytes. Send less, or raise MARKSCHEME_MAX_BODY_BYTES."
        return BodyTooLargeError(message)


def _request_id(offered: str) -> str:
    """The caller's id where it is safe to log and to send back, else a new one."""
    if 0 < len(offered) <= _ID_LENGTH and _ID_CHARACTERS.issuperset(offered):
        return offered
    return uuid.uuid4().hex
