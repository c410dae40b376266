"""Labelled proposals become lines of a golden file, redacted; and go with the words that they come from."""

from __future__ import annotations

from typing import Any

from django.utils import timezone

from factcheck.extraction.actions.sample_labels import lock_sample
from factcheck.extraction.models import ExtractionDelta
from knowledge.facts.actions.locks import lock_end_user
from reviews.actions.constraints import atomic_action
from reviews.errors import SampleGone, UnknownSample
from reviews.labelling.core.redaction import Redactor
from reviews.labelling.core.verdicts import LabelVerdict
from reviews.labelling.models import GoldenCase, SampleLabel
from reviews.labelling.selectors.items import list_talk, open_words

_FORGOTTEN = "Its words were forgotten: there is nothing to make a case of."


def make_golden_case(*, tenant_id: int, reviewer_id: int, label_id: int) -> GoldenCase:
    """The case of one of the reviewer's own labels; made once.

    Locks the player, then the sample: an order to forget comes before it, and is seen, or after it, and finds the case.
    Raises UnknownSample, SampleGone.
    """
    with atomic_action():
        label, delta = _find_label(tenant_id, reviewer_id, label_id)
        lock_end_user(tenant_id=tenant_id, end_user_id=delta.end_user_id)
        sample = lock_sample(tenant_id=tenant_id, sample_id=label.sample_id or 0)
        label, delta = _find_label(tenant_id, reviewer_id, label_id)
        if sample.is_gone:
            raise SampleGone(_FORGOTTEN)
        earlier = GoldenCase.objects.filter(label=label).first()
        if earlier is not None:
            return earlier
        line, message_ids = build_line(label, delta)
        return GoldenCase.objects.create(
            tenant_id=tenant_id,
            end_user_id=sample.end_user_id,
            label=label,
            made_by_id=reviewer_id,
            language=sample.language,
            line=line,
            message_ids=message_ids,
        )


def _find_label(tenant_id: int, reviewer_id: int, label_id: int) -> tuple[SampleLabel, ExtractionDelta]:
    """The reviewer's own label of a proposal, and the proposal, as they are now. Raises UnknownSample."""
    label = (
        SampleLabel.objects.select_related("sample__delta")
        .filter(tenant_id=tenant_id, reviewer_id=reviewer_id, pk=label_id, undone_at__isnull=True)
        .first()
    )
    if label is None or label.sample is None or label.sample.delta is None:
        raise UnknownSample("You have no such label of a proposal.")
    if label.verdict == LabelVerdict.CANNOT_TELL:
        raise UnknownSample("A case needs an answer: this label has none.")
    return label, label.sample.delta


def build_line(label: SampleLabel, delta: ExtractionDelta) -> tuple[dict[str, Any], list[int]]:
    """The line, and the messages whose words are in it. Raises SampleGone."""
    words = open_words(delta)
    talk = list_talk(delta, words)
    nothing: dict[str, Any] = {"message_id": talk[0].pk, "text": ""}
    quote = next((each for each in words["quotes"] if each["message_id"]), nothing)
    proposal = [str(words[name] or "") for name in ("key", "value")]
    conversation = talk[0].conversation
    redactor = Redactor(
        seed=f"golden:{delta.pk}",
        known=[name for name in (conversation.user_name, conversation.end_user.external_id) if len(name) > 1],
        kept=proposal,
    )
    redactor.learn([message.content for message in talk])
    texts = {message.pk: redactor.redact(message.content) for message in talk}
    key, value = (redactor.redact(text) for text in proposal)
    line = {
        "id": f"case-{label.pk}",
        "language": delta.language,
        "why": label.verdict,
        "text": texts.get(quote["message_id"], ""),
        "operation": delta.operation,
        "type": delta.type,
        "key": key,
        "value": value,
        "quote": redactor.redact(quote["text"]),
        "expected": "accepted" if label.verdict == LabelVerdict.CORRECT else "rejected",
        "messages": [{"role": message.role, "text": texts[message.pk]} for message in talk],
    }
    return line, [message.pk for message in talk]


def forget_golden_case(*, tenant_id: int, case_id: int) -> None:
    """The case without its line, for good. Raises UnknownSample."""
    rows = GoldenCase.objects.filter(tenant_id=tenant_id, pk=case_id, forgotten_at__isnull=True)
    if not rows.update(line=None, forgotten_at=timezone.now()):
        raise UnknownSample("There is no such case.")
