"""What an assistant's message says of a player: which known facts it claims, denies or asks about.

A sentence claims a fact only where it asserts it with the fact's own polarity: "You can't eat peanuts" claims the
allergy, "You love peanuts" denies it, "You brought peanuts" does neither.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Literal

from factcheck.instant.core.clauses import split_sentences
from factcheck.instant.core.concepts import ConceptTable
from factcheck.instant.core.known_facts import KnownFact
from factcheck.instant.core.mentions import Span, find_mentions, stem_text
from factcheck.instant.core.messages import fold
from knowledge.facts.core.types import FACT_TYPES, PROTECTED_TYPES, WISH_TYPES

Form = Literal["statement", "tag", "question"]
_READ_FROM_THE_END = 4_000
_MAX_SENTENCES = 12
_STATED_PLAINLY = ("amount", "event")
"""Claims of these need no word of liking or refusing: the value alone says them."""

_SENTENCE = re.compile(r"[^.!?؟…\n]+(?:\.(?=\S)[^.!?؟…\n]+)*[.!?؟…]*")
TAG = re.compile(
    r"(?:right|correct|isn't it|aren't you|don't you|do you|are you|can you|haven't you|won't you|yes|no"
    r"|is that right|still|huh|eh|yeah"
    r"|верно|да|правильно|так|правда|не так ли|все еще|нет|ведь|все верно|так ведь"
    r"|صح|صحيح|مو|اليس كذلك|مش كده|مو كذا|مظبوط|مضبوط|صح ولا لا|sa7|9a7|mazboot|mazbout|mesh kda|msh kda"
    r"|mo chthi|对吧|对 吧|对 吗|是 吧|是 吗|没错 吧|对不对|对 不对|是不是|没记错 吧)\s*[?؟]"
)
_YOU = re.compile(
    r"(?<![\w'])(?:you(?:'re|'ve|'d|'ll)?|your|yours|u|ur|ты|вы|тебя|вас|тебе|вам|тво\w+|ваш\w*|помню|ведь"
    r"|انت|انتي|حضرتك|عندك|مقاسك|لديك|ميزانيتك|حساسيتك|لك|معك|عليك|انك|inta|inti|enta|enti|3indik|3indak"
    r"|3ndk|3andak|3andik|3ndak"
    r"|ma2as[aei]k|m[ie]zani[yt]+[aei]k|你|您|你的|您的|你们|7asasit[aei]k|lak|lik)(?![\w'])"
    r"|(?<!\w)(?:т|ت)(?:حب|حبين|اكل|اكلين|لبس|لبسين|كره|كرهين|تحسس|تتحسس|خاف|خافين|ريد|ريدين)(?!\w)"
    r"|(?<!\w)[бб]?ت(?:تحسس|حب|اكل|لبس|كره|خاف)|(?<!\w)بت(?:تحسس|حب|اكل|لبس|كره|خاف)|(?<!\w)(?:b"
    r"|m)?t(?:a7eb|7eb|7ib|7ibi|elbas|albas|akol|ekrah|5af|khaf)(?!\w)"
)
_NOTED = re.compile(
    r"(?<![\w'])(?:noted|saved|remember|recorded|on file|got it|as always|as you asked|as usual|banned"
    r"|skipped|left out|keeping|i keep|i'll keep|i'll look|hiding"
    r"|careful|still|allerg\w*|запис\w+|запомн\w+|учл\w+|учту|отмет\w+|убра\w+|исключ\w+|помню|ищу|беру"
    r"|под запретом|смотрю|осторожно|аллерг\w*"
    r"|سجلت|بسجل|حفظت|حاضر|ممنوع|تذكرت|حساسيه|记住\w*|记下\w*|记得|记录|保存|收到|避开|避免|小心|注意|排除|过敏\w*|忌口|saved|7ader|sajalt|sajjalt|mafeesh)(?![\w'])"
)
_NEGATION = re.compile(
    r"(?<![\w'])(?:not|no|never|n't|don't|do not|doesn't|can't|cannot|won't|shouldn't|mustn't|isn't|aren't"
    r"|didn't|without|avoid\w*|не|нет|нельзя|без|ни|никогда"
    r"|ما|لا|مو|مب|مش|ليس|بدون|ممنوع\w*|ma|la|mo|mub|msh|mesh|mish|mafeesh|bidoon|bdoon|不(?!过|错|同|久|断|但|仅|管|论|好意思)\w*|没\w*|别(?!的|人)\w*|无|避免|避开)(?![\w'])|n't(?!\w)"
)
_INTOLERANT = re.compile(
    r"(?<![\w'])(?:\w*allerg\w*|intoleran\w*|sensitiv\w*|react\w*|ill|sick|avoid\w*|анафил\w+|ал+ерги\w*"
    r"|непереносим\w*|реаги\w*|избега\w*"
    r"|(?:ال)?حساسيه|حساسيت\w*|حساس\w*|تحسس|بتتحسس|تتحسس|متحسس\w*|[7h]a?s+a+s\w*|bitit7as\w*|sensitive"
    r"|过敏\w*|不耐\w*|敏感\w*|乳糖不耐\w*|反应|celiac|целиак\w*)(?![\w'])"
)
_BANNED = re.compile(
    r"(?<![\w'])(?:hat(?:e|es|ed)|dislike\w*|ban\w*|off limits|off the table|boundar\w*|veil\w*|line|lines"
    r"|can't stand|scared|afraid|keep\w* out|leave out|left out"
    r"|skip\w*|hid(?:e|ing|den)|avoid\w*|терпеть|ненавид\w*|запре\w+|табу|убра\w+|исключ\w+|опуска\w*"
    r"|избега\w*|боишься|боитесь|تكره\w*|ممنوع\w*|تخاف\w*|حظر|讨厌|反感|害怕|怕|禁止|避开|跳过|忌口|雷点|受不了|排除|屏蔽|拉黑|不吃|不穿|mamno+3\w*|tekrah|t5af)(?![\w'])"
)
_LIKED = re.compile(
    r"(?<![\w'])(?:love\w*|like\w*|enjoy\w*|adore\w*|prefer\w*|fan of|fine with|ok with|okay with|want\w*"
    r"|wear\w*|eat\w*|drink\w*"
    r"|любишь|любите|обожаешь|обожаете|нравится|нравятся|ешь|едите|носишь|носите|предпочитаешь"
    r"|предпочитаете|пьешь|пьете"
    r"|ت?تحب\w*|بتحب\w*|تاكل\w*|بتاكل\w*|تلبس\w*|بتلبس\w*|يعجبك|تفضل\w*|喜欢\w*|爱|爱吃|爱穿|想要|穿|吃|喝|偏爱|b?t?[ae]?7[ie]b\w*|t[ae]kol"
    r"|b?telbas|b?talbas)(?![\w'])"
)


@dataclass(frozen=True, slots=True)
class Claim:
    """What one sentence says of one fact: `polarity` 1 claims it, -1 says the opposite, 0 only names it."""

    fact: KnownFact
    polarity: int
    form: Form
    is_negative: bool
    """Whether the sentence says it in the negative ("You can't eat peanuts"): a bare "no" is ambiguous then."""
    is_denial: bool = False
    """Whether it denies the relation itself ("you're not allergic to nuts"), not only says something near."""


@dataclass(frozen=True, slots=True)
class AssistantClaims:
    """What an assistant's message says of known facts, and what its end asks."""

    claims: tuple[Claim, ...] = ()
    ends_with_question: bool = False
    """Whether it ends with a question that is no tag: a bare yes or no answers that one."""
    closing: tuple[Claim, ...] = ()
    """What the last sentence says."""
    has_text: bool = False

    def list_asserted(self) -> list[KnownFact]:
        """The facts that it claims, once each."""
        return _once(claim.fact for claim in self.claims if claim.polarity > 0 and claim.form != "question")

    def list_named(self) -> list[KnownFact]:
        """All facts that it names of the player, asked about or denied ones, too."""
        return _once(claim.fact for claim in self.claims)


