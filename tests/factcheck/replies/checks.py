"""Replies held against articles, by rules alone."""

from __future__ import annotations

from factcheck.claims.core.replies.canon import CanonArticle
from factcheck.claims.core.replies.canon_index import build_canon
from factcheck.claims.core.replies.check import RuleCheck, check_reply_by_rules
from factcheck.claims.core.replies.lexicon import load_lexicon


def check_reply(question: str, reply: str, *articles: CanonArticle) -> RuleCheck:
    """What the rules say of a reply to which the articles were told."""
    lexicon = load_lexicon()
    told = [article.slug for article in articles]
    return check_reply_by_rules(
        reply, question=question, canon=build_canon(articles, lexicon), told=told, lexicon=lexicon
    )
