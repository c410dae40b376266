"""What the assistant asks its reader for, and whether a short message says yes or no to it."""

from __future__ import annotations

import re
from collections.abc import Sequence

from factcheck.instant.core.asked_of import is_of_others
from factcheck.instant.core.chinese import allow_spaces
from factcheck.instant.core.measure_labels import list_labels
from factcheck.instant.core.messages import fold
from factcheck.instant.core.reader_words import compile_phrases
from factcheck.instant.core.said_by_reader import say_as_reader
from factcheck.instant.core.value_lists import list_words
from factcheck.instant.core.words import read_words

_WORD = re.compile(r"[^\W_]+")
_MEASURED = read_words("measured_things")
_BUST_WAIST_HIPS = read_words("bust_waist_hips")
_THREE_OF_BODY = read_words("three_of_body")
"""Of those what nothing else has, so that whose they are need not be said."""
READER = read_words("second_person") | read_words("second_person_owner")
"""Words for whom the assistant speaks to."""
_SAID_BEFORE = re.compile(
    r"(?<!\w)(?:is (?:that|it)|(?:to|from|with) (?:that|it|them)|это (?:аллерг|непереносим)|на (?:нее|него|них|это)"
    r"|непереносимость или|(?:هذا|هاي|هي) (?:حساسي|تحسس)|منه|منها)|(?:是|算) ?(?:过敏|乳糖)"
)
"""What in a question stands for what the sentence before it names: "You mentioned dairy. Is that an allergy?"."""
_QUESTION = re.compile(r"[^.!?؟\n]+[?؟]")
_SENTENCE_END = re.compile(r"[!?؟…\n]+|\.(?!\d)")
_NOTED = compile_phrases("answers", "noted")
_MAX_QUESTION_LENGTH = 600
_MAX_WORDS_OF_YES = 9
"""A longer sentence that begins with yes says something else."""
NUMBER_KEYS = frozenset({"shoe_size", "height_cm", "weight_kg", "size"})
"""Of body parameters: what questions ask for."""
_YES = read_words("answer_yes")
_NO = read_words("answer_refusals")
_BUTS = read_words("answer_buts")
_OTHERS = read_words("other_people")
_NO_FOR_GOOD = re.compile(
    r"\W*(?:(?:(?:no|nope|nah|not)[\s,.!]+)+(?:(?:ever|at all)(?=[,.!]|$)|since (?:(?:19|20)\d\d|i was|birth)"
    r"|i'?m (?:an? )?(?:vegan|vegetarian|muslim|jewish|hindu)|i (?:never|don'?t|do not) (?:eat|drink|wear|touch)"
    r"(?: it| that| any| them)?(?=[,.!]|$| at all| ever))"
    r"|never (?:ever )?(?:touch|eat|drink|wear)(?: it| that| them| any)?(?=[,.!]|$)"
    r"|(?:(?:нет|не|неа)[\s,.!]+)+(?:никогда|вообще не ем|совсем не ем|с (?:детства|рождения)"
    r"|я (?:веган|вегетариан|мусульман)\w*"
    r"|(?:уже )?\d+ (?:лет|год\w*) не (?:ем|пью|ношу)|не (?:ем|пью|ношу)(?: вообще| совсем| уже .{1,20})?(?=[,.!]|$))"
    r"|(?:لا[\s,.!،]+)+(?:خالص|ابدا|نهائيا|بالمره|(?:انا )?نباتي\w*|حرام|انا مسلم\w*)"
    r"|(?:la2?[\s,.!]+)+(?:abadan|khales|5ales|(?:ana )?(?:nabat\w*|vegan)|7aram)"
    r"|(?:不[\s,.!，]*)?(?:我 ?)?(?:从来 ?不|从小 ?不|吃素|是 ?素食))"
)
"""A no with what makes it last."""
_MINDS = re.compile(r"(?<!\w)(?:mind|against|object|objections?|против|مانع|mane3)(?!\w)|介 ?意|反 ?对")
"""Of a question to which no gives leave."""
_SPENDING = re.compile(
    r"(?<!\w)(?:spend\w*|budget|price|afford|pay|cost|money|limit|cap|under|up to"
    r"|below|лимит|потолок|бюджет\w*|потрат\w*|тратить|цен\w*|денег|деньг\w*|сумм\w*"
    r"|ميزاني\w*|تصرف|تدفع|بجت|سعر|(?:ال)?مبلغ|فلوس|mabla[8g]h?\w*|mi?e?zani\w*|tesrif|tisrif"
    r"|tdfa3|tedfa3|bud[gj]et)(?!\w)"
    + allow_spaces("|预算|金额|数额|花多少|价格|价位|多少钱|消费|花费|花销|打算花|愿意花")
)
_ALLERGY = re.compile(
    r"allerg|intoleran|sensitiv|makes? you (?:ill|sick|sneeze|itch|swell|wheeze)|sneeze"
    r"|can'?t (?:you )?(?:eat|have)|not (?:able to )?eat"
    r"|react (?:badly )?to|reactions? to|medication|epi-?pen|аллерг|непереносим|плохо от|реакци|реагиру"
    r"|чиха|чешешь|высыпа|опуха"
    r"|нельзя (?:есть|пить)|противопоказ|не перенос|чего (?:тебе|вам) нельзя|حساسي|تحسس|[7h]a?s+a+s[eiy]|t[7h]as|تحمل"
    r"|بيتعبك|ما تناسبك|ما يناسبك|يتعبك|ادويه|تمنع|ممنوع (?:من|عليك) ?(?:ال)?اكل"
    + allow_spaces("|过敏|不耐受?|不能吃|吃不了|不能碰|药物禁忌|会不舒服|吃了难受")
)
_REFUSED = (
    r"show|includ|describ|mention|bring|suggest|offer|recommend|propos|want|wear|eat|drink|like|see|have|use|add|put"
    r"|say"
    r"|talk|discuss|touch|feature|write|depict|appear|come up|happen|go near|handle|stand|tolerate"
)
_BAN = re.compile(
    r"(?<!\w)(?:lines?|veils?|limits?|off[ -]limits|avoid\w*|leav(?:e|ing) out|left out|exclud\w*|ke(?:ep|pt) out"
    r"|keep away|triggers?|triggering|no-?gos?|hard no'?s?|boundar\w+|dislike\w*|hate|ban(?:ned|s)?|taboo\w*|phobi\w+"
    r"|afraid|scared|fears?|squicks?|uncomfortable|not comfortable|skip|remove|drop|cut|rule out|steer clear|stay away"
    r"|off the table|veto\w*|x-?card|filter|blacklist\w*|block|hide|stop \w+ing|deal-?breakers?|without"
    rf"|(?:never|not|don'?t|doesn'?t|shouldn'?t|can'?t|won'?t|wouldn'?t|mustn'?t"
    rf"|nothing)(?: \w+){{0,4}}? (?:{_REFUSED})\w*"
    r")(?!\w)"
    r"|границ|(?<!\w)лини[иийяюе]|триггер|табу|запре[тщ]|исключ|убрать|убираем|убери|уберем|вычерк|не трога|не должно"
    r"|(?<!\w)не (?:\w+ ){0,3}?(?:показ|предл|включ|встав|добав|опис|упом|трог|нос|еш|ед|есть|хо[тч]|люб"
    r"|пь|пить|бра|брат"
    r"|вид|чит|пис|клад|клас|совет|рекоменд|использ|появ|встреч|быть|было|терп|перенос|играт|говор|затраг|каса)"
    r"|избега|вуал|фоби|(?<!\w)бо(?:ишь|ите)сь|страх|пугает|без чего|нельзя|неприятн|некомфорт|стоп-|скрыв|блокир"
    r"|ненавид|терпеть не|отказ"
    r"|(?:ما|مش|مو|لا) ?(?:\w+ ){0,2}?(?:ب?ت|ب?ن|ا)(?:لبس|اكل|حب|بي|بغ|ريد|شوف|شرب|طيق|تحمل|ذكر|حط|كتب|وصف|عرض|قترح|جيب"
    r"|دخل|ظهر|ستخدم|ضيف)|مواضيع|خامات|اقمش|ما بد(?:ك|كم)|مخاوف|(?:بت|ت)خاف|محظور|ما تبي|لا تريد|خطوط|تخوف|ممنوع"
    r"|تتجنب|نتجنب|اتجنب|نبتعد|ابتعد|تبتعد|استبعد|نستبعد|حدود|(?:ا|ن|ت)شيل|(?:ا|ن|ت)حذف|(?:ا|ن)لغي|(?:ا|ن)ستثني|تكره|بتكره|يزعجك|يضايقك"
    r"|بيضايقك|فوبيا|مرفوض|ترفض|(?:ا|ن)خلي\w* برا|ما (?:لازم|يصير|ينفع)"
    r"|(?<!\w)(?:m[aeiou]+(?:sh)?|msh|mo|la) ?(?:\w+ )?b?[ie]?[tn][ei]?(?:lb|2?[aeo]kl|7eb|7ib|b[8g]|reed"
    r"|shoof|shuf|shrab"
    r"|7o[t6]|ktob|wsef|zkor|jeeb|geeb)"
    r"|maw+a[d9]'?[ie]+3|(?<!\w)ma (?:bd|bed|bid)+[ae]?k|(?:5|kh)[ou]+to+[6t]|mamnoo?3|ma tabi|ma t7eb"
    r"|ma ti7ib|ma beddak"
    r"|7odood|te?tganeb|titjanab|bt5a+f|t5awf|(?<!\w)[an]?sheel|(?<!\w)[an]?a?7[dz]e?f|ma la+zem|ma lazim"
    r"|tekrah|btekrah"
    r"|bi?y?[dt]h?ay2ak|yz3ejak|fobia|phobia"
    + allow_spaces(
        "|忌口|底线|雷点|雷区|禁忌|避开|避免|避雷|忌讳|排除|屏蔽|跳过|红线|界限|敏感话题|不想|不要|不喜欢|讨厌|害怕"
        "|怕什么|接受不了"
        "|不能接受|受不了|反感|不吃|不穿|不喝|不推荐|不出现|不希望|不愿意|恐惧|不该|拉黑|介意"
        "|不 ?(?:再 ?)?(?:给|向) ?[您你] ?(?:推荐|展示|看|提|推)"
    )
)
_ASKS = {
    "allergy": _ALLERGY,
    "hard_ban": _BAN,
    "shoe_size": re.compile(
        r"shoe|sneaker|boots?|foot size|feet|обув|размер ног|размер стоп|кросс|туф|حذا[ءئي]|جزم|شوز|رجل|كوتش|صندل|صباط"
        r"|rijl|regl|shooz|jazm|gazm|鞋|脚"
    ),
    "height_cm": re.compile(r"how tall|height|(?<!\w)рост|طولك|طول|6oolak|toolak|6olek|身高|多 ?高|个子"),
    "weight_kg": re.compile(r"weigh|(?<!\w)(?:вес(?:а|у|ом|ить|ите|ишь)?|вешу)(?!\w)|وزن|wazn|体重|多 ?重"),
    "size": re.compile(
        r"size|(?:wear|take) an? \d"
        r"|размер|مقاس|قياس|سايز|ma2as|magas|maqas|2yas|2iyas|8yas|siz|尺码|尺寸|(?<![密号代扫验编])码"
        r"|几 ?号|号 ?的"
    ),
    "budget": re.compile(
        r"spend|budget|(?:the|your) (?:ceiling|limit|max(?:imum)?|cap)(?!\w)"
        r"|how much (?:can|do|are|would|money)|price (?:range|limit|cap|ceiling|point)|spending"
        r"|(?:under|up to|below|limit|cap) [$€£₽]?\s?\d|\d+ (?:still )?(?:your|the|our) (?:limit|cap|max)"
        r"|лимит|потолок|سقف"
        r"|afford|бюджет|потратить|сколько (?:готов|может"
        r"|план|денег)|по деньгам|на какую сумму|"
        r"ميزاني|تصرف|تدفع|تحط|بجت|كم معك|مبلغ|mizani|mezani|tesrif|tisrif|tdfa3|budjet"
        + allow_spaces("|预算|花多少|多少钱|价位|价格区间|打算花|愿意花|能接受的?价")
    ),
    "life_event": re.compile(
        r"occasion|event|coming up|celebrat|plans?(?!\w)|horizon|happening|special|праздник|событи|повод|важн"
        r"|дат[аы]|планиру|намечает"
        r"|مناسب|قادم|قريب|حدث|خطط|munasab|monasb|7adath|event"
        + allow_spaces("|场合|活动|节日|庆祝|安排|计划|重要的?(?:日子|事)|大事|特别的?(?:日子|事)|最近有什么|要发生")
    ),
}
_LENIENT = re.compile(
    r"(?<!\w)(?:(?:can|may|could|should|shall|is it (?:ok|okay|fine|alright)(?: if| for)?) (?:i|we|me|us|it|there|the)"
    r"(?: to)?(?: \w+){0,2}? (?:show|include|describe|mention|bring|suggest|offer|recommend|propose|use|add|put|talk"
    r"|feature|write|have|be)"
    r"|(?:ok|okay|cool|fine|comfortable|alright|good) (?:with|to)|do you (?:mind|eat|drink|wear|like|enjoy)"
    r"|можно (?:ли )?(?:\w+ ){0,2}?(?:показ|включ|встав|добав|опис|упом|использ|предл)\w*|(?:ты|вы) (?:не )?против"
    r"|нормально относ\w+|(?:ты|вы) (?:ешь|едите|носишь|носите|пьешь|пьете|любишь|любите)"
    r"|(?:ешь|едите|носишь|носите|пьешь|пьете) ли (?:ты|вы)"
    r"|(?:ممكن|اقدر|عادي|يصير|ينفع|تسمح|عندك مانع|هل (?:تاكل|تلبس|تحب|تشرب)|(?:ب?ت)(?:اكل|لبس|حب|شرب)(?:ي|ين)?)"
    r"|(?:momken|mumkin|3adi|3aadi|yseer|b?t[ae]k[oe]?li?|b?telbesi?|b?t7ebb?[ie]?|b?tishrabi?|3endak mane3))(?!\w)"
    + allow_spaces(
        "|(?:我 ?)?(?:可以|能|可不可以|能不能) ?(?:给你 ?)?(?:推荐|展示|写|提|出现|加入|描写|用|放|说|聊)"
        "|(?:你 ?)?(?:介意|吃|喝|穿|喜欢|接受)"
    )
)
"""A question to which yes forbids nothing, and a firm no forbids."""
_NEGATED_PERMISSION = re.compile(
    r"(?<!\w)(?:never|not|n't|avoid|stop|leave|remove|skip|exclude|off|not ok\w*|uncomfortable|не|без|убра\w+|исключ\w+"
    r"|ما|مش|مو|لا|بدون|اشيل|نشيل|استبعد|ma|msh|mish|asheel|nsheel|不|不要|不能|不想|不吃|不穿|别|避开|避免|没|没有"
    r"|排除|去掉)(?!\w)|n't(?!\w)"
)
_INSTRUCTION = re.compile(
    r"(?<!\w)(?:list|tell me|give me|send me|i need|we need|name|pick|choose|share|let me know"
    r"|назов\w+|перечисл\w+|выбер\w+|напиш\w+|расскаж\w+|скаж\w+|подскаж\w+|пришл\w+|укаж\w+"
    r"|اعطني|عطني|عطيني|اختر|اختار|اذكر|قل لي|قولي|اكتب|حدد|عدد لي|2olli|oli|e5tar|ikhtar"
    r"|告诉 ?我|说说|列出|列 ?一下|选 ?一 ?个|选择|讲讲|写下|提供 ?一下|报 ?一下)"
)
_ASKING = re.compile(
    r"(?<!\w)(?:tell|let me know|give|send|share|enter|type|write|name|list|pick|choose|please|pls|need|what|which|how"
    r"|your|any|anything|напиш\w+|скаж\w+|подскаж\w+|назов\w+|укаж\w+|пришл\w+|перечисл\w+|нуж\w+|пожалуйста|ваш\w*"
    r"|тво[йяеи]\w*|как\w*|сколько|что-нибудь|اكتب\w*|قول\w*|قل|عطن?ي\w*|ابعت\w*|ارسل\w*|احتاج|محتاج\w*|شو"
    r"|ايش|كم|اي|فضلك|2ol\w*|2ool\w*|ekteb\w*|eb3at\w*|kam|shu|shou|eh|ay|ayy)(?!\w)"
    r"|告诉|请|说一下|报一下|填|需要|什么|哪|多少|有没有"
)
"""What a question without a mark begins with, or says."""
_FIRM_NO = re.compile(
    r"\W*(?:(?:no|nope|nah|never|absolutely not|definitely not|hell no|god no|please don'?t|please no|not ever|no way"
    r"|no thanks|no thank you|hard no|нет|не|неа|никогда|ни за что|ни в коем случае|лучше не надо|не надо"
    r"|не нужно|нельзя"
    r"|لا|لاا|ابدا|مستحيل|نهائيا|بلاش|لا شكرا|ولا مره|la2?|la2a|abadan|mosta7eel|balash"
    r"|不|不要|不行|不可以|不能|绝对 ?不(?: ?(?:要|行|可以))?|千万 ?(?:不要|别)|别|没门|永远 ?不要|坚决 ?不要?|拒绝"
    r"|不用 ?了?|不了)"
    r"(?:[\s,.!]+(?:never|ever|please|thanks|thank you|at all|not at all|absolutely not|way|not|谢谢|绝对|永远|千万"
    r"|请 ?不要|不要|拜托|真的"
    r"|пожалуйста|никогда|спасибо"
    r"|ни за что|не надо|вообще|точно|ابدا|نهائيا|مستحيل|شكرا|لو سمحت|من فضلك|abadan|please|pls|mosta7eel))*)\W*"
)


