"""What a bare answer says: the assistant's question before it gives the type, the answer gives the values."""

from __future__ import annotations

import re
from collections.abc import Iterator

from factcheck.instant.core.answer_choices import BOTH, ORDINALS, Answer, choose_options
from factcheck.instant.core.answer_numbers import list_sizes
from factcheck.instant.core.answered_numbers import DIGIT, NOT_NUMBER, read_body, read_budget, read_measure, read_row
from factcheck.instant.core.arabizi import is_arabizi
from factcheck.instant.core.assistant_claims import read_claims
from factcheck.instant.core.concepts import ConceptTable, make_key
from factcheck.instant.core.known_facts import KnownFact
from factcheck.instant.core.messages import fold
from factcheck.instant.core.phrases import name_thing
from factcheck.instant.core.questions import (
    NUMBER_KEYS,
    asks_for_three,
    asks_objection,
    is_lasting_no,
    is_permission,
    is_yes,
    list_asked,
    list_asked_measures,
)
from factcheck.instant.core.reader_words import compile_phrases
from factcheck.instant.core.said_yes import AGAINST, NO_LONGER, SPOKEN_TO, skip_yes
from factcheck.instant.core.subjects import detect_subject
from factcheck.instant.core.value_lists import (
    ListedValue,
    Token,
    list_mentions,
    list_words,
    read_list,
    split_tokens,
)
from factcheck.instant.core.words import read_words
from knowledge.facts.core.types import THING_TYPES

MAX_ANSWER_LENGTH = 200
_BUST_WAIST_HIPS = ("chest", "waist", "hips")
_MAX_WORDS = 30
_OPENERS = read_words("answer_openers")
_REFUSALS = read_words("answer_refusals")
_DEFERRALS = read_words("deferrals")
NEGATIONS = read_words("negated_checks")
REMOVES = re.compile(
    r"(?<!\w)(?:(?:remove|delete|erase|drop|lift|cancel|forget|clear)\b.{0,40}(?:allerg|ban|limit|rule|reminder"
    r"|wish|note)"
    r"|stop avoiding|used to|(?:is|was) (?:your|the) [\w ]{1,30}(?:over|cancelled|canceled)|(?:you )?passed your"
    r"|cancel your|(?:удал|убра|убер|снят|сним|отмен)\w*.{0,40}(?:аллерг|запрет|огранич|лимит|напомин)"
    r"|перестать избегать"
    r"|раньше (?:был|у)|уже прошел|уже прошла|(?:احذف|امسح|الغي|ارفع|شيل)\w*.{0,40}(?:حساسي|منع|حظر|تذكير)|كان عندك"
    r"|كنت تتحسس|(?:删除|取消|解除|去掉).{0,12}(?:过敏|忌口|禁|提醒)|以前|结束 ?了)"
)
"""What a question takes away or says to be over: a yes to it states nothing."""
ASKS_WHETHER_NONE = re.compile(r"[^,،\s]\s+нет\s*\?\s*$")
"""«Аллергии нет?» asks whether there is none; behind a comma it is a tag."""
_TAKEN_BACK = compile_phrases("answers", "yes_taken_back")
NO_CHECK = compile_phrases("answers", "no_check")
"""What makes a question no check: supposed, told about, on offer."""
_SAYS_NO_THING = _REFUSALS | _DEFERRALS
_OPTION_MARK = re.compile(r"(?<!\w)(?:[1-9]|[a-d]|[а-г])[).:]\s*")
_MIN_OPTIONS = 2
_MAX_WORDS_OF_SUBJECT = 3
_MAX_WORDS_OF_OPTION = 3
_MAX_WORDS_OF_BARE_THING = 3
_MAX_WORDS_OF_LIST = 12
_NO_THINGS = frozenset().union(*map(read_words, ("tail", "answer_yes", "answer_no_things", "borders", "deferrals")))
"""Words of a short answer that names no thing: "not sure yet", «потом скажу», «секунду»."""
_SAYS_NO = _REFUSALS | read_words("said_wrongly")
_CLAUSE_END = re.compile(r"[.,!?;:()\n،؛؟]|\s[-–—]+\s")
_MAX_WORDS_TO_NO = 1
"""Behind a thing: farther a no is of something else."""
_MAX_WORDS_BEFORE_NUMBER = 4
"""Behind a no: more of them say something else before the number."""
_EXCEPTING = frozenset({"not", "no", "except", "но", "не", "кроме", "مو", "مش", "غير", "不", "除了", "不是"})
_MAX_WORDS_BEHIND_EXCEPT = 2
"""An article may stand between: "not the milk"."""
_RELATION = re.compile(
    r"(?:an? |actual |real |full-?on )*(?:allerg|intoleran)|реагиру|يهيج"
    r"|(?:это )?(?:аллерги|непереносимост)|(?:ال)?حساسي|[h7]as+a+s"
    r"|(?:是 ?)?(?:真 ?)?过敏|(?:乳糖 ?)?不耐"
)
_LIKED = compile_phrases("answers", "liked")
_TOLERATED = compile_phrases("answers", "tolerated")
_OPTION_OF_OTHERS = re.compile(
    r"(?:first|second|former|latter|last)(?: one)?(?:'s| is|,)? (?:my|his|her) (?:son|daughter|wife|husband"
    r"|brother|sister|mom|dad|kid)"
    r"|(?:первое|второе|первый|второй|последнее) у (?!меня)|(?:الاول|التاني|الثاني|الاولي|التانيه"
    r"|الثانيه) (?:ابني|بنتي|اختي|اخوي|زوجي)"
    r"|(?:前者|后者) ?是 ?我 ?(?:儿子|女儿|老婆|老公|妈|爸)"
)
"""The option is somebody else's: "the latter, my son"."""
_HARMLESS = re.compile(
    r"(?:first|second|former|latter|last)(?: one)? (?:is|was) (?:ok|okay|fine|cute|no problem|safe)"
    r"|isn'?t a problem|can eat"
    r"|(?:первый|второй|первое|второе|последнее) (?:я )?(?:ем|пью)|(?:الاول|التاني|الثاني)(?:ه)? (?:باكله?|عادي)"
    r"|(?:前者|后者) ?可以"
)
"""Of an option: it does no harm."""
_LISTS = re.compile(r"[,،+/&\n]|(?<!\w)(?:and|n|и|или|or|او|和|跟|还有|以及|或)(?!\w)")
"""What shows that an answer of unknown things is a list of them."""


