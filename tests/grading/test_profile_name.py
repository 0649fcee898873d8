import re

import pytest

from markscheme.grading.profile_name import PROFILE_NAME, is_profile_name


@pytest.mark.parametrize("name", ["a", "7", "our-school", "2024-spring", "a-", "x" * 64])
def test_names_that_can_be(name: str) -> None:
    assert is_profile_name(name)
    assert re.search(PROFILE_NAME, name)


@pytest.mark.parametrize(
    "name", ["", "-a", "A", "a_b", "a.json", "a/b", "..", "./a", "a b", "a\n", "ä", "٣", "\ud800", "x" * 65]
)
def test_names_that_cannot_be(name: str) -> None:
    assert not is_profile_name(name)
