"""The words of a question that say what is asked for."""

from __future__ import annotations

from factcheck.claims.core.replies.findings import Said
from factcheck.claims.core.replies.lexicon import Lexicon
from factcheck.claims.core.replies.texts import read_text

IDLE_LISTS = ("stop", "asking_filler", "ask_which", "ask_yes", "ask_when", "address")


def list_telling(
    said: Said, lexicon: Lexicon, *, covered: frozenset[int] = frozenset(), names: frozenset[str] = frozenset()
) -> list[frozenset[str]]:
    """The keys of each word that narrows the question, without the subject's own names and sort."""
    question = said.question.text
    words = question.words
    own = names | {word for slug in said.slugs for word in slug.split("-")}
    idle = covered.union(*(lexicon.lists[name].places(words) for name in ("asking_filler", "ask_which", "ask_number")))
    return [
        keys
        for place, keys in enumerate(question.keys)
        if keys
        and place not in idle
        and not keys & said.type_keys
        and not {words[place].text, words[place].lexeme} & own
    ]


def asks_of_more(said: Said, quote: str, lexicon: Lexicon) -> bool:
    """Whether the question holds a telling word that the sentence of canon lacks (`who built the gate?`)."""
    words = said.question.text.words
    covered = lexicon.asked_kinds.places(words)
    known = read_text(quote, lexicon).all_keys()
    return any(not keys & known for keys in list_telling(said, lexicon, covered=covered))


def lacks_character(said: Said, quote: str, lexicon: Lexicon) -> bool:
    """Whether a Chinese question asks of something (`桥`) that neither the sentence nor the subject's names hold."""
    words = said.question.text.words
    idle = lexicon.asked_kinds.places(words).union(*(lexicon.lists[name].places(words) for name in IDLE_LISTS))
    named = "".join(key for key in said.type_keys)
    alone = [word.text for place, word in enumerate(words) if word.kind == "han" and place not in idle]
    return bool(alone) and not any(text in quote or text in named for text in alone)
