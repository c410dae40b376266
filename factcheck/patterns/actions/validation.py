"""Whether a pattern may be saved: what is wrong with it, and on how many stored messages it would fire."""

from __future__ import annotations

from dataclasses import dataclass, replace

from django.conf import settings

from episodes.conversations.selectors.samples import list_recent_user_texts
from factcheck.errors import PatternRefused, PatternTooBroad
from factcheck.instant.core.configuration import Configuration
from factcheck.instant.core.pattern_rows import InstantPattern, PatternSet
from factcheck.instant.core.validation import HitShare, Problem, list_problems, measure_share
from factcheck.instant.selectors.cases import read_neutral_texts
from factcheck.patterns.selectors.patterns import read_configuration

MAX_SAMPLE_SIZE = 2_000
STORED_ENOUGH = 200
"""With fewer stored messages the sample is filled up with the neutral ones that ship."""


@dataclass(frozen=True, slots=True)
class Validation:
    """What speaks against a pattern, and how it did on the sample; no share where it does not compile."""

    findings: tuple[Problem, ...]
    share: HitShare | None

    @property
    def is_too_broad(self) -> bool:
        """Whether it fires on more than the allowed share."""
        return self.share is not None and self.share.share > settings.PATTERN_MAX_SHARE


def validate_pattern(draft: InstantPattern, *, with_sample: bool = True) -> Validation:
    """The draft held against all rows that are switched on and a sample of what users said. Two queries.

    The sample crosses tenants and two counts come out of it: only whoever runs the installation may ask for it.
    """
    changed = with_pattern(read_configuration(), draft)
    findings = [problem for problem in list_problems(_alone(changed, draft)) if problem.row == draft.name]
    if findings:
        return Validation(tuple(findings), None)
    if not with_sample:
        return Validation((), None)
    share = measure_share(draft, changed, _sample_texts())
    if share.size and share.share > settings.PATTERN_MAX_SHARE:
        findings.append(Problem(draft.name, PatternTooBroad.code, _render_share(share)))
    return Validation(tuple(findings), share)


def refuse_broad(validation: Validation) -> None:
    """Nothing, or the reason why the pattern may not be saved. Raises PatternRefused, PatternTooBroad."""
    others = [each for each in validation.findings if each.code != PatternTooBroad.code]
    if others:
        errors = [{"path": each.row, "code": each.code, "message": each.detail} for each in others]
        raise PatternRefused(f"{others[0].row}: {others[0].detail}", code=others[0].code, errors=errors)
    if validation.is_too_broad and validation.share is not None:
        raise PatternTooBroad(
            _render_share(validation.share), share=round(validation.share.share, 4), sample_size=validation.share.size
        )


def with_pattern(configuration: Configuration, draft: InstantPattern) -> Configuration:
    """The configuration with the draft in place of the row of its pattern set and name, or beside the others."""
    pattern_set = next(
        (pattern_set for pattern_set in configuration.pattern_sets if pattern_set.name == draft.pack),
        PatternSet(draft.pack),
    )
    others = tuple(row for row in pattern_set.patterns if row.name != draft.name)
    return configuration.with_pattern_set(replace(pattern_set, patterns=(*others, draft)))


def _alone(configuration: Configuration, draft: InstantPattern) -> Configuration:
    pattern_sets = tuple(
        replace(pattern_set, patterns=(draft,) if pattern_set.name == draft.pack else (), corrections=())
        for pattern_set in configuration.pattern_sets
    )
    return replace(configuration, pattern_sets=pattern_sets, concepts=())


def _sample_texts() -> list[str]:
    stored = list_recent_user_texts(limit=MAX_SAMPLE_SIZE)
    return stored if len(stored) >= STORED_ENOUGH else [*stored, *read_neutral_texts()]


def _render_share(share: HitShare) -> str:
    return (
        f"It fires on {share.hits} of {share.size} sample messages ({share.share:.1%}); "
        f"the most is {settings.PATTERN_MAX_SHARE:.1%}. Make it narrower, or give it anchors."
    )