def read_claims(text: str, facts: Sequence[KnownFact], concepts: ConceptTable) -> AssistantClaims:
    """What an assistant's message, as typed, says of the known facts; its last sentences are read."""
    folded = fold(text[-_READ_FROM_THE_END:])
    sentences = [match[0] for match in _SENTENCE.finditer(folded) if match[0].strip(" \t.!?؟…)\"'")]
    sentences = sentences[-_MAX_SENTENCES:]
    claims: list[Claim] = []
    closing: list[Claim] = []
    for sentence in sentences:
        closing = _read_sentence(sentence, facts, concepts)
        claims += closing
    last = sentences[-1] if sentences else ""
    return AssistantClaims(tuple(claims), _get_form(last) == "question", tuple(closing), bool(sentences))


def _read_sentence(sentence: str, facts: Sequence[KnownFact], concepts: ConceptTable) -> list[Claim]:
    is_about_player = _YOU.search(sentence) or _NOTED.search(sentence)
    form = _get_form(sentence)
    if not is_about_player and form != "question":
        return []
    stemmed = stem_text(sentence)
    claims = []
    for fact in facts:
        spans = find_mentions(stemmed, fact, concepts)
        if spans:
            clause = _find_clause(sentence, spans[0], fact)
            is_negative = _NEGATION.search(TAG.sub("", clause)) is not None
            polarity = _get_polarity(clause, fact, is_negative=is_negative) if is_about_player else 0
            is_denial = polarity < 0 and _names_relation(fact, clause)
            claims.append(Claim(fact, polarity, form, is_negative, is_denial))
    return claims


