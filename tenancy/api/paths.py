"""Ids in the paths of routes: one converter for all, and the way back into an address."""

from __future__ import annotations

from urllib.parse import quote

from django.urls import register_converter


class IdConverter:
    """An id of whatever characters, slashes and line breaks included: what comes after it ends it."""

    regex = r"[\s\S]+"

    def to_python(self, value: str) -> str:
        """As it is."""
        return value

    def to_url(self, value: str) -> str:
        """As it is: Django quotes it, but for its slashes."""
        return value


register_converter(IdConverter, "id")


def quote_id(value: str) -> str:
    """The id as one segment of an address."""
    return quote(value, safe="")
