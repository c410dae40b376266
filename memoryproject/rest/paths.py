"""Ids in the paths of routes: one converter for ids of others, one for names of a form of ours, and the way back."""

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


class NameConverter:
    """A name whose form has no slash, such as a notebook's: what comes after the next slash is another part."""

    regex = r"[^/]+"

    def to_python(self, value: str) -> str:
        """As it is."""
        return value

    def to_url(self, value: str) -> str:
        """As it is."""
        return value


register_converter(IdConverter, "id")
register_converter(NameConverter, "name")


def quote_id(value: str) -> str:
    """The id as one segment of an address."""
    return quote(value, safe="")
