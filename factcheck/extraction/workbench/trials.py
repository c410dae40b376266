"""A trial: what it will cost, and its run. Nothing is written to any table."""

from __future__ import annotations

import time
from collections.abc import Iterator
from dataclasses import dataclass, replace
from pathlib import Path

from django.conf import settings

from episodes.models import Message
from factcheck.extraction.actions.dry_runs import DryDelta, DryRun, list_last_ranges, try_given
from factcheck.extraction.core.given import Given
from factcheck.extraction.golden.cases import GoldenCase, read_cases
from factcheck.extraction.golden.scores import judge_case
from factcheck.extraction.proposers.base import NOTHING_PAID, Paid, ProposerError
from factcheck.extraction.proposers.chat import ChatProposer
from factcheck.extraction.proposers.prompts import parse_extraction_file, read_extraction_prompts
from factcheck.extraction.proposers.registry import find_chat_proposer
from factcheck.extraction.rules import get_gate_rules
from factcheck.extraction.workbench.comparison import Side, TrialResult, TriedDelta, dump_result
from factcheck.extraction.workbench.store import PromptChoice, TrialRequest, finish_trial, get_trial, take_trial
from knowledge.text.languages import HEARD_LANGUAGES
from tenancy.models import EndUser

MAX_PLAYERS = 5
MAX_TRIED_MESSAGES = 200
"""Of each player, both sides, the newest: in as many parts as runs would take."""
MAX_SECONDS = 1500.0
"""Of a whole trial: below the limit of a task."""
LABELS = {"shipped": "as shipped", "no_examples": "as shipped, without examples"}


@dataclass(frozen=True, slots=True)
class Talk:
    """What a proposer is given; `case` where it is a golden one."""

    name: str
    given: Given
    language: str
    end_user_id: int = 0
    case: GoldenCase | None = None


@dataclass(frozen=True, slots=True)
class TrialCost:
    """What asking both will take: prompts are counted, answers are what they may be at most. `messages` are those to be
    read, without what is only shown beside them.
    """

    talks: int
    messages: int
    a: Paid
    b: Paid

    @property
    def both(self) -> Paid:
        """The sum."""
        return self.a + self.b


def list_golden_files() -> list[str]:
    """The languages of which there are golden talks here; an image without them has none."""
    return [language for language in HEARD_LANGUAGES if _find_golden_file(language).is_file()]


def list_last_players(tenant_id: int) -> tuple[int, ...]:
    """The players who spoke last. One query."""
    newest = Message.objects.living().filter(tenant_id=tenant_id, role="user").order_by("-pk")
    spoke = newest.values_list("conversation__end_user_id", flat=True)[: MAX_PLAYERS * 100]
    return tuple(dict.fromkeys(spoke))[:MAX_PLAYERS]


def build_proposer(choice: PromptChoice) -> ChatProposer | None:
    """The configured chat model with the side's prompts; None without a model. Raises ConfigError."""
    proposer = find_chat_proposer(settings.EXTRACTION_PROPOSER)
    if proposer is None or proposer.chat_model is None:
        return None
    if choice.kind == "shipped":
        return proposer
    if choice.kind == "no_examples":
        return replace(proposer, prompts=read_extraction_prompts(Path(settings.PROMPTS_DIR), few_shot=False))
    prompt = parse_extraction_file(choice.text, choice.language, filename=choice.filename)
    return replace(proposer, prompts={**proposer.prompts, choice.language: prompt})


def label_prompt(choice: PromptChoice) -> str:
    """The side's prompts in words."""
    return LABELS.get(choice.kind) or f"{choice.filename} for {choice.language}"


def estimate_trial(request: TrialRequest) -> TrialCost | None:
    """What it will cost, before anybody is asked; None without a model. Raises ConfigError, FactKeysMissing."""
    a, b = build_proposer(request.a), build_proposer(request.b)
    if a is None or b is None:
        return None
    talks = list(_list_talks(request))
    costs = [
        sum((each.estimate(talk.given, language=talk.language) for talk in talks), NOTHING_PAID) for each in (a, b)
    ]
    return TrialCost(len(talks), sum(each.is_new for talk in talks for each in talk.given.messages), *costs)


