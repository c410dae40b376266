"""What canon rules out altogether (`no lord`, `robots are not served`), and replies that say that it is so.

Here a reply seldom repeats canon's words. It is enough that it speaks of what is ruled out, or answers a question that
does, and affirms it: by a yes in any of its forms, by giving leave, by a number, or by telling of it as of a fact.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

from factcheck.claims.core.replies.canon import Canon, Statement
from factcheck.claims.core.replies.clauses import Clause
from factcheck.claims.core.replies.findings import Finding, Said
from factcheck.claims.core.replies.lexicon import ARABIC_THE, Lexicon
from factcheck.claims.core.replies.polarity import list_telling_words
from factcheck.claims.core.replies.questions import read_answer
from factcheck.claims.core.replies.texts import Text, is_arabic, key_of, read_text, word_set
from factcheck.core.tokens import Token
from factcheck.instant.core.forms import is_russian_verb

MIN_COVERED = 0.5
WEAK_WEIGHT = 0.3
MAX_TOPICS = 6
"""A denial of more words tells a story; what of it is denied cannot be said."""
AFFIRMING_WORDS = 5
"""An English answer affirms among its first words."""
FOREMOST = 2
"""In English some words may stand before it (`For three good years there was`); elsewhere it opens the answer."""
HAN_ASPECTS = frozenset("过了啊呀的吧")
GRANT_DISTANCE = 3
ANSWER_SENTENCES = 2
POINTING = frozenset({"that's", "that", "this", "these", "those", "это", "то", "هذا", "هذه", "这", "那"})
"""What opens with one of these names what was said before."""
ANAPHORS = word_set("it them one so they she he there их его ее он она они 一 它 他 她")
PREPOSED = frozenset({"no", "without", "nobody", "nothing", "none", "neither", "без"})
"""What these deny stands behind them."""
CONTRASTED = frozenset({"not", "не", "لا", "而"})
DEFINITE = frozenset({"the", "our"})
OWNING = word_set(
    "a an our her his its their my your with by had has have two three four five six seven dozen "
    "у его ее их наш наша наши своя свой есть был была были два две три"
)
"""A thing that is told of as there: somebody's, counted, or a new one."""


@dataclass(frozen=True, slots=True)
class Absolute:
    """Something that canon says there is not, was never done, or may not be done."""

    slug: str
    topics: tuple[tuple[frozenset[str], bool], ...]
    """The keys of each word of what is denied, and whether the word is weak (`carry`, `sell`)."""
    quote: str
    field: str | None
    is_rule: bool
    told_beside: frozenset[str] = frozenset()
    """What the same sentence says that there is: who names it knows the sentence."""


def list_absolutes(canon: Canon, lexicon: Lexicon) -> list[Absolute]:
    """The denials of the articles' sentences and of fields that are false or nought."""
    found: list[Absolute] = []
    before: Statement | None = None
    for statement in canon.statements:
        if statement.is_negated and not statement.is_unsure:
            absolute = _read_statement(statement, before, canon, lexicon)
            if absolute is not None:
                found.append(replace(absolute, told_beside=_list_beside(statement, canon, lexicon)))
        before = statement
    for article in canon.articles:
        for name, value in article.fields.items():
            if value is False or (value == 0 and not isinstance(value, bool)):
                label = read_text(article.describe_field(name), lexicon)
                topics = _list_topics(label, canon.types[article.slug], canon, lexicon, range(len(label.words)))
                if topics:
                    quote = article.quote_field(name)
                    found.append(Absolute(article.slug, topics, quote, name, is_rule=False))
    return found


def _list_beside(statement: Statement, canon: Canon, lexicon: Lexicon) -> frozenset[str]:
    """The sorts of things that the sentence affirms (`beer and cider but no wine`)."""
    own = statement.text.all_keys().union(*wide_keys(statement.text, lexicon, is_canon=True))
    others = [each for each in canon.statements if each.quote == statement.quote and each.slug == statement.slug]
    beside = (wide_keys(each.text, lexicon, is_canon=True) for each in others if not each.is_negated)
    return frozenset(key for keys in beside for place in keys for key in place if key[0] == "%") - own


def compare_absolutes(
    said: Said, absolutes: Iterable[Absolute], clauses: Sequence[Clause], lexicon: Lexicon
) -> list[Finding]:
    """What canon rules out of what the clause says or affirms, unless another clause of the reply denies the same."""
    if said.clause.is_negated or said.clause.cues - {"past"}:
        return []
    if any(each.is_opening and read_answer(each.text, lexicon) is False for each in clauses):
        return []
    denials = [_all_keys(each.text, lexicon) for each in clauses if each.is_negated]
    spoken, asked = (_all_keys(text, lexicon) for text in (said.clause.text, said.question.text))
    for absolute in absolutes:
        if absolute.slug not in said.slugs or any(_touches(keys, absolute) for keys in denials):
            continue
        is_told = _covers(spoken, absolute) and _is_told(said, absolute, lexicon)
        is_known = bool(said.reply_keys & absolute.told_beside)
        if is_told or (not is_known and _covers(asked, absolute) and _is_affirmed(said, absolute, lexicon)):
            said = replace(said, is_of_stranger=False)
            return [said.finding("polarity", absolute.quote, absolute.slug, None, absolute.field, is_sure=True)]
    return []


