"""What a bare answer says: the assistant's question before it gives the type, the answer gives the values."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from factcheck.core.instant.answer_numbers import list_sizes, read_amount, read_height, read_sizes, read_weight
from factcheck.core.instant.arabizi import is_arabizi
from factcheck.core.instant.concepts import ConceptTable
from factcheck.core.instant.listing import ListedValue, Token, list_mentions, read_list, split_tokens
from factcheck.core.instant.messages import fold
from factcheck.core.instant.words import read_words

MAX_ANSWER_LENGTH = 200
_MAX_QUESTION_LENGTH = 600
_MAX_WORDS = 30
_OPENERS = read_words("answer_openers")
_REFUSALS = read_words("answer_refusals")

_ASKS = {
    "allergy": re.compile(
        r"allerg|intoleran|sensitiv|makes? you (?:ill|sick)|can'?t (?:you )?eat|not eat|аллерг|непереносим|плохо от"
        r"|нельзя есть|противопоказ|не перенос|حساسي|تحسس|[7h]as+a+s[eiy]|t[7h]as|تحمل|بيتعبك|ما تناسبك|يتعبك|ادويه"
        r"|medication"
    ),
    "hard_ban": re.compile(
        r"(?<!\w)(?:lines?|veils?|limits?|off[ -]limits|avoid|leave out|left out|exclude|keep out|never (?:wear|want"
        r"|eat)|"
        r"triggers?|no-?gos?|hard no'?s?|boundar\w+|don'?t (?:want|wear|eat|like to)|dislike|ban(?:ned|s)?|taboo"
        r"|phobias?|"
        r"uncomfortable|skip)(?!\w)"
        r"|границ|линии|линий|триггер|табу|запретн|исключ|не трога|не должно|не носи|не ешь|не едите|не хоте|избега"
        r"|вуал|фоби|"
        r"не предлага|без чего"
        r"|(?:ما|مش|مو) ?ب?ت(?:لبس|اكل|حب|بي|بغ|ريد|شوف|شرب|طيق|تحمل)|مواضيع|خامات|اقمش|ما بد(?:ك|كم)|مخاوف|تخاف"
        r"|محظور|ما تبي|لا تريد|ما بدك|خطوط|تخوف|ممنوع|تتجنب|نتجنب|ما تحب|ما تلبس|ما تاكل|استبعد|حدود"
        r"|(?<!\w)(?:m[aeiou]+(?:sh)?|msh|mo) ?b?[ie]?t[ei]?(?:lb|2?[aeo]kl|7eb|7ib|b[8g]|reed|shoof|shuf|shrab)"
        r"|maw+a[d9]'?[ie]+3"
        r"|(?<!\w)ma (?:bd|bed|bid)+[ae]?k|(?:5|kh)[ou]+to+[6t]"
        r"|mamnoo?3|ma tabi|ma t7eb|ma ti7ib|ma beddak|7odood|tetganeb|titjanab|bt5awf|t5awfak"
    ),
    "shoe_size": re.compile(
        r"shoe|sneaker|boots?|foot size|feet|обув|размер ног|размер стоп|кросс|туф|حذاء|جزم|شوز|رجل|كوتش|صندل|rijl"
        r"|regl|shooz|jazm|gazm"
    ),
    "height_cm": re.compile(r"how tall|height|рост|طولك|طول|6oolak|toolak|6olek"),
    "weight_kg": re.compile(r"weigh|вес|весите|вешь|وزن|wazn"),
    "size": re.compile(r"size|размер|مقاس|قياس|سايز|ma2as|magas|maqas|2yas|2iyas|8yas|siz"),
    "budget": re.compile(
        r"spend|budget|how much (?:can|do|are|would)|price range|afford|бюджет|потратить|сколько (?:готов|может"
        r"|план)|по деньгам|"
        r"ميزاني|تصرف|تدفع|تحط|بجت|كم معك|mizani|mezani|tesrif|tisrif|tdfa3|budjet"
    ),
    "life_event": re.compile(
        r"occasion|event|coming up|celebrat|plans?(?!\w)|horizon|happening|special|праздник|событи|повод|важн"
        r"|дат[аы]|планиру|намечает"
        r"|مناسب|قادم|قريب|حدث|خطط|munasab|monasb|7adath|event"
    ),
}
_NUMBER_TYPES = ("shoe_size", "height_cm", "weight_kg", "size")
_CURRENCY_OF_QUESTION = re.compile(
    r"(?<!\w)(aed|dirhams?|eur|euros?|usd|dollars?|gbp|pounds?|quid|sar|riyals?|рубл\w*|руб|евро|доллар\w*|тенге"
    r"|درهم|ريال|جنيه|دينار|دولار|يورو|"
    r"[$€£₽])(?!\w)"
)
_ORDINALS = {
    word: place
    for place, name in {0: "first", 1: "second", 2: "third", 3: "fourth", -1: "last", -2: "middle"}.items()
    for word in read_words(f"ordinal_{name}")
}
_MIDDLE = -2
_LISTS = re.compile(r"[,،+/&\n]|(?<!\w)(?:and|n|и|или|or|او)(?!\w)")
"""What shows that an answer of unknown things is a list of them."""
_BOTH = re.compile(
    r"(?<!\w)(?:both|all(?: of them| three)?|оба|обе|все(?: три)?|كلهم|كلها|الثنتين|الاثنين|kolhom|itnein)(?!\w)"
)
_YES = re.compile(
    r"\W*(?:yes|yeah|yep|yup|correct|right|exactly|true|да|ага|угу|верно|точно|есть|نعم|اي|ايوه|ايوا|صح|aywa|aiwa|eh"
    r"|ee|na3am|akeed)"
    r"(?:[\s,.!]+(?:i am|i do|very|sadly|unfortunately|please|очень|к сожалению|увы|للاسف|sir|it is))*\W*"
)


@dataclass(frozen=True, slots=True)
class Answer:
    """One value of an answer: what it is of, and where it stands in the folded answer."""

    type: str
    key: str
    value: str
    start: int
    end: int


def detect_asked(previous: str) -> tuple[str, ...]:
    """What an assistant's message asks its reader for: fact types, for body parameters their keys; none if nothing."""
    text = fold(previous[-_MAX_QUESTION_LENGTH:])
    question = _find_question(text)
    if not question:
        return ()
    asked = [name for name, expression in _ASKS.items() if expression.search(question)]
    if "allergy" in asked:
        return ("allergy",)
    numbers = [name for name in asked if name in _NUMBER_TYPES]
    if numbers:
        precise = [name for name in numbers if name != "size"]
        return tuple(precise or numbers)
    return tuple(asked[:1])