def _get_form(sentence: str) -> Form:
    if not sentence.rstrip(" )\"'»").endswith(("?", "؟")):
        return "statement"
    return "tag" if TAG.search(sentence) else "question"


def _find_clause(sentence: str, span: Span, fact: KnownFact) -> str:
    """The clause that names the thing, where it says something of it; else the whole sentence."""
    for part in split_sentences(sentence):
        for start, end in part.clauses:
            if start <= span[0] < end:
                clause = sentence[start:end]
                says = _YOU.search(clause) or _names_relation(fact, clause)
                return clause if says or FACT_TYPES[fact.type].correction in _STATED_PLAINLY else sentence
    return sentence


def _get_polarity(text: str, fact: KnownFact, *, is_negative: bool) -> int:
    if FACT_TYPES[fact.type].correction in _STATED_PLAINLY:
        return -1 if is_negative and fact.type != "budget" else 1
    if fact.type in WISH_TYPES:
        return 1 if _WISH_TOLD.search(text) and not is_negative else 0
    if FACT_TYPES[fact.type].correction == "taste":
        return (-1 if is_negative else 1) if _LIKED.search(text) else 0
    if _names_relation(fact, text):
        return -1 if is_negative and not _BANNED.search(text) and fact.type == "allergy" else 1
    if is_negative:
        return 1
    if _LIKED.search(text):
        return -1
    return 1 if _NOTED.search(text) and fact.type in PROTECTED_TYPES and _asserts_care(text) else 0


def _names_relation(fact: KnownFact, text: str) -> bool:
    return (_INTOLERANT if fact.type == "allergy" else _BANNED).search(text) is not None


def _asserts_care(text: str) -> bool:
    return _CARE.search(text) is not None


_WISH_TOLD = re.compile(
    r"(?<![\w'])(?:(?:call|address) you|(?:speak|talk|write|answer|reply) (?:to you )?(?:in|short|brief)\w*"
    r"|keep \w+ (?:short|brief)|you (?:asked|wanted|want|like|prefer)(?:ed)? (?:me|it|to)|as you (?:asked|wished|like)"
    r"|(?:зову|называю|обращаюсь к) (?:тебя|тебе|вас|вам)|(?:ты просил|вы просили|как ты просил)\w*"
    r"|(?:пишу|отвечаю|говорю) \w+|اناديك|بناديك|اسميك|طلبت (?:مني|ان)|زي ما طلبت|anadik|banadik|zay ma talabt)(?!\w)"
)
"""What an assistant says of a wish that it keeps; the name alone is no claim: "Captain, you have three potions"."""
_CARE = re.compile(
    r"(?<![\w'])(?:banned|skipped|left out|careful|hiding|под запретом|убра\w+|исключ\w+|осторожно"
    r"|ممنوع\w*|mamno+3\w*)(?![\w'])"
)


def _once(facts: Iterable[KnownFact]) -> list[KnownFact]:
    return list(dict.fromkeys(facts))
