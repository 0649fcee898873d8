"""The application as a server finds it: `markscheme.web.asgi:app`, made from the environment."""

from markscheme import bootstrap
from markscheme.settings import load_settings
from markscheme.web.app import create_app

settings = load_settings()
app = create_app(lambda: bootstrap.grader(settings), settings=settings)
