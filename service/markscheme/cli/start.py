"""What a command does before its own work."""

import io
import logging
import sys

from markscheme.settings import Settings, load_settings


def start() -> Settings:
    """Read the settings, and make ready the log, on stderr, and the output. Raises SettingsError.

    Not done for the whole program: `--help` must work where a setting is wrong.
    """
    settings = load_settings()
    if isinstance(sys.stdout, io.TextIOWrapper):
        # Under a locale that lacks a character it is escaped; an answer in another script is no reason to crash.
        sys.stdout.reconfigure(errors="backslashreplace")
    # MARKSCHEME_LOG_LEVEL is about Markscheme; what libraries tell of themselves is of interest only as a warning.
    logging.basicConfig(level=logging.WARNING, format="%(levelname)s %(name)s: %(message)s")
    logging.getLogger("markscheme").setLevel(settings.log_level.upper())
    return settings
