"""Lists, a page at a time: `?cursor=&limit=` in, `data` and `next_cursor` out. Source: ADR 0049."""

from __future__ import annotations

from typing import Any

from memoryproject.rest.parameters import MAX_ID, NumberParameter, Parameter, TextParameter

CURSOR = "`next_cursor` of the page before."
NEXT_CURSOR = "Send it as `cursor` for the next page; null at the end."
UUID_PATTERN = r"^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$"
MAX_PAGE_SIZE = 200
"""A page of whole rows stays below half a megabyte."""


def page_by_number(
    *, size: int = 50, most: int = MAX_PAGE_SIZE, example: int = 31, largest: int = MAX_ID, was: str = ""
) -> tuple[Parameter, ...]:
    """`cursor` and `limit` of a list that goes by numbers, and the name that `cursor` had, which holds until 1.0."""
    cursor = NumberParameter("cursor", CURSOR, example, 1, largest)
    old = NumberParameter(was, _describe_old(was), example, 1, largest, replaced_by="cursor")
    return (cursor, *_list_more(size, most), *((old,) if was else ()))


def page_by_text(
    *, example: str, max_length: int, pattern: str = "", size: int = 50, most: int = MAX_PAGE_SIZE, was: str = ""
) -> tuple[Parameter, ...]:
    """The same of a list that goes by names."""
    cursor = TextParameter("cursor", CURSOR, example, max_length, pattern)
    old = TextParameter(was, _describe_old(was), example, max_length, pattern, replaced_by="cursor")
    return (cursor, *_list_more(size, most), *((old,) if was else ()))


def render_page(data: list[Any], next_cursor: object, *, was: str, next_was: str = "") -> dict[str, Any]:
    """A page, and the same under the names that its members had, which hold until 1.0."""
    page = {"data": data, "next_cursor": next_cursor, was: data}
    return {**page, next_was: next_cursor} if next_was else page


def _list_more(size: int, most: int) -> tuple[Parameter, ...]:
    return (NumberParameter("limit", "How many at most.", 20, 1, most, default=size),)


def _describe_old(name: str) -> str:
    return f"The same as `cursor`, until 1.0: `next_{name}` of the page before."
