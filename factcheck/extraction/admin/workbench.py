"""The prompt workbench: two versions of a prompt over the same talks, side by side. Owners only: a model is paid.

Without a chat model there is nothing to compare, and the page says so: the offline proposer has no prompt, and its
threshold is no matter of taste but follows from labels.
"""

from __future__ import annotations

import uuid
from collections.abc import Mapping
from typing import Any

from django import forms
from django.contrib import messages
from django.core.exceptions import ValidationError
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseRedirect
from django.urls import reverse

from factcheck.extraction.workbench.comparison import compare, load_result
from factcheck.extraction.workbench.store import (
    PromptChoice,
    Trial,
    TrialRequest,
    begin_trial,
    create_trial,
    drop_trials,
    get_trial,
)
from factcheck.extraction.workbench.trials import (
    MAX_PLAYERS,
    build_proposer,
    count_forgotten,
    estimate_trial,
    label_prompt,
    list_golden_files,
    list_last_players,
)
from knowledge.canon.core.names import storable_text
from knowledge.text.languages import PROPOSER_LANGUAGES
from memoryproject.admin.pages import show_page
from memoryproject.celery import find_task
from memoryproject.config_files import ConfigError
from tenancy.admin.access import filter_by_tenants, has_role, may_manage_some_tenant
from tenancy.models import EndUser, Role, Tenant

MAX_FILE_BYTES = 200_000
"""Ten times what ships."""
REFRESH_SECONDS = 5
SHIPPED, NO_EXAMPLES, UPLOAD = "shipped", "no_examples", "upload"
PROMPTS = ((SHIPPED, "As shipped"), (NO_EXAMPLES, "As shipped, without examples"), (UPLOAD, "My file"))
PLAYER, LAST = "player", "last"