def may_answer(text: str, *, concepts: ConceptTable) -> bool:
    """Whether a message is short enough to answer a question and names something that answers one."""
    if len(text) > MAX_ANSWER_LENGTH:
        return False
    folded, table = fold(text), concepts
    words = list_words(folded)
    if not words or len(words) > _MAX_WORDS:
        return False
    if any(word in ORDINALS or word[0].isdigit() for word in words):
        return True
    if list(list_sizes(folded)) or is_lasting_no(folded) or skip_yes(folded) or is_yes(folded) or BOTH.search(folded):
        return True
    if _is_bare_thing(folded, 0, "hard_ban") or (len(words) <= _MAX_WORDS_OF_LIST and _LISTS.search(folded)):
        return True
    return any(
        list_mentions(folded, 0, len(folded), table, use, arabizi=is_arabizi(folded)) for use in THING_TYPES
    ) or bool(table.find_all(folded, "event"))


def read_answer(folded: str, question: str, table: ConceptTable) -> list[Answer]:
    """The values of a short answer to a question of `find_question`; none where it says no or something else."""
    asked = list_asked(question)
    measures = list_asked_measures(question)
    row = _read_row(folded, question)
    if row:
        return [Answer("body_params", key, value, 0, len(folded.rstrip())) for key, value in row]
    folded = SPOKEN_TO.sub("", _without_question_back(folded))
    if not folded or len(folded) > MAX_ANSWER_LENGTH:
        return []
    if len(measures) == 1 and measures[0] not in NUMBER_KEYS and asked[:1] in ((), ("size",)):
        return list(read_measure(folded, measures[0]))
    if not asked:
        return []
    if asked[0] == "hard_ban" and is_permission(question):
        return _read_refused_permission(folded, question, table)
    start = skip_openers(folded)
    start = max(start, skip_yes(folded)) if start >= 0 else start
    if start < 0 and (asked[0] in NUMBER_KEYS or asked[0] == "budget") and DIGIT.search(question):
        start = _find_number_instead(folded)
    if start < 0:
        return []
    if asked[0] == "allergy" and _begins_with_others(folded, start):
        return []
    if asked[0] in THING_TYPES:
        return list(_read_things(folded, start, asked[0], question, table))
    if asked[0] == "budget":
        return list(read_budget(folded, start, question))
    if asked[0] == "life_event":
        return []
    return list(read_body(folded, start, asked, question))