def speaks_of_spending(text: str) -> bool:
    """Whether a folded text speaks of money that is spent, of a budget or a limit."""
    return _SPENDING.search(text) is not None


def find_question(previous: str) -> str:
    """The folded last question of a message with what is listed behind it; an instruction where nothing is asked."""
    text = fold(previous[-_MAX_QUESTION_LENGTH:])
    marks = [match.start() for match in re.finditer(r"[?؟]|(?<!\w)吗(?=[\s.!~]*$)", text)]
    if not marks:
        return _find_noted(text) or (text if _INSTRUCTION.search(text) else "")
    begin = _find_begin(text, marks[-1])
    if begin > 0 and _SAID_BEFORE.search(text, begin):
        begin = _find_begin(text, begin)
    sentence = text[begin + 1 :]
    if any(expression.search(sentence) for expression in _ASKS.values()):
        return sentence
    return text


def _find_noted(text: str) -> str:
    """Of the last two sentences of a folded text that which says what number was noted: whoever is told may put it
    right.
    """
    sentences = [each.strip() for each in _SENTENCE_END.split(text) if each.strip()]
    noted = (each for each in sentences[:-3:-1] if _NOTED.search(each) and any(map(str.isdigit, each)))
    return next(noted, "")


def list_questions(previous: str) -> list[str]:
    """The folded questions of a message that ask for different kinds of things, the one of `find_question` last:
    "Any allergies? And what's your budget?".
    """
    last = find_question(previous)
    if not last:
        return []
    text = fold(previous[-_MAX_QUESTION_LENGTH:])
    found = {_get_kind(last): last}
    for sentence in reversed(_QUESTION.findall(text)):
        found.setdefault(_get_kind(sentence), sentence)
    return [question for kind, question in reversed(found.items()) if kind or question == last]


