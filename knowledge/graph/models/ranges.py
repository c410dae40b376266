"""Numbers and texts as ranges of themselves: GiST compares ranges for equality without the extension btree_gist."""

from django.db import models
from django.db.models import F, Func, Value


class PointRange(Func):
    """A number as the range that holds it alone."""

    function = "int8range"
    template = "%(function)s(%(expressions)s, '[]')"
    output_field = models.TextField()


class TextHash(Func):
    """A text as a number of 53 bits: what is equal has an equal one."""

    template = "(hashtextextended(%(expressions)s) & 9007199254740991)"
    output_field = models.BigIntegerField()


def point_of(column: str) -> PointRange:
    """A numeric column, to be compared for equality."""
    return PointRange(F(column), F(column))


def point_of_text(column: str) -> PointRange:
    """A text column, to be compared for equality."""
    return PointRange(TextHash(F(column), Value(0)), TextHash(F(column), Value(0)))