def is_row(folded: str, question: str) -> bool:
    """Whether an answer begins with the measures that a question names, in their order: "42 / 36"."""
    return bool(_read_row(folded, question))


def _read_row(folded: str, question: str) -> list[tuple[str, str]]:
    measures = list_asked_measures(question)
    in_row = _BUST_WAIST_HIPS if len(measures) <= 1 and asks_for_three(question) else measures
    return read_row(folded, in_row) if list_asked(question)[:1] != ("budget",) else []


def is_taken_back(folded: str) -> bool:
    """Whether an answer takes its yes back or does not mean it: "yeah, right", «ага, щас», 是才怪."""
    return _TAKEN_BACK.search(" ".join(list_words(folded))) is not None


def _without_question_back(folded: str) -> str:
    """An answer without what it asks at its end: "no, 52. where did you get 48 from?"; empty where it only asks."""
    said = folded.rstrip()
    if not said.endswith(("?", "؟")):
        return folded
    return said[: max(said.rfind(mark) for mark in (". ", "! ", "; ", "\n")) + 1]


def _find_number_instead(folded: str) -> int:
    """Where the number begins that a no is followed by: "You're a 41, right?" – "no, 40"; -1 without one."""
    meant = NOT_NUMBER.sub(lambda match: " " * len(match[0]), folded)
    number = DIGIT.search(meant)
    words = list_words(meant[: number.start()]) if number else []
    return number.start() if number and len(words) <= _MAX_WORDS_BEFORE_NUMBER else -1


def _begins_with_others(folded: str, start: int) -> bool:
    """Whether the first words of an answer name somebody else: "my sister is, to nuts"."""
    words = split_tokens(folded, start, len(folded))[:_MAX_WORDS_OF_SUBJECT]
    return bool(words) and detect_subject(folded, start, words[-1][2], words[-1][2]) == "other"


def _read_refused_permission(folded: str, question: str, table: ConceptTable) -> list[Answer]:
    """The one thing that a question asks leave for, where the answer is a no for good: "May I show spiders?" –
    "never".
    """
    named = list_mentions(question, 0, len(question), table, "hard_ban", arabizi=is_arabizi(question))
    if len(named) != 1 or asks_objection(question) or not is_lasting_no(folded):
        return []
    return [Answer("hard_ban", named[0].key, named[0].value, 0, len(folded.rstrip()))]


def says_nothing(folded: str) -> bool:
    """Whether an answer begins by saying that there is nothing to tell."""
    return skip_openers(folded) < 0


def skip_openers(folded: str) -> int:
    """Where an answer begins behind "well, yes …"; -1 where it says no."""
    tokens = split_tokens(folded, 0, len(folded))
    index = 0
    while index < len(tokens) and (tokens[index][0] in _OPENERS or not tokens[index][0][0].isalnum()):
        index += 1
    if index >= len(tokens):
        return 0
    word = tokens[index][0]
    if word in _REFUSALS:
        follows = tokens[index + 1][0] if index + 1 < len(tokens) else ""
        behind = _skip_but(tokens, index + 1)
        if behind:
            return behind
        is_ban_list = word in _BAN_OPENERS and follows and follows[0].isalnum() and follows not in _REFUSALS
        return tokens[index][1] if is_ban_list and follows not in _NOTHING else -1
    return tokens[index][1]