def join_questions(previous: str, questions: Sequence[str] | None = None) -> str:
    """What layers read a message behind: the folded questions that it may answer, if there are several; else the one,
    even without a mark. `questions` are those of `list_questions`, where they are at hand.
    """
    questions = list_questions(previous) if questions is None else questions
    return find_any_question(previous) if len(questions) <= 1 else " ".join(questions)


def _get_kind(question: str) -> str:
    """Whether a question asks for things or for numbers; nothing else is told apart."""
    asked = list_asked(question)
    if not asked:
        return ""
    return "budget" if asked[0] == "budget" else "measure" if asked[0] in NUMBER_KEYS else "thing"


def _find_begin(text: str, end: int) -> int:
    """The place before the sentence that ends there."""
    return max(text.rfind(mark, 0, end) for mark in ("? ", "؟ ", ". ", "! ", "\n"))


def find_any_question(previous: str) -> str:
    """The question of `find_question`, or one without a mark: layers read answers behind both; rules trust the former
    alone.
    """
    return find_question(previous) or _find_unmarked_question(previous)


def _find_unmarked_question(previous: str) -> str:
    """The folded last sentence of a message that asks without a mark ("Sizes for the jacket, please."), or nothing."""
    sentences = [each for each in re.split(r"[.!…。！\n]+", previous[-_MAX_QUESTION_LENGTH:]) if each.strip()]
    last = fold(sentences[-1]).strip() if sentences else ""
    is_asking = _ASKING.search(last) is not None
    return last if is_asking and any(expression.search(last) for expression in _ASKS.values()) else ""