def may_answer(text: str, *, concepts: ConceptTable) -> bool:
    """Whether a message is short enough to answer a question and names something that answers one."""
    if len(text) > MAX_ANSWER_LENGTH:
        return False
    folded, table = fold(text), concepts
    words = [word for word, _, _ in split_tokens(folded, 0, len(folded)) if word[0].isalnum()]
    if not words or len(words) > _MAX_WORDS:
        return False
    if any(word in _ORDINALS or word[0].isdigit() for word in words) or _YES.fullmatch(folded):
        return True
    if list(list_sizes(folded)):
        return True
    return any(
        list_mentions(folded, 0, len(folded), table, use, arabizi=is_arabizi(folded)) for use in ("allergy", "hard_ban")
    ) or bool(table.find_all(folded, "event"))


def read_answer(folded: str, previous: str, table: ConceptTable) -> list[Answer]:
    """The values of a short message that answers an assistant's question; none where it says no or something else."""
    asked = detect_asked(previous)
    if not asked or len(folded) > MAX_ANSWER_LENGTH or folded.rstrip().endswith(("?", "؟")):
        return []
    start = _skip_openers(folded)
    if start < 0:
        return []
    question = _find_question(fold(previous[-_MAX_QUESTION_LENGTH:]))
    if asked[0] in ("allergy", "hard_ban"):
        return list(_read_things(folded, start, asked[0], question, table))
    if asked[0] == "budget":
        return list(_read_budget(folded, start, question))
    if asked[0] == "life_event":
        return []
    return list(_read_body(folded, start, asked, question))


def says_nothing(folded: str) -> bool:
    """Whether an answer begins by saying that there is nothing to tell."""
    return _skip_openers(folded) < 0


def _find_question(text: str) -> str:
    """The last question with what is listed behind it; an instruction ("List your lines …") where nothing is asked."""
    marks = [match.start() for match in re.finditer(r"[?؟]", text)]
    if not marks:
        return (
            text
            if re.search(
                r"(?<!\w)(?:list|tell me|name|pick|choose|назови|перечисли|выбери|напиши|اختر|اذكر|قل لي|اكتب)", text
            )
            else ""
        )
    begin = max(text.rfind(mark, 0, marks[-1]) for mark in ("? ", "؟ ", ". ", "! ", "\n"))
    sentence = text[begin + 1 :]
    if any(expression.search(sentence) for expression in _ASKS.values()):
        return sentence
    return text


