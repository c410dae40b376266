"""Documents held against schemas."""

from __future__ import annotations

import pytest

from memoryproject.json_schema import make_strict_validator

NUMBERS = {"type": "array", "maxItems": 2, "uniqueItems": True, "items": {"type": "number"}}


@pytest.mark.parametrize(
    ("document", "mistakes"),
    [
        ([1, 2], []),
        (["a", 2], ["type"]),
        ([2, 2], ["uniqueItems"]),
        (["a", "a", "a"], ["maxItems"]),
        ("a", ["type"]),
    ],
)
def test_array_that_is_too_long_is_refused_for_its_length_alone(document, mistakes):
    found = make_strict_validator(NUMBERS).iter_errors(document)
    assert sorted(str(mistake.validator) for mistake in found) == mistakes


def test_array_without_a_longest_length_is_looked_at_whole():
    validator = make_strict_validator({"items": {"type": "number"}})
    assert [list(mistake.path) for mistake in validator.iter_errors([1, "a", 2, "b"])] == [[1], [3]]
