"""A player's page: what is known and why, and what a support person may do about it, each with a reason."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import structlog
from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseRedirect
from django.urls import reverse
from django.views.decorators.http import require_POST

from episodes.alternatives.selectors import list_branches
from episodes.condensing.actions.snippets import drop_snippet
from episodes.condensing.actions.talk_summaries import drop_summary
from episodes.errors import ErasureNotConfirmed, PreviewNeeded
from episodes.facts.actions import remove_fact, write_fact
from episodes.forgetting.actions.erasure import erase_user
from episodes.forgetting.actions.forgetting import forget_messages
from episodes.forgetting.core.selections import Selection
from episodes.forgetting.selectors.forgetting import (
    MAX_SHOWN,
    ForgetPreview,
    get_receipt,
    preview_erasure,
    preview_forgetting,
    preview_topic,
)
from episodes.models import Conversation, ForgetReceipt, Message, ReceiptState, TalkSummary
from episodes.players.selectors.players import get_player_memory, list_caused_messages, list_summaries
from knowledge.facts.actions import Correction, deactivate_fact, dispute_fact, restore_fact
from knowledge.facts.core.drafts import FactDraft
from knowledge.facts.core.instructions import KINDS, MAX_INSTRUCTION_LENGTH
from knowledge.facts.core.types import get_wish_type
from knowledge.facts.models import CorrectionType, FactSource
from knowledge.facts.selectors.facts import map_facts
from memoryproject.admin.pages import show_page
from memoryproject.metrics import DRIFT
from tenancy.admin.access import get_or_404, has_role
from tenancy.models import EndUser, Role

log = structlog.get_logger("memory37.players")

FACT_VERBS: dict[str, tuple[Callable[..., Any], str]] = {
    "dispute": (dispute_fact, "The fact is disputed: games ask again before they use it."),
    "restore": (restore_fact, "The fact stands again."),
    "end": (deactivate_fact, "The fact has ended."),
    "delete": (remove_fact, "The fact is deleted, with all its versions."),
}
MAX_TOPIC_LENGTH = 500


def player_view(request: HttpRequest, user_id: int) -> HttpResponse:
    """What is known of a player, why, and since when."""
    user = get_player_or_404(request, user_id)
    memory = get_player_memory(user)
    return show_page(
        request,
        "player.html",
        f"Player {user.external_id}",
        player=user,
        memory=memory,
        current=[each for each in memory.facts if each.fact.is_active],
        ended=[each for each in memory.facts if not each.fact.is_active],
        instruction_kinds=KINDS,
        max_instruction_length=MAX_INSTRUCTION_LENGTH,
        may_erase=has_role(request.user, user.tenant_id, Role.OWNER),
    )


def conversation_view(request: HttpRequest, conversation_id: int) -> HttpResponse:
    """A conversation's messages and what each caused."""
    rows = Conversation.objects.select_related("end_user", "world")
    conversation: Conversation = get_or_404(rows, request.user, role=Role.REVIEWER, pk=conversation_id)
    before = request.GET.get("before", "")
    caused = list_caused_messages(conversation, before=int(before) if before.isdecimal() and len(before) < 10 else None)
    return show_page(
        request,
        "player_conversation.html",
        str(conversation),
        conversation=conversation,
        player=conversation.end_user,
        caused=caused,
        summaries=list_summaries(conversation),
        branches=list_branches(conversation),
        earlier=caused[0].message.seq if caused and caused[0].message.seq > 1 else None,
    )


@require_POST
def snippet_drop_view(request: HttpRequest, message_id: int) -> HttpResponse:
    """The snippet of a message goes; the same prompt does not make it again."""
    rows = Message.objects.select_related("conversation")
    message: Message = get_or_404(rows, request.user, role=Role.REVIEWER, pk=message_id)
    dropped = drop_snippet(tenant_id=message.tenant_id, message_id=message.pk)
    log.info("snippet_dropped", message_id=message.pk, dropped=dropped, requested_by=request.user.get_username())
    told = f"Message {message.pk}: 1 snippet is gone. The message itself stays as it is."
    messages.success(request, told if dropped else f"Message {message.pk} has no snippet.")
    conversation = reverse("admin:player_conversation", args=[message.conversation_id])
    return HttpResponseRedirect(f"{conversation}?before={message.seq + 1}#message-{message.pk}")


@require_POST
def summary_drop_view(request: HttpRequest, summary_id: int) -> HttpResponse:
    """A summary of talk goes; only later talk is summed up again."""
    summary: TalkSummary = get_or_404(TalkSummary.objects.all(), request.user, role=Role.REVIEWER, pk=summary_id)
    dropped = drop_summary(tenant_id=summary.tenant_id, summary_id=summary.pk)
    log.info("talk_summary_dropped", summary_id=summary.pk, dropped=dropped, requested_by=request.user.get_username())
    told = f"Summary {summary.pk}: 1 summary is gone. The messages stay as they are."
    messages.success(request, told if dropped else f"Summary {summary.pk} has no text.")
    return HttpResponseRedirect(reverse("admin:player_conversation", args=[summary.conversation_id]))


