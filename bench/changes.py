"""Dialogues in which people change their minds: what is known at the end, and what no longer is."""

from __future__ import annotations

import argparse
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from django.test.utils import override_settings

from bench.heard import read_lines
from bench.report import Report
from episodes.conversations.actions.conversations import open_conversation
from episodes.conversations.core.drafts import MessageDraft
from factcheck.instant.core.concepts import ConceptTable
from factcheck.instant.core.extracted import ExtractedFact
from factcheck.instant.core.labelled_lines import is_meant
from factcheck.instant.core.pattern_sets import load_shipped
from factcheck.posting.actions.messages import post_messages
from knowledge.facts.selectors.facts import FactView, list_facts
from tenancy.actions.worlds import ensure_tenant
from tenancy.models import EndUser, Tenant

MIN_RIGHT = 0.8
"""Share of dialogues that end right in all that is expected of them."""


@dataclass
class _Course:
    """What was known at the end of a dialogue, and at any time before."""

    known: Sequence[FactView]
    before: list[FactView] = field(default_factory=list)


def run(options: argparse.Namespace) -> Report:
    """The share of dialogues that end right, by language and kind; with `--show`, each one that does not.

    Right is a dialogue whose `active` facts are known without doubt, whose `disputed` ones are known, in doubt or not,
    and whose `gone` ones were known and are no longer. What else is known does not count.
    """
    report = Report("changes")
    tenant, (_, concepts) = ensure_tenant(slug="bench"), load_shipped()
    tallies: dict[tuple[str, str], list[bool]] = defaultdict(list)
    ended = 0
    with override_settings(INSTANT_SEMANTIC="off" if options.by == "patterns" else "inline"):
        for line in (line for path in options.files for line in read_lines(path)):
            course = _play(tenant, line)
            faults = list(_list_faults(line, course, concepts))
            ended += any(fault.startswith("ended") for fault in faults)
            for name in (("all", "all"), ("language", line["language"]), ("kind", line["kind"])):
                tallies[name].append(not faults)
            if faults and options.show:
                known = [f"{fact.type} {fact.value}{' ?' if fact.is_disputed else ''}" for fact in course.known]
                said = " / ".join(f"{turn['role'][0]}: {turn['text']}" for turn in line["turns"])
                report.say(f"{line['id']} {'; '.join(faults)}; known {known}: {said}")
    report.table(
        ("group", "name", "right", "of"),
        [(*name, sum(right), len(right)) for name, right in sorted(tallies.items())],
    )
    right = tallies["all", "all"]
    report.figure("right", sum(right) / len(right), at_least=MIN_RIGHT)
    report.figure("protection_ended", ended, at_most=0)
    return report


def _play(tenant: Tenant, line: Mapping[str, Any]) -> _Course:
    chat = open_conversation(tenant_id=tenant.pk, user_id=line["id"]).conversation
    course = _Course(())
    for turn in line["turns"]:
        course.before += course.known
        draft = MessageDraft(role=turn["role"], content=turn["text"])
        post_messages(tenant_id=tenant.pk, conversation_id=chat.pk, drafts=[draft])
        user = EndUser.objects.filter(tenant=tenant, external_id=line["id"]).first()
        course.known = list_facts(tenant_id=tenant.pk, end_user_id=user.pk) if user else []
    return course


def _list_faults(line: Mapping[str, Any], course: _Course, concepts: ConceptTable) -> Iterable[str]:
    def find(expected: Mapping[str, Any], facts: Iterable[FactView]) -> list[FactView]:
        return [fact for fact in facts if is_meant(_as_extracted(fact), expected, concepts)]

    for each in line["active"]:
        if not any(not fact.is_disputed for fact in find(each, course.known)):
            yield f"not known {each['any_of'][0]}" if not find(each, course.known) else f"in doubt {each['any_of'][0]}"
    for each in line["disputed"]:
        if not find(each, course.known):
            yield f"{'ended' if find(each, course.before) else 'not heard'} {each['any_of'][0]}"
    for each in line["gone"]:
        if find(each, course.known):
            yield f"still known {each['any_of'][0]}"
        elif not find(each, course.before):
            yield f"not heard {each['any_of'][0]}"


def _as_extracted(fact: FactView) -> ExtractedFact:
    return ExtractedFact(
        fact.type, fact.key or "", fact.value or "", fact.language, fact.confidence, "", 0, 0, quote=""
    )
