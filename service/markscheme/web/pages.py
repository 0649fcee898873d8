"""The templates, with what every page needs."""

from pathlib import Path

from jinja2 import Environment, PackageLoader, StrictUndefined
from starlette.templating import Jinja2Templates

from markscheme import __version__

STATIC = Path(__file__).parent / "static"

_environment = Environment(
    loader=PackageLoader("markscheme.web"),
    # Every template, whatever its name: an answer is never markup.
    autoescape=True,
    undefined=StrictUndefined,
    trim_blocks=True,
    lstrip_blocks=True,
)
_environment.globals["version"] = __version__

templates = Jinja2Templates(env=_environment)