@require_POST
def fact_action_view(request: HttpRequest, user_id: int, fact_id: int, verb: str) -> HttpResponse:
    """One of `FACT_VERBS`, with the person's reason in the log of corrections."""
    user = get_player_or_404(request, user_id)
    if verb not in FACT_VERBS:
        raise Http404("There is nothing here.")
    action, done = FACT_VERBS[verb]
    correction = Correction(
        CorrectionType.SUPPORT, reason=request.POST.get("reason", ""), made_by=request.user.get_username()
    )
    action(tenant_id=user.tenant_id, end_user_id=user.pk, fact_id=fact_id, correction=correction)
    if action is deactivate_fact:
        DRIFT.labels(source="review").inc()
    messages.success(request, done)
    return _back(user)


@require_POST
def instruction_view(request: HttpRequest, user_id: int) -> HttpResponse:
    """A standing instruction that a person writes for the player; another of its kind takes the old one's place."""
    user = get_player_or_404(request, user_id)
    key = request.POST.get("key", "")
    draft = FactDraft(
        type=get_wish_type(key),
        key=key if key in KINDS else None,
        value=request.POST.get("value", "").strip(),
        source=FactSource.ONBOARDING,
        confidence=1.0,
    )
    write_fact(tenant_id=user.tenant_id, user_id=user.external_id, draft=draft)
    messages.success(request, "The instruction stands: every context pack of the player tells it.")
    return _back(user)


def forget_view(request: HttpRequest, user_id: int) -> HttpResponse:
    """A preview of what would be forgotten; with the player's id typed, that and nothing else is forgotten."""
    user = get_player_or_404(request, user_id)
    if request.method == "POST":
        _check_typed(request, user)
        receipt = forget_messages(
            tenant_id=user.tenant_id,
            end_user_id=user.pk,
            selection=_read_selection(request.POST),
            requested_by=f"staff {request.user.get_username()}",
        )
        _flash_receipt(request, receipt)
        return _back(user)
    topic = request.GET.get("topic", "")[:MAX_TOPIC_LENGTH].strip().replace("\x00", "")
    preview: ForgetPreview | None = None
    if topic:
        preview = preview_topic(tenant_id=user.tenant_id, end_user_id=user.pk, topic=topic)
    elif request.GET.keys() & {"scope", "message_ids"}:
        preview = preview_forgetting(
            tenant_id=user.tenant_id, end_user_id=user.pk, selection=_read_selection(request.GET)
        )
    return show_page(
        request,
        "player_forget.html",
        f"Forget what {user.external_id} said",
        player=user,
        preview=preview,
        topic=topic,
        is_all=request.GET.get("scope") == "all" and not topic,
    )


def erase_view(request: HttpRequest, user_id: int) -> HttpResponse:
    """What an erasure by law would clear; with reason and typed id, it is done. Owners only."""
    user = get_player_or_404(request, user_id, role=Role.OWNER)
    if request.method == "POST":
        _check_typed(request, user)
        receipt = erase_user(
            tenant_id=user.tenant_id,
            end_user_id=user.pk,
            reason=request.POST.get("reason", ""),
            requested_by=f"staff {request.user.get_username()}",
        )
        _flash_receipt(request, receipt)
        return _back(user)
    preview = preview_erasure(tenant_id=user.tenant_id, end_user_id=user.pk)
    return show_page(request, "player_erase.html", f"Erase {user.external_id}", player=user, preview=preview)


def get_player_or_404(request: HttpRequest, user_id: int, *, role: str = Role.REVIEWER) -> EndUser:
    """The player, if the person holds the role in their tenant."""
    user: EndUser = get_or_404(EndUser.objects.select_related("tenant"), request.user, role=role, pk=user_id)
    return user


def _read_selection(values: Any) -> Selection:
    if values.get("scope") == "all":
        return Selection("all")
    ids = [each for each in values.getlist("message_ids") if each.isdecimal() and len(each) < 19]
    if not 1 <= len(ids) <= MAX_SHOWN:
        raise PreviewNeeded("Choose messages first.")
    return Selection("messages", message_ids=tuple(sorted({int(each) for each in ids})))


def _check_typed(request: HttpRequest, user: EndUser) -> None:
    if request.POST.get("confirm", "").strip() != user.external_id:
        raise ErasureNotConfirmed("Type the player's id to confirm.")


def _flash_receipt(request: HttpRequest, receipt: ForgetReceipt) -> None:
    now = get_receipt(tenant_id=receipt.tenant_id, end_user_id=receipt.end_user_id, receipt_id=receipt.pk)
    if now.order_kind and now.state != ReceiptState.DONE:
        messages.success(
            request,
            f"Receipt {now.pk}: nobody reads the {now.asked['messages']} messages any more. Batches take them away: "
            "see Forget receipts.",
        )
        return
    told = f"Receipt {now.pk}: {now.cleared['messages']} messages and {now.cleared['facts']} facts are gone."
    if back := [*now.changes.get("restored", ()), *now.changes.get("added", ())]:
        facts = map_facts(tenant_id=now.tenant_id, fact_ids=back)
        told += " Other words say again: " + "; ".join(f"{fact.type} {fact.value}" for fact in facts.values()) + "."
    if now.state == ReceiptState.DONE:
        messages.success(request, told)
    else:
        messages.warning(request, f"{told} The receipt is {now.state}: it is tried again every minute.")


def _back(user: EndUser) -> HttpResponse:
    return HttpResponseRedirect(reverse("admin:player", args=[user.pk]))
