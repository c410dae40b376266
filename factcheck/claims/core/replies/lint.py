"""An article's text held against its own fields and against other articles, for its editors."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

from factcheck.claims.core.replies.canon import CanonArticle
from factcheck.claims.core.replies.canon_index import build_canon
from factcheck.claims.core.replies.check import check_reply_by_rules
from factcheck.claims.core.replies.findings import Finding
from factcheck.claims.core.replies.lexicon import Lexicon, load_lexicon
from factcheck.claims.core.replies.subjects import list_named
from factcheck.core.sentences import split_sentences
from factcheck.core.tokens import tokenize

MAX_SENTENCES = 200
"""Of one article: a longer one is looked at as far as this."""
MAX_FINDINGS = 8


def lint_article(article: CanonArticle, others: Iterable[CanonArticle]) -> list[Finding]:
    """Sentences that deny the article's own fields, or what another article says that they name; at most eight."""
    lexicon = load_lexicon()
    sentences = split_sentences(article.text)[:MAX_SENTENCES]
    known = [other for other in others if other.slug != article.slug]
    found: dict[tuple[str, str], Finding] = {}
    for finding in (*_find_own(article, sentences, lexicon), *_find_others(article, known, sentences, lexicon)):
        found.setdefault((finding.quote, finding.slug), finding)
    return list(found.values())[:MAX_FINDINGS]


def _find_own(article: CanonArticle, sentences: Iterable[str], lexicon: Lexicon) -> Iterable[Finding]:
    canon = build_canon([replace(article, text="")], lexicon)
    if not (canon.numbers or canon.kinds or canon.persons):
        return
    for sentence in sentences:
        named = list_named(tokenize(sentence).words, canon)
        checked = check_reply_by_rules(sentence, question="", canon=canon, told=[article.slug], lexicon=lexicon)
        yield from (each for each in checked.contradictions if named or each.rule in {"number", "year", "kind"})


def _find_others(
    article: CanonArticle, known: list[CanonArticle], sentences: Iterable[str], lexicon: Lexicon
) -> Iterable[Finding]:
    """Of others that a sentence names, unless the article's own field bears the sentence out."""
    if not known:
        return
    canon = build_canon([*known, replace(article, text="")], lexicon)
    for sentence in sentences:
        named = list_named(tokenize(sentence).words, canon) - {article.slug}
        if named:
            told = {*named, article.slug}
            checked = check_reply_by_rules(sentence, question="", canon=canon, told=told, lexicon=lexicon)
            yield from (each for each in checked.contradictions if each.slug in named)