def _skip_openers(folded: str) -> int:
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
    """Where the exception begins that a no is followed by ("no, just milk", "لا، بس حليب"); 0 without one."""
    while index < len(tokens) and not tokens[index][0][0].isalnum():
        index += 1
    if index >= len(tokens) or tokens[index][0] not in _BUT:
        return 0
    rest = [word for word, _, _ in tokens[index + 1 :] if word[0].isalnum()]
    return tokens[index + 1][1] if rest and len(rest) <= _MAX_WORDS_OF_EXCEPTION else 0


_BUT = read_words("answer_buts")
_MAX_WORDS_OF_EXCEPTION = 4
"""A longer sentence behind "no, but" says something else: "no, but my sister can't eat nuts"."""
_BAN_OPENERS = frozenset({"no", "без", "не", "никаких", "بدون", "ولا", "لا"})
_NOTHING = read_words("answer_refusals_after_no")


def _read_things(folded: str, start: int, use: str, question: str, table: ConceptTable) -> Iterator[Answer]:
    mentions = [
        value
        for value in list_mentions(folded, start, len(folded), table, use, arabizi=is_arabizi(folded))
        if not _is_excepted(folded, value, use)
    ]
    if not mentions:
        chosen = _choose(folded, list_mentions(question, 0, len(question), table, use))
        if chosen or _YES.fullmatch(folded):
            named = list_mentions(question, 0, len(question), table, use)
            for option in chosen or (named if len(named) == 1 else []):
                yield Answer(use, option.key, option.value, start, len(folded.rstrip()))
            return
    listed = read_list(folded, start, table, use, phrases=True, column=True)
    listed = listed if mentions or _LISTS.search(folded) else []
    unknown = [each for each in listed if not each.is_known and (not mentions or each.start > start)]
    unknown = [each for each in unknown if _REFUSALS.isdisjoint(each.value.split())]
    unknown = [
        each for each in unknown if not any(known.start < each.end and each.start < known.end for known in mentions)
    ]
    for value in sorted([*mentions, *unknown], key=lambda each: each.start):
        yield Answer(use, value.key, value.value, value.start, value.end)


def _is_excepted(folded: str, value: ListedValue, use: str) -> bool:
    if use == "hard_ban":
        return False
    words = [word for word, _, _ in split_tokens(folded, max(0, value.start - 20), value.start)]
    return bool(words) and words[-1] in ("not", "no", "except", "но", "не", "кроме", "مو", "مش", "غير")


def _choose(folded: str, options: list[ListedValue]) -> list[ListedValue]:
    """The options that an answer picks by place: "the last", "второй", "الأولى والثالثة", "both"."""
    if len(options) < 2:
        return []
    if _BOTH.search(folded):
        return options
    chosen: list[ListedValue] = []
    for word, _, _ in split_tokens(folded, 0, len(folded)):
        bare = word[1:] if word.startswith("و") and word not in _ORDINALS else word
        place = _ORDINALS.get(bare)
        if place is None and re.fullmatch(r"[1-9]", bare):
            place = int(bare) - 1
        if place is None:
            continue
        index = len(options) // 2 if place == _MIDDLE else place
        if -len(options) <= index < len(options) and options[index] not in chosen:
            chosen.append(options[index])
    return chosen


def _read_budget(folded: str, start: int, question: str) -> Iterator[Answer]:
    currency = _CURRENCY_OF_QUESTION.search(question)
    amount = read_amount(folded[start:], currency[1] if currency else "")
    if amount is not None:
        yield Answer("budget", "general", amount, start, len(folded.rstrip()))


def _read_body(folded: str, start: int, asked: tuple[str, ...], question: str) -> Iterator[Answer]:
    end = len(folded.rstrip())
    text = folded[start:]
    height = read_height(text) if "height_cm" in asked else None
    if height is not None:
        yield Answer("body_params", "height_cm", height, start, end)
    if "weight_kg" in asked:
        weight = read_weight(text, after_height=height is not None)
        if weight is not None:
            yield Answer("body_params", "weight_kg", weight, start, end)
    if "shoe_size" in asked or "size" in asked:
        key = "shoe_size" if "shoe_size" in asked else "size"
        options = list_sizes(question)
        places = [ListedValue(size, size, 0, 0, is_known=True) for size in options]
        chosen = _choose(folded, places) if not read_sizes(text, key) else []
        for size in [option.value for option in chosen] or read_sizes(text, key)[:1]:
            yield Answer("body_params", key, size, start, end)
