"""Messages whose facts reviewers know, as lines to fit hearing by. Nothing of what was forgotten."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Sequence
from typing import Any

from django.db.models import Exists, OuterRef

from episodes.models import Message, MessageRole
from factcheck.extraction.core.verdicts import VerdictCode
from factcheck.extraction.models import ExtractionDelta, ExtractionSample, RunMessage, SampleKind
from reviews.labelling.core.labelled_lines import JudgedProposal, agree, list_expected
from reviews.labelling.core.verdicts import LabelVerdict
from reviews.labelling.models import SampleLabel
from reviews.labelling.selectors.items import open_words

RUN_BATCH_SIZE = 200


def list_labelled_lines(tenant_id: int) -> Iterator[dict[str, Any]]:
    """One line a message of the labelled runs, oldest first: `id`, `language`, `text`, `expect`, and `context` where a
    question is needed to understand it. A few queries a batch of runs. Raises FactKeysMissing.
    """
    labelled = Exists(SampleLabel.objects.filter(sample_id=OuterRef("pk"), undone_at__isnull=True))
    samples = ExtractionSample.objects.filter(labelled, tenant_id=tenant_id, is_gone=False)
    run_ids = list(samples.order_by("run_id").values_list("run_id", flat=True).distinct())
    for start in range(0, len(run_ids), RUN_BATCH_SIZE):
        yield from _list_of_runs(tenant_id, run_ids[start : start + RUN_BATCH_SIZE])


def _list_of_runs(tenant_id: int, run_ids: Sequence[int]) -> Iterator[dict[str, Any]]:
    rows = ExtractionSample.objects.filter(tenant_id=tenant_id, run_id__in=run_ids, is_gone=False)
    of_deltas = {row.delta_id: row.pk for row in rows if row.kind == SampleKind.DELTA}
    of_runs = {row.run_id: row.pk for row in rows if row.kind == SampleKind.RUN}
    said: dict[int, list[tuple[str, float]]] = defaultdict(list)
    missed: set[int] = set()
    for label in SampleLabel.objects.filter(sample__in=rows, undone_at__isnull=True).order_by("pk"):
        said[label.sample_id or 0].append((label.verdict, label.weight))
        if label.missed_message_id is not None:
            missed.add(label.missed_message_id)
    deltas = list(ExtractionDelta.objects.filter(run_id__in=run_ids).exclude(words_sealed=b"").order_by("pk"))
    proposals: dict[int, list[JudgedProposal]] = defaultdict(list)
    quoted: dict[int, set[int]] = defaultdict(set)
    for delta in deltas:
        verdict = agree(said.get(of_deltas.get(delta.pk, 0), ()))
        words = open_words(delta)
        judged = JudgedProposal(
            delta.type, words["key"] or "", words["value"] or "", delta.verdict == VerdictCode.ACCEPTED, verdict
        )
        for message_id in delta.evidence:
            proposals[message_id].append(judged)
            quoted[message_id] |= set(delta.evidence) - {message_id}
    empty = {run_id for run_id, pk in of_runs.items() if agree(said.get(pk, ())) == LabelVerdict.NOTHING_MISSED}
    known = set(proposals) | set(RunMessage.objects.filter(run_id__in=empty).values_list("message_id", flat=True))
    messages = Message.objects.living().filter(
        tenant_id=tenant_id, pk__in=known | {q for each in quoted.values() for q in each}
    )
    texts = {message.pk: message for message in messages.order_by("pk")}
    for message_id in sorted(known & set(texts) - missed):
        message = texts[message_id]
        expected = list_expected(proposals.get(message_id, ()))
        if message.role == MessageRole.USER and expected is not None:
            judged_here = any(each.verdict is not None for each in proposals.get(message_id, ()))
            if judged_here or message_id not in proposals:
                yield _build_line(message, expected, [texts[pk] for pk in sorted(quoted[message_id]) if pk in texts])


def _build_line(message: Message, expected: list[dict[str, Any]], beside: Sequence[Message]) -> dict[str, Any]:
    line: dict[str, Any] = {
        "id": f"message-{message.pk}",
        "language": message.language,
        "text": message.content,
        "expect": expected,
    }
    question = next((each for each in beside if each.role == MessageRole.ASSISTANT), None)
    if question is not None:
        line["context"] = question.content
    return line