def run_trial(trial_id: str) -> None:
    """Asks both and keeps what came of it; a second call asks nobody. Outside transactions.

    Raises UnknownTrial, redis.RedisError, FactKeysMissing.
    """
    trial = get_trial(trial_id)
    if trial.is_over or not take_trial(trial_id):
        return
    request = trial.request
    a, b = build_proposer(request.a), build_proposer(request.b)
    if a is None or b is None:
        finish_trial(trial, error="No chat model is configured any more.")
        return
    talks, deadline = list(_list_talks(request)), time.monotonic() + MAX_SECONDS
    first = _run_side(a, label_prompt(request.a), request.tenant_id, talks, deadline)
    second = _run_side(b, label_prompt(request.b), request.tenant_id, talks, deadline)
    shown = (message.id for talk in talks if talk.case is None for message in talk.given.messages)
    messages = tuple(dict.fromkeys(shown))
    finish_trial(trial, result=dump_result(TrialResult(first, second, len(talks), messages)))


def count_forgotten(result: TrialResult) -> int:
    """How many of the messages that were shown are forgotten by now."""
    living = Message.objects.living().filter(pk__in=result.messages).count()
    return len(set(result.messages)) - living


def _list_talks(request: TrialRequest) -> Iterator[Talk]:
    if request.golden:
        for case in read_cases([_find_golden_file(request.golden)]):
            yield Talk(f"{case.id} {case.name}".strip(), case.given, case.language, case=case)
        return
    users = EndUser.objects.filter(tenant_id=request.tenant_id, pk__in=request.user_ids).order_by("pk")
    for user in users:
        owner = {"tenant_id": request.tenant_id, "end_user_id": user.pk}
        for part in list_last_ranges(**owner, messages=MAX_TRIED_MESSAGES):
            yield Talk(user.external_id, part.given, part.language, end_user_id=user.pk)


def _run_side(proposer: ChatProposer, label: str, tenant_id: int, talks: list[Talk], deadline: float) -> Side:
    """One prompt over all talks; a talk that fails is told of, the others go on."""
    side = Side(label, proposer.prompt_version)
    for talk in talks:
        rules = get_gate_rules(tenant_id=tenant_id, end_user_id=talk.end_user_id)
        left = min(settings.EXTRACTION_TIMEOUT_SECONDS, deadline - time.monotonic())
        if left <= 0:
            side = _add(side, NOTHING_PAID, failures=(*side.failures, f"{talk.name}: the trial took too long."))
            continue
        try:
            dry = try_given(talk.given, talk.language, proposer=proposer, rules=rules, timeout_seconds=left)
        except ProposerError as error:
            side = _add(side, error.paid, failures=(*side.failures, f"{talk.name}: {error.detail}"))
            continue
        proposal = dry.proposal
        paid = Paid(proposal.calls, proposal.prompt_tokens, proposal.completion_tokens, proposal.cost)
        side = _judge(_add(side, paid, deltas=(*side.deltas, *_describe(talk, dry))), talk, dry)
    return side


def _add(side: Side, paid: Paid, **more: tuple[object, ...]) -> Side:
    total = Paid(0, side.input_tokens, side.output_tokens, side.cost) + paid
    return replace(
        side,
        input_tokens=total.prompt_tokens,
        output_tokens=total.completion_tokens,
        cost=total.cost,
        **more,  # type: ignore[arg-type]
    )


def _judge(side: Side, talk: Talk, dry: DryRun) -> Side:
    """The side with what a golden talk expects counted."""
    if talk.case is None:
        return side
    rules = get_gate_rules(tenant_id=0, end_user_id=0)
    judged = judge_case(talk.case, [each.verdict for each in dry.deltas], rules.concepts)
    return replace(
        side,
        right=side.right + len(judged.right),
        wrong=side.wrong + len(judged.wrong),
        missed=side.missed + len(judged.missed),
    )


def _describe(talk: Talk, dry: DryRun) -> Iterator[TriedDelta]:
    for each in dry.deltas:
        delta, verdict = each.delta, each.verdict
        yield TriedDelta(
            where=talk.name,
            operation=str(verdict.operation if verdict.is_accepted else delta.operation),
            type=delta.type,
            key=verdict.key or delta.key,
            value=verdict.value or delta.value,
            quotes=tuple((_find_id(talk, quote.message), quote.text) for quote in delta.quotes),
            confidence=delta.confidence,
            verdict=str(verdict.code),
            detail=verdict.detail,
            would_be=_word_end(each),
        )


def _find_id(talk: Talk, place: int) -> int | None:
    message = talk.given.find_message(place)
    return None if message is None else message.id


def _word_end(dry: DryDelta) -> str:
    if not dry.verdict.is_accepted:
        return "nothing"
    return "fact" if dry.is_fact else "candidate"


def _find_golden_file(language: str) -> Path:
    return Path(settings.BASE_DIR) / "qa" / "extraction" / "golden" / f"{language}.jsonl"