def detect_asked(previous: str) -> tuple[str, ...]:
    """What an assistant's message asks its reader for, as `list_asked` of its question."""
    return list_asked(find_question(previous))


def list_asked(question: str) -> tuple[str, ...]:
    """What a question of `find_question` asks its reader for: fact types, for body parameters their keys; none if
    nothing.

    What somebody else cannot eat, measures or spends is not asked of the reader; their wedding may be.
    """
    if not question:
        return ()
    asked = _list_all_asked(question)
    if asked and asked[0] in NUMBER_KEYS and not _MEASURED.isdisjoint(_WORD.findall(question)):
        return ()
    return asked if asked == ("life_event",) or not is_of_others(question) else ()


def list_asked_measures(question: str) -> tuple[str, ...]:
    """The measures of its reader that a question of `find_question` names, in its order: "Chest, waist and height?"."""
    if not question or is_of_others(question) or not _MEASURED.isdisjoint(_WORD.findall(question)):
        return ()
    said = say_as_reader(question)
    named = dict.fromkeys(label.key for each in (question, said) for label in list_labels(each, (0, len(each))))
    return tuple(named) or tuple(key for key in _list_all_asked(question) if key in NUMBER_KEYS)


def asks_for_three(question: str) -> bool:
    """Whether a question asks its reader for bust, waist and hips without naming one: "Your measurements?", 三围."""
    words = frozenset(_WORD.findall(question))
    is_readers = not words.isdisjoint(_THREE_OF_BODY) or not words.isdisjoint(READER)
    return is_readers and not words.isdisjoint(_BUST_WAIST_HIPS) and not is_of_others(question)


