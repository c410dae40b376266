"""What pages of the second stage share."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeVar

from django import forms
from django.contrib import messages
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect

from memoryproject.errors import ConflictError, DomainError, NotFoundError
from tenancy.core.audit_log import Decider

MAX_REASON_LENGTH = 500
REASON_HELP = "It stands in the audit log under your name. Editors read that too: quote no player."
Done = TypeVar("Done")


class ReasonForm(forms.Form):
    """Why a person decides so."""

    reason = forms.CharField(
        max_length=MAX_REASON_LENGTH,
        widget=forms.Textarea(attrs={"rows": 3, "dir": "auto"}),
        help_text=REASON_HELP,
        error_messages={"required": "Say why. Nothing is changed."},
    )


def get_decider(request: HttpRequest) -> Decider:
    """The signed-in person."""
    return Decider("user", request.user.pk or 0, request.user.get_username())


def decide(
    request: HttpRequest, form: forms.Form, perform: Callable[[str], str], *, done_url: str
) -> HttpResponse | None:
    """Away to `done_url` with a word on what happened; None where the form is to be shown, with its errors.

    What was decided by somebody else meanwhile, or by a second click, is told there, too.
    """
    if request.method != "POST" or not form.is_valid():
        return None
    try:
        told = perform(form.cleaned_data["reason"])
    except NotFoundError:
        raise
    except ConflictError as error:
        messages.error(request, error.detail)
    except DomainError as error:
        form.add_error(None, error.detail)
        return None
    else:
        messages.success(request, told)
    return HttpResponseRedirect(done_url)


def count(number: int, thing: str) -> str:
    """`1 fact`, `2 facts`."""
    return f"{number} {thing}" if number == 1 else f"{number} {thing}s"


def read_page(request: HttpRequest, name: str) -> Any:
    """A number of the address; None where there is none."""
    text = request.GET.get(name, "")
    return int(text) if text.isdecimal() and len(text) < 19 else None