def _skip_but(tokens: list[Token], index: int) -> int:
    """Where the exception begins that a no is followed by ("no, just milk", "لا الحمد لله، بس حليب"); 0 without one."""
    while index < len(tokens) and (not tokens[index][0][0].isalnum() or tokens[index][0] in _NOTHING):
        index += 1
    if index >= len(tokens) or tokens[index][0] not in _BUT:
        return 0
    rest = [word for word, _, _ in tokens[index + 1 :] if word[0].isalnum()]
    return tokens[index + 1][1] if rest and len(rest) <= _MAX_WORDS_OF_EXCEPTION else 0


_BUT = read_words("answer_buts")
_MAX_WORDS_OF_EXCEPTION = 4
"""A longer sentence behind "no, but" says something else: "no, but my sister can't eat nuts"."""
_BAN_OPENERS = frozenset({"no", "без", "не", "никаких", "بدون", "ولا", "لا", "不", "不要", "别"})
_NOTHING = read_words("answer_refusals_after_no")


def _read_things(folded: str, start: int, use: str, question: str, table: ConceptTable) -> Iterator[Answer]:
    first = split_tokens(folded, start, len(folded))[:1]
    if (first and first[0][0] in _DEFERRALS) or (use == "hard_ban" and _TOLERATED.search(folded)):
        return
    arabizi = is_arabizi(folded)
    named = list_mentions(folded, start, len(folded), table, use, arabizi=arabizi)
    refused = {value.key for value in named if _is_denied_thing(folded, value, use)}
    mentions = [
        value
        for value in named
        if value.key not in refused
        and not (_is_excepted(folded, value, use) or _is_of_another(folded, value, use) or _is_liked(folded, value))
    ]
    if not mentions:
        chosen = _read_reply_to_options(folded, use, question, table)
        if chosen is not None:
            for option in chosen:
                yield Answer(use, option.key, option.value, start, len(folded.rstrip()))
            return
    listed = read_list(folded, start, table, use, phrases=True, column=True, arabizi=arabizi)
    listed = listed if mentions or _LISTS.search(folded) or _is_bare_thing(folded, start, use) else []
    unknown = [each for each in listed if not each.is_known and (not mentions or each.start > start)]
    unknown = unknown if NO_LONGER.search(folded) is None else []
    unknown = [each for each in unknown if _SAYS_NO_THING.isdisjoint(_list_words(folded, each))]
    unknown = [
        each for each in unknown if not any(known.start < each.end and each.start < known.end for known in named)
    ]
    for value in sorted([*mentions, *unknown], key=lambda each: each.start):
        yield Answer(use, value.key, value.value, value.start, value.end)


def _is_denied_thing(folded: str, value: ListedValue, use: str) -> bool:
    """Whether an answer names an allergy and says no to it: "cats yes, dogs no", 猫毛没有."""
    end = _CLAUSE_END.search(folded, value.end)
    behind = split_tokens(folded, value.end, end.start() if end else len(folded))[:_MAX_WORDS_TO_NO]
    return use == "allergy" and bool(behind) and behind[0][0] in _SAYS_NO


def _is_liked(folded: str, value: ListedValue) -> bool:
    """Whether the clause of a thing says that it is liked or asked for: "I love nuts", "no, just pass the milk"."""
    first = max(folded.rfind(mark, 0, value.start) for mark in ",،.;!\n") + 1
    return _LIKED.search(folded, first, value.start) is not None


def _is_of_another(folded: str, value: ListedValue, use: str) -> bool:
    """Whether an allergy in an answer is somebody else's: "none, but my son can't have milk"."""
    clause = max(folded.rfind(mark, 0, value.start) for mark in ",،.;\n") + 1
    return use == "allergy" and detect_subject(folded, clause, value.start, value.end) == "other"


