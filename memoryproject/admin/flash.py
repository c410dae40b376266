"""Outcomes as messages on the next page."""

from __future__ import annotations

from collections.abc import Callable

from django.contrib import messages
from django.http import HttpRequest

from memoryproject.errors import DomainError


def flash_outcome(request: HttpRequest, perform: Callable[[], str]) -> None:
    """What was done as a message, or the reason why it was refused."""
    try:
        message = perform()
    except DomainError as error:
        flash_error(request, error)
    else:
        messages.success(request, message)


def flash_error(request: HttpRequest, error: DomainError) -> None:
    """The reason as a message, with every listed problem of an article."""
    messages.error(request, error.detail)
    for each in error.extra.get("errors", [])[1:8]:
        messages.error(request, f"{each['path'] or 'article'}: {each['message']}")
