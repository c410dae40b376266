"""Short answers to what an assistant claims or asks: yes, no, "where did you get that", "that's my sister"."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from factcheck.instant.core.assistant_claims import AssistantClaims, Claim
from factcheck.instant.core.correction_results import Basis, Effect, Outcome
from factcheck.instant.core.known_facts import KnownFact
from factcheck.instant.core.pattern_rows import CorrectionPattern


@dataclass(frozen=True, slots=True)
class Answer:
    """What a short answer does to which facts, by which pattern."""

    outcome: Outcome
    effect: Effect
    facts: tuple[KnownFact, ...]
    hit: CorrectionPattern
    basis: Basis = ""


def read_answer(hits: Sequence[CorrectionPattern], claims: AssistantClaims) -> Answer | None:
    """What a message that only answers does; None where nothing was claimed that it could be about.

    A bare "no" never ends what protects a person or what was stated; it ends a taste that was guessed, and puts
    everything else in doubt. It answers a closing question, not the claims before it, and to a sentence in the
    negative ("You can't eat peanuts, right?") it is ambiguous and changes nothing.
    """
    by_kind = {hit.kind: hit for hit in reversed(hits)}
    if "yes" in by_kind:
        return _read_yes(by_kind["yes"], claims)
    if "other_subject" in by_kind:
        return _read_other_subject(by_kind["other_subject"], claims)
    if "ambiguous" in by_kind:
        return _read_doubt(by_kind["ambiguous"], claims)
    return _read_no(by_kind["no"], claims) if "no" in by_kind else None


def _read_yes(hit: CorrectionPattern, claims: AssistantClaims) -> Answer | None:
    """A yes confirms a disputed fact; a yes to "so you are not allergic?" ends it where it was disputed before."""
    confirmed = tuple(_once(each for each in claims.closing if each.fact.is_disputed and each.polarity > 0))
    if confirmed:
        return Answer("confirmed", "restored", confirmed, hit)
    denied = [each for each in claims.closing if each.polarity < 0 and each.form != "statement"]
    if len(denied) != 1 or not denied[0].is_denial:
        return None
    fact = denied[0].fact
    if fact.is_disputed:
        return Answer("denied", "ended", (fact,), hit, "confirmed")
    return Answer("ambiguous", "disputed", (fact,), hit)


def _read_no(hit: CorrectionPattern, claims: AssistantClaims) -> Answer | None:
    if claims.ends_with_question:
        asked = tuple(_once(each for each in claims.closing if each.fact.is_disputed and each.polarity > 0))
        return _deny(hit, asked, can_end=True) if asked else None
    asserted = _once(
        each for each in claims.claims if each.polarity > 0 and each.form != "question" and not each.is_negative
    )
    return _deny(hit, tuple(asserted), can_end=len(asserted) == 1) if asserted else None


def _deny(hit: CorrectionPattern, facts: tuple[KnownFact, ...], *, can_end: bool) -> Answer:
    is_guess = can_end and all(fact.type == "onboarding_style" and not fact.is_protected for fact in facts)
    return Answer("denied", "ended", facts, hit, "claim") if is_guess else Answer("ambiguous", "disputed", facts, hit)


def _read_doubt(hit: CorrectionPattern, claims: AssistantClaims) -> Answer | None:
    """A doubt is about what was claimed; of what is put the other way round ("you love spiders") it doubts nothing."""
    doubted = tuple(claims.list_asserted())
    if doubted:
        return Answer("ambiguous", "disputed", doubted, hit)
    return Answer("unmatched", "none", (), hit) if claims.has_text and not claims.claims else None


def _read_other_subject(hit: CorrectionPattern, claims: AssistantClaims) -> Answer | None:
    asserted = tuple(claims.list_asserted())
    if len(asserted) != 1:
        return Answer("ambiguous", "disputed", asserted, hit) if asserted else _read_doubt(hit, claims)
    effect: Effect = "disputed" if asserted[0].is_protected else "ended"
    return Answer("wrong_subject", effect, asserted, hit, "" if effect == "disputed" else "claim")


def _once(claims: Iterable[Claim]) -> list[KnownFact]:
    return list(dict.fromkeys(claim.fact for claim in claims))