def _read_statement(statement: Statement, before: Statement | None, canon: Canon, lexicon: Lexicon) -> Absolute | None:
    text = statement.text
    words = text.words
    negations = [*lexicon.lists["negations"].find(words), *lexicon.lists["forbid"].find(words)]
    if not negations:
        return None
    first = min(negations, key=lambda each: each.start)
    if _has_exception(words, first.start, lexicon):
        return None
    places = range(len(words))
    if words[first.start].text in PREPOSED or (first.start == 0 and words[0].text in CONTRASTED):
        places = range(first.end, len(words))
    topics = _list_topics(text, canon.types[statement.slug], canon, lexicon, places)
    is_elliptic = max(each.end for each in negations) == len(words) and len(topics) == 1 and not statement.is_rule
    is_rule = statement.is_rule or any(lexicon.lists[name].is_in(words) for name in ("permit", "forbid", "service"))
    if is_elliptic and before is not None and before.slug == statement.slug and before.quote == statement.quote:
        if before.is_negated:
            return None
        is_rule = True
    return Absolute(statement.slug, topics, statement.quote, None, is_rule) if topics else None


def _has_exception(words: Sequence[Token], denied: int, lexicon: Lexicon) -> bool:
    """Whether the denial has one; `only tea, no wine` has none, as a mark parts what is denied."""
    is_apart = bool(words[denied].gap)
    return any(not (is_apart and each.start < denied) for each in lexicon.lists["exception"].find(words))


def _list_topics(
    text: Text, skipped: frozenset[str], canon: Canon, lexicon: Lexicon, places: range
) -> tuple[tuple[frozenset[str], bool], ...]:
    weak = lexicon.lists["weak"].places(text.words)
    wide = wide_keys(text, lexicon, is_canon=True)
    telling = dict(list_telling_words(text, skipped, canon.name_words, lexicon))
    telling |= {place: frozenset() for place, keys in enumerate(wide) if keys and not text.keys[place]}
    found = []
    for place, keys in sorted(telling.items()):
        if place in places and not (keys and all(key in lexicon.units for key in keys)):
            found.append((keys | wide[place], place in weak))
    if not found or len(found) > MAX_TOPICS:
        return ()
    return tuple(found) if not all(is_weak for _, is_weak in found) else tuple((keys, False) for keys, _ in found)


def wide_keys(text: Text, lexicon: Lexicon, *, is_canon: bool = False) -> list[frozenset[str]]:
    """For each word the sets of like words that it is in; in a reply a sword is a weapon too, in canon it is not."""
    found: list[set[str]] = [set() for _ in text.words]
    for each in lexicon.wide.find(text.words):
        for place in range(each.start, each.end):
            found[place].add(f"^{each.label}")
    for each in lexicon.sorts.find(text.words):
        for place in range(each.start, each.end):
            found[place].add(f"%{each.label}")
            if not is_canon:
                found[place].add(f"^{each.label.partition(':')[0]}")
    return [frozenset(keys) for keys in found]


def _covers(keys: frozenset[str], absolute: Absolute) -> bool:
    """Whether the words hold what is denied: at least half of its weight, and a word that tells."""
    weights = [WEAK_WEIGHT if is_weak else 1.0 for _, is_weak in absolute.topics]
    held = [bool(topic & keys) for topic, _ in absolute.topics]
    strong = any(is_held and not is_weak for is_held, (_, is_weak) in zip(held, absolute.topics, strict=True))
    share = sum(weight for weight, is_held in zip(weights, held, strict=True) if is_held) / sum(weights)
    return strong and share >= MIN_COVERED


def _touches(keys: frozenset[str], absolute: Absolute) -> bool:
    return any(topic & keys for topic, is_weak in absolute.topics if not is_weak)


def _all_keys(text: Text, lexicon: Lexicon) -> frozenset[str]:
    return text.all_keys().union(*wide_keys(text, lexicon))


def _is_told(said: Said, absolute: Absolute, lexicon: Lexicon) -> bool:
    """Whether a clause that speaks of what is ruled out tells of it as of a fact, or gives leave for it."""
    text = said.clause.text
    words = text.words
    if said.is_own or not said.is_settled:
        return False
    if lexicon.lists["undone"].is_in(words) or lexicon.lists["refers_on"].is_in(words) or words[0].text in POINTING:
        return False
    if absolute.is_rule:
        return _is_granted(text, absolute, lexicon)
    return any(word.text in OWNING for word in words) or _is_the_places_own(said, absolute, lexicon)


