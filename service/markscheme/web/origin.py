"""Whether a form was sent from our own page."""

from starlette.requests import Request

from markscheme.web.errors import CrossSiteError

# "none" is a person's own doing, such as sending the form again after a restart of the browser.
_OWN = frozenset({"same-origin", "none"})


def check_origin(request: Request) -> None:
    """Let pass what comes from our own page, or from no browser at all.

    Browsers leave out Sec-Fetch-Site on plain HTTP, and send Origin then.

    Raises:
        CrossSiteError: The form stands on another site's page.
    """
    site = request.headers.get("sec-fetch-site")
    origin = request.headers.get("origin")
    # The host alone: behind a proxy that ends TLS, the scheme that arrives is not the one that the browser sees.
    same_host = origin is None or origin.partition("://")[2] == request.headers.get("host")
    own = same_host if site is None else site in _OWN
    if not own:
        message = "This form was sent from another site. Open the page itself, and send it from there."
        raise CrossSiteError(message)
