"""What a calibration profile can be called."""

import re

PROFILE_NAME = "^[a-z0-9][a-z0-9-]{0,63}$"
IN_WORDS = "1 to 64 small letters, digits and hyphens, of which the first is no hyphen"

# A dollar sign also matches before a line feed at the end; fullmatch has none of that.
_NAME = re.compile(PROFILE_NAME.strip("^$"), re.ASCII)


def is_profile_name(text: str) -> bool:
    """Whether a profile can have this name: it is then a safe name of a file, too."""
    return _NAME.fullmatch(text) is not None