class TrialForm(forms.Form):
    """Whose talk, and which two prompts."""

    token = forms.UUIDField(widget=forms.HiddenInput)
    tenant = forms.ModelChoiceField(Tenant.objects.none(), empty_label=None)
    talk = forms.ChoiceField(label="Over what")
    player = forms.CharField(max_length=200, required=False, label="Player", help_text="Of “one player”: their id.")
    prompt_a = forms.ChoiceField(choices=PROMPTS, initial=SHIPPED, label="Prompt A")
    prompt_b = forms.ChoiceField(choices=PROMPTS, initial=NO_EXAMPLES, label="Prompt B")
    language = forms.ChoiceField(
        choices=[(each, each) for each in PROPOSER_LANGUAGES],
        label="Language of my files",
        help_text="Other languages are asked as shipped.",
    )
    file_a = forms.FileField(required=False, label="My file for A", help_text="An extraction.yaml.")
    file_b = forms.FileField(required=False, label="My file for B", help_text="An extraction.yaml.")

    def __init__(self, *args: Any, user: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        tenants = filter_by_tenants(Tenant.objects.all(), user, lookup="id", role=Role.OWNER)
        self.fields["tenant"].queryset = tenants.order_by("name", "pk")  # type: ignore[attr-defined]
        golden = [(name, f"golden talks, {name}") for name in list_golden_files()]
        players = [(LAST, f"the last {MAX_PLAYERS} players who spoke"), (PLAYER, "one player")]
        self.fields["talk"].choices = [*players, *golden]  # type: ignore[attr-defined]
        self.fields["token"].initial = uuid.uuid4

    def clean(self) -> dict[str, Any]:
        """The files are prompts, and there is talk to try them on."""
        cleaned: dict[str, Any] = super().clean() or {}
        for side in ("a", "b"):
            if cleaned.get(f"prompt_{side}"):
                cleaned[side] = self._read_choice(cleaned, side)
        if cleaned.get("tenant") and cleaned.get("talk"):
            cleaned["user_ids"] = self._find_players(cleaned)
        if not self.errors and cleaned["a"] == cleaned["b"]:
            self.add_error("prompt_b", "Both prompts are the same: there is nothing to compare.")
        return cleaned

    def to_request(self) -> TrialRequest:
        """What is asked."""
        data = self.cleaned_data
        golden = "" if data["talk"] in (PLAYER, LAST) else data["talk"]
        return TrialRequest(data["tenant"].pk, data["user_ids"], golden, data["a"], data["b"])

    def _read_choice(self, cleaned: Mapping[str, Any], side: str) -> PromptChoice | None:
        kind = cleaned[f"prompt_{side}"]
        if kind != UPLOAD:
            return PromptChoice(kind)
        name, file = f"file_{side}", cleaned.get(f"file_{side}")
        if file is None:
            self.add_error(name, "Choose a file.")
            return None
        if file.size > MAX_FILE_BYTES:
            self.add_error(name, f"The file has {file.size:,} bytes; the most is {MAX_FILE_BYTES:,}.")
            return None
        try:
            choice = PromptChoice(UPLOAD, cleaned.get("language", "en"), file.name[:100], file.read().decode("utf-8"))
            build_proposer(choice)
        except UnicodeDecodeError:
            self.add_error(name, "The file is not UTF-8.")
            return None
        except ConfigError as error:
            self.add_error(name, ValidationError(str(error).splitlines()))
            return None
        return choice

    def _find_players(self, cleaned: Mapping[str, Any]) -> tuple[int, ...]:
        tenant_id = cleaned["tenant"].pk
        if cleaned["talk"] == LAST:
            found = list_last_players(tenant_id)
            if not found:
                self.add_error("talk", "No player of this tenant has said anything.")
            return found
        if cleaned["talk"] != PLAYER:
            return ()
        named = storable_text(cleaned.get("player", ""))
        user = EndUser.objects.filter(tenant_id=tenant_id, external_id=named).first()
        if user is None:
            self.add_error("player", "There is no such player in this tenant.")
            return ()
        return (user.pk,)


def workbench_view(request: HttpRequest) -> HttpResponse:
    """The form; what is chosen leads to what it will cost."""
    if not may_manage_some_tenant(request):
        raise Http404("There is nothing here.")
    has_model = build_proposer(PromptChoice(SHIPPED)) is not None
    is_sent = request.method == "POST" and has_model
    form = TrialForm(request.POST if is_sent else None, request.FILES if is_sent else None, user=request.user)
    if is_sent and form.is_valid():
        trial_id = create_trial(
            form.to_request(), made_by=request.user.pk or 0, trial_id=str(form.cleaned_data["token"])
        )
        return HttpResponseRedirect(reverse("admin:prompt_trial", args=[trial_id]))
    return show_page(request, "extraction_workbench.html", "Prompt workbench", form=form, has_model=has_model)


def trial_view(request: HttpRequest, trial_id: uuid.UUID) -> HttpResponse:
    """A trial: what it will cost, that it is under way, or what came of it."""
    trial = get_trial(str(trial_id))
    if not has_role(request.user, trial.request.tenant_id, Role.OWNER):
        raise Http404("There is nothing here.")
    if request.method == "POST":
        return _begin(request, trial)
    if trial.result is not None:
        return _show_result(request, trial)
    is_drafted = trial.asked_at is None
    cost = estimate_trial(trial.request) if is_drafted else None
    page = show_page(
        request,
        "extraction_trial.html",
        "Trial of two prompts",
        trial=trial,
        cost=cost,
        is_drafted=is_drafted,
        a_label=label_prompt(trial.request.a),
        b_label=label_prompt(trial.request.b),
    )
    if not is_drafted and not trial.is_over:
        page.headers["Refresh"] = str(REFRESH_SECONDS)
    return page


def _begin(request: HttpRequest, trial: Trial) -> HttpResponse:
    if begin_trial(trial):
        find_task("factcheck.try_prompts").delay(trial.id)
        messages.success(request, "The model is asked. This takes from seconds to minutes.")
    else:
        messages.info(request, "It was asked before: the model is paid once.")
    return HttpResponseRedirect(reverse("admin:prompt_trial", args=[trial.id]))


def _show_result(request: HttpRequest, trial: Trial) -> HttpResponse:
    result = load_result(trial.result or {})
    if count_forgotten(result):
        drop_trials(trial.request.user_ids)
        raise Http404("What it was about is forgotten.")
    return show_page(
        request,
        "extraction_trial_result.html",
        "Trial of two prompts",
        trial=trial,
        result=result,
        rows=compare(result.a.deltas, result.b.deltas),
    )