def _list_all_asked(question: str) -> tuple[str, ...]:
    asked = [name for name, expression in _ASKS.items() if expression.search(question)]
    if "allergy" in asked:
        return ("allergy",)
    numbers = [name for name in asked if name in NUMBER_KEYS]
    if "budget" in asked and _SPENDING.search(question):
        return ("budget",)
    if numbers and not (asked[0] == "hard_ban" and _has_things_only(question)):
        precise = [name for name in numbers if name != "size"]
        return tuple(precise or numbers)
    if not asked and is_permission(question):
        return ("hard_ban",)
    return tuple(asked[:1])


def _has_things_only(question: str) -> bool:
    """Whether a question of things speaks of shoes and the like in passing, and asks for no number."""
    return not re.search(r"size|how|размер|какой|какая|مقاس|قياس|كم|ma2as|magas|2yas|kam", question)


def asks_objection(question: str) -> bool:
    """Whether a no to a folded question gives leave: "Do you mind swearing?"."""
    return _MINDS.search(question) is not None


def is_permission(question: str) -> bool:
    """Whether a folded question asks leave for a thing: "May I show spiders?", "Ты ешь свинину?"."""
    return _LENIENT.search(question) is not None and _NEGATED_PERMISSION.search(question) is None


def is_firm_no(folded: str) -> bool:
    """Whether a folded message is a no and nothing else."""
    return _FIRM_NO.fullmatch(folded) is not None


def is_lasting_no(folded: str) -> bool:
    """Whether a message says no for good to a question like "Do you eat pork?": a no, or one with what makes it last
    right behind it ("not since 2011", "never touch it", «нет, я веган», لا خالص).
    """
    return is_firm_no(folded) or _NO_FOR_GOOD.match(folded) is not None


def is_yes(folded: str) -> bool:
    """Whether a folded message says yes, with nothing that takes it back: "yeah, badly", «да, с детства»."""
    words = list_words(folded)
    if not words or len(words) > _MAX_WORDS_OF_YES or words[0] not in _YES:
        return False
    rest = words[1:]
    return not any(word in _NO or word in _BUTS or word in _OTHERS or word[0].isdigit() for word in rest)
