"""Orders that lift a ban: "show me leather, it's ok now", and a ban lifted as such, beside a kind of its thing."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence

from factcheck.instant.core.denial_rules import Clause
from factcheck.instant.core.known_facts import KnownFact
from factcheck.instant.core.lexicon import OTHER_THING, THING, load_lexicon

_YOU = re.compile(r"(?<!\w)(?:it'?s|that'?s|they'?re|you|u|ты|вы|мне|انت\w*|enta|inta)(?!\w)|[你您]")
"""Whom an order is given to, and what is fine, are no strange words."""
_STILL = re.compile(
    r"(?<!\w)(?:still|as before|как было|как раньше|по-прежнему|زي ما|مثل ما|لسه?|zay ma)(?!\w)|仍|还是|照旧"
)
"""Beside a ban that is lifted: this one is not."""


def is_order_allowed(masked: str, beside: Iterable[str], fact: KnownFact) -> bool:
    """Whether a masked clause orders what is banned, and one `beside` it says that it may be by now, each without a
    strange word: "show me leather, you can again", «показывайте кожаные, уже можно».

    The order alone is of one thing, once; "ok" or "the price is fine" beside it is of something else.
    """
    clause = _read_known(masked)
    if fact.type == "allergy" or clause is None or THING not in masked or OTHER_THING in masked:
        return False
    if clause.negations or not clause.has("show") or clause.any("ban", "banned", "topic"):
        return False
    return any(_allows(each) for each in beside if not {THING, OTHER_THING} & set(each))


def lifts_as_such(masked: str, beside: Sequence[str], fact: KnownFact) -> bool:
    """Whether a masked clause lifts a ban in so many words and names no thing, while one `beside` it may be shown what
    is but a kind: "you can show wine as well, I lift the ban".
    """
    clause = _read_known(masked)
    if fact.type == "allergy" or clause is None or {THING, OTHER_THING} & set(masked) or clause.negations:
        return False
    named = [each for each in beside if THING in each]
    is_lifted = clause.has("ban") and clause.any("lift", "ended")
    return is_lifted and bool(named) and all(_may_be_shown(each) for each in named)


def _read_known(masked: str) -> Clause | None:
    """A clause, if the lexicon knows all its words."""
    tokens = load_lexicon().cut(_YOU.sub(" ", masked))
    return None if any(token.kind == "unknown" for token in tokens) else Clause(tokens)


def _allows(masked: str) -> bool:
    """Whether all that a clause says is that something is fine again, or feared no longer."""
    clause = _read_known(masked)
    if clause is None or clause.any("ban", "relation"):
        return False
    if clause.negations:
        return clause.has("trouble", "again")
    return clause.has("unban") or (clause.has("again") and clause.any("fine", "may"))


def _may_be_shown(masked: str) -> bool:
    clause = Clause(load_lexicon().cut(masked))
    return not clause.negations and clause.any("show", "may", "fine") and _STILL.search(masked) is None
