"""How a world wants its events. Owners only; the change is logged."""

from __future__ import annotations

from django import forms
from django.contrib import messages
from django.db import transaction
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.urls import reverse

from episodes.events.actions.policies import PolicyDraft, read_draft, replace_policy
from episodes.events.core.cards import FIELDS, MAX_TEMPLATE_LENGTH, TEMPLATES
from episodes.events.core.chunks import MAX_EVERY, MIN_EVERY
from episodes.events.errors import EventPolicyInvalid
from episodes.events.models import EventPolicy
from episodes.events.models.books import MAX_ARCHIVE_AT, MAX_ARCHIVE_TOKENS, MIN_ARCHIVE_TOKENS, ArchivedEntries
from episodes.events.selectors.policies import get_policy
from knowledge.text.languages import LANGUAGES
from memoryproject.admin.pages import show_page
from memoryproject.admin.row_versions import VersionedForm, lock_on_post
from tenancy.admin.access import get_or_404
from tenancy.core.audit_log import Decider
from tenancy.models import Role, World

TEMPLATE = "template_"


class EventPolicyForm(VersionedForm):
    """The policy of one world, with a template of the card for each language."""

    is_enabled = forms.BooleanField(label="Talk becomes events by itself", required=False)
    every = forms.IntegerField(label="Messages of one event", min_value=MIN_EVERY, max_value=MAX_EVERY)
    archive_at = forms.IntegerField(
        label="Events", min_value=1, max_value=MAX_ARCHIVE_AT, help_text="So many are archived together."
    )
    archive_tokens = forms.IntegerField(
        label="Tokens",
        min_value=MIN_ARCHIVE_TOKENS,
        max_value=MAX_ARCHIVE_TOKENS,
        help_text="Of their cards together, after which they are archived as well.",
    )
    archived_entries = forms.ChoiceField(label="Entries of archived events", choices=ArchivedEntries.choices)

    def __init__(self, *args: object, **kwargs: object) -> None:
        super().__init__(*args, **kwargs)
        for language in TEMPLATES:
            self.fields[f"{TEMPLATE}{language}"] = forms.CharField(
                label=f"Template of the card, {LANGUAGES[language].name}",
                required=False,
                max_length=MAX_TEMPLATE_LENGTH,
                widget=forms.Textarea(attrs={"rows": 4, "dir": "auto"}),
                help_text="Empty: the one that ships. Places: " + ", ".join(f"{{{name}}}" for name in FIELDS) + ".",
            )

    def read_draft(self) -> PolicyDraft:
        """What was sent, once it is valid."""
        values = self.cleaned_data
        templates = {language: values[f"{TEMPLATE}{language}"].replace("\r\n", "\n").strip() for language in TEMPLATES}
        return PolicyDraft(
            is_enabled=values["is_enabled"],
            every=values["every"],
            archive_at=values["archive_at"],
            archive_tokens=values["archive_tokens"],
            archived_entries=values["archived_entries"],
            templates={language: text for language, text in templates.items() if text},
        )


@transaction.atomic
def event_policy_view(request: HttpRequest, world_id: int) -> HttpResponse:
    """The policy of a world. Of two people who save at once, the second sees what the first wrote."""
    worlds = lock_on_post(request, World.objects.select_related("tenant"))
    world: World = get_or_404(worlds, request.user, role=Role.OWNER, pk=world_id)
    policy = get_policy(world.pk)
    form = EventPolicyForm(request.POST or None, initial=_describe(policy))
    if request.method == "POST" and form.is_valid():
        try:
            replace_policy(
                world_id=world.pk,
                draft=form.read_draft(),
                expected_version=policy.version if policy.pk else 0,
                decider=Decider("user", request.user.pk or 0, request.user.get_username()),
            )
        except EventPolicyInvalid as error:
            form.add_error(None, error.detail)
        else:
            messages.success(request, "Saved. Lorebooks follow within five minutes.")
            return HttpResponseRedirect(reverse("admin:event_policy", args=[world.pk]))
    title = f"How {world} wants its events"
    return show_page(request, "event_policy.html", title, world=world, form=form, policy=policy)


def _describe(policy: EventPolicy) -> dict[str, object]:
    draft = read_draft(policy)
    templates = {f"{TEMPLATE}{language}": draft.templates.get(language, "") for language in TEMPLATES}
    return {
        "is_enabled": draft.is_enabled,
        "every": draft.every,
        "archive_at": draft.archive_at,
        "archive_tokens": draft.archive_tokens,
        "archived_entries": draft.archived_entries,
        **templates,
    }