def _is_the_places_own(said: Said, absolute: Absolute, lexicon: Lexicon) -> bool:
    """Whether what is ruled out is spoken of as the place's own: `the town wall`."""
    text = said.clause.text
    wide = wide_keys(text, lexicon)
    return any(
        text.words[place - 2].text in DEFINITE and text.keys[place - 1] & said.type_keys
        for place in range(2, len(text.words))
        if any(topic & (text.keys[place] | wide[place]) for topic, is_weak in absolute.topics if not is_weak)
    )


def _is_granted(text: Text, absolute: Absolute, lexicon: Lexicon) -> bool:
    """Whether a word that gives leave, or speaks of all, stands beside what is ruled out."""
    wide = wide_keys(text, lexicon)
    places = [
        place
        for place, keys in enumerate(text.keys)
        if any(topic & (keys | wide[place]) for topic, is_weak in absolute.topics if not is_weak)
    ]
    granting = [
        (each.start, each.end) for name in ("grant", "universal") for each in lexicon.lists[name].find(text.words)
    ]
    return any(
        start - GRANT_DISTANCE <= place < end + GRANT_DISTANCE and not start <= place < end
        for place in places
        for start, end in granting
    )


def _is_affirmed(said: Said, absolute: Absolute, lexicon: Lexicon) -> bool:
    """Whether the clause affirms a question that speaks of what is ruled out."""
    question = said.question
    if question.is_negated or said.clause.answer_index >= ANSWER_SENTENCES:
        return False
    if lexicon.lists["asked_self"].is_in(question.text.words) and not absolute.is_rule:
        return False
    if _asks_of_more(said, absolute, lexicon):
        return False
    words = said.clause.text.words
    if lexicon.lists["undone"].is_in(words) or said.is_own:
        return False
    is_asked_whether = "yes" in question.asks
    if is_asked_whether and said.clause.is_opening and read_answer(said.clause.text, lexicon):
        return True
    if absolute.is_rule:
        if _opens_with(words, lexicon, "grant") or _is_of_all(said.clause.text, absolute, lexicon):
            return True
        is_so = _opens_with(words, lexicon, "affirm") or _echoes(words, question.text.words)
        return is_asked_whether and said.clause.is_opening and is_so
    if not is_asked_whether:
        return False
    is_counted = _opens_with(words, lexicon, "affirm") or _opens_with_number(said.clause.text)
    is_counted = is_counted or _echoes(words, question.text.words)
    return (said.clause.is_opening and is_counted) or _is_of_all(said.clause.text, absolute, lexicon)


def _asks_of_more(said: Said, absolute: Absolute, lexicon: Lexicon) -> bool:
    """Whether the question holds more telling words beside what is denied than of it: it asks for something else."""
    text = said.question.text
    wide = wide_keys(text, lexicon)
    idle = lexicon.lists["weak"].places(text.words) | lexicon.lists["address"].places(text.words)
    idle |= lexicon.lists["asking_filler"].places(text.words) | lexicon.lists["permit"].places(text.words)
    topics = frozenset().union(*(topic for topic, _ in absolute.topics))
    telling = [
        bool((keys | wide[place]) & topics)
        for place, keys in enumerate(text.keys)
        if keys and place not in idle and not keys & said.type_keys
    ]
    return telling.count(False) > telling.count(True)


def _opens_with(words: Sequence[Token], lexicon: Lexicon, name: str) -> bool:
    is_english = bool(words) and words[0].text[:1].isascii()
    furthest = AFFIRMING_WORDS if is_english else FOREMOST
    return any(each.start < furthest for each in lexicon.lists[name].find(words))


def _echoes(words: Sequence[Token], asked: Sequence[Token]) -> bool:
    """Whether the answer opens with the verb of the question, as Russian and Chinese say yes (`成过吗` – `成过`)."""
    if not words:
        return False
    first = words[0]
    if first.kind == "han":
        is_verb = len(words) > 1 and (words[1].text in HAN_ASPECTS or bool(words[1].gap))
        return is_verb and any(word.text == first.text for word in asked)
    if is_arabic(first):
        is_verb = len(first.text) > 2 and not first.text.startswith(ARABIC_THE)
        return is_verb and any(key_of(word) == key_of(first) for word in asked)
    return is_russian_verb(first.text) and any(word.lexeme == first.lexeme for word in asked)


def _is_of_all(text: Text, absolute: Absolute, lexicon: Lexicon) -> bool:
    """Whether the clause says of all, or of all times, what was asked (`everybody wears them`)."""
    if not lexicon.lists["universal"].is_in(text.words):
        return False
    return any(word.text in ANAPHORS for word in text.words) or _touches(_all_keys(text, lexicon), absolute)


def _opens_with_number(text: Text) -> bool:
    return any(each.start == 0 and each.value > 0 and not each.is_year for each in text.quantities)