def _list_words(folded: str, value: ListedValue) -> list[str]:
    """The words of a value, as it is named and as it was said."""
    return [*value.value.split(), *(word for word, _, _ in split_tokens(folded, value.start, value.end))]


def _read_reply_to_options(folded: str, use: str, question: str, table: ConceptTable) -> list[ListedValue] | None:
    """What of the question an answer accepts without naming it: by place, all of it, yes; None where it says more."""
    options = _list_options(question, use, table)
    if is_taken_back(folded) or _OPTION_OF_OTHERS.search(folded) or (use == "allergy" and _HARMLESS.search(folded)):
        return []
    chosen = choose_options(folded, options)
    if chosen:
        return chosen
    if options and use == "allergy" and _names_relation(folded, start=skip_openers(folded)):
        return options[:1]
    if is_yes(folded) and not _is_past_or_against(folded, question):
        is_check = len(options) == 1 and not is_permission(question) and not _denies(question, options[0], use, table)
        return options if is_check else []
    return None


def _is_past_or_against(folded: str, question: str) -> bool:
    """Whether a yes is of what was so once ("yes, as a kid"), or against a question in the negative ("yes I can")."""
    is_against = not (AGAINST.isdisjoint(list_words(folded)) or NEGATIONS.isdisjoint(list_words(question)))
    return is_against or NO_LONGER.search(folded) is not None


def _names_relation(folded: str, *, start: int) -> bool:
    """Whether an answer begins with the relation itself: "Is the dairy thing an intolerance, or …?" – "intolerance"."""
    return start >= 0 and _RELATION.match(folded, start) is not None


def _denies(question: str, option: ListedValue, use: str, table: ConceptTable) -> bool:
    """Whether a question says the opposite ("You're not allergic to nuts, right?"), or is no check at all."""
    if (
        REMOVES.search(question)
        or ASKS_WHETHER_NONE.search(question)
        or (use != "hard_ban" and NO_CHECK.search(question))
    ):
        return True
    known = KnownFact(0, use, option.key, option.value)
    said = {claim.polarity for claim in read_claims(question, [known], table).claims}
    is_denied = use == "allergy" and 1 not in said and not NEGATIONS.isdisjoint(question.rstrip("?؟ ").split())
    return -1 in said or is_denied


def _list_options(question: str, use: str, table: ConceptTable) -> list[ListedValue]:
    """The things that a question names; of a numbered or lettered list every entry, known or not."""
    places = [match.end() for match in _OPTION_MARK.finditer(question)]
    if len(places) < _MIN_OPTIONS:
        return list_mentions(question, 0, len(question), table, use, arabizi=is_arabizi(question))
    options: list[ListedValue] = []
    for place, following in zip(places, [*places[1:], len(question)], strict=True):
        entry = _OPTION_MARK.sub(" ", question[place:following])
        known = list_mentions(entry, 0, len(entry), table, use, arabizi=is_arabizi(question))
        phrase = " ".join(re.findall(r"[^\W_][\w'-]*", entry)[:_MAX_WORDS_OF_OPTION])
        if known:
            options.append(known[0])
        elif phrase:
            options.append(ListedValue(make_key(phrase), phrase, 0, 0, is_known=False))
    return options


def _is_bare_thing(folded: str, start: int, use: str) -> bool:
    """Whether a short answer is nothing but the name of a thing: "sunflower seeds", «манную кашу»."""
    words = [word for word, _, _ in split_tokens(folded, start, len(folded)) if word[0].isalnum()]
    if not words or len(words) > _MAX_WORDS_OF_BARE_THING:
        return False
    return name_thing(words, use) is not None and not any(word in _NO_THINGS for word in words)


def _is_excepted(folded: str, value: ListedValue, use: str) -> bool:
    if use == "hard_ban":
        return False
    words = [word for word, _, _ in split_tokens(folded, max(0, value.start - 20), value.start)]
    return any(word in _EXCEPTING for word in words[-_MAX_WORDS_BEHIND_EXCEPT:])
