"""Reasons not to take a clause for what its author says of themselves now and in earnest."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache
from typing import TYPE_CHECKING, Literal

if TYPE_CHECKING:
    from factcheck.instant.core.messages import FoldedMessage

Where = Literal["before", "after", "sentence"]
WHERE: tuple[Where, ...] = ("before", "after", "sentence")

QUESTION = "question"
OTHER_SUBJECT = "other_subject"
UNCERTAINTY = "uncertainty"
GUARD_KINDS = (
    "negation", UNCERTAINTY, "condition", "quote", OTHER_SUBJECT, "past", "play", "joke", "scene",
    "exception", QUESTION,
)  # fmt: skip
"""What guards are about. The rest of the kinds are the names of the installation's own guards."""

_KINDS = {
    "denied": "negation",
    "denied_here": "negation",
    "negated_reaction": "negation",
    "none_at_the_end": "negation",
    "imagined_more": "condition",
    "asked_inside": "question",
    "denied_fear": "negation",
    "unsure_after": "uncertainty",
    "unsure_number": "uncertainty",
    "imagined_after": "condition",
    "event_wish": "condition",
    "wish_size": "condition",
    "pets_eat": "other_subject",
    "joking_before": "joke",
    "praised": "negation",
    "general_truth": "other_subject",
    "general_fact": "other_subject",
    "imagined_scene": "condition",
    "only_played": "play",
    "fiction_told": "play",
    "gift_for_others": "other_subject",
    "grown_out": "past",
    "instructed": "play",
    "one_scene": "scene",
    "unsure": "uncertainty",
    "believed": "uncertainty",
    "mended_itself": "uncertainty",
    "imagined": "condition",
    "reported": "quote",
    "not_meant": "quote",
    "someone_elses_event": "other_subject",
    "not_my_budget": "other_subject",
    "no_longer": "past",
    "past_event": "past",
    "past_size": "past",
    "played": "play",
    "fiction": "play",
    "pretended": "play",
    "joking": "joke",
    "momentary": "scene",
    "excepted": "exception",
    "idiom": "negation",
    "past_but_fine": "past",
    "manner_of": "quote",
    "others_spend": "other_subject",
    "age": "other_subject",
    "owed_before": "other_subject",
    "owed_behind": "other_subject",
    "windfall": "condition",
    "wished_size": "condition",
    "paid_before": "past",
}
FIRM_GUARDS = frozenset(
    {"idiom", "manner_of", "others_spend", "age", "owed_before", "owed_behind", "windfall"}
    | {"past_but_fine", "joking", "wished_size", "paid_before"}
)
"""Guards that leave no doubt: layers believe nothing against them."""
_LANGUAGE_ENDING = re.compile(r"_(?:en|ru|ar|az|zh)$")
_IN_EARNEST = re.compile(
    r"(?<!\w)(?:(?:not|no|isn't|isnt|ain't|aint|zero|without) (?:(?:even|a|an|any|just|at all|here"
    r"|being) )*(?:jok(?:e|es|ing)|kidding|exaggerat\w+|jk|prank)"
    r"|(?:не|без) (?:(?:я|это|тут|вообще|никаких) )*(?:шуч\w+|шут\w+|прикалыва\w+|прикол\w*)"
    r"|(?:مو|مش|مب|ما|لا|بدون|ليس|ليست|موب|بلا) (?:(?:انا|هذا|هذي|قاعد|قاعده|ب) )*(?:[ا]?مزح\w*|بمزح|نكته|مزاح\w*"
    r"|هزار|بهزر|اهزر|امزح)"
    r"|(?:不是|没|没有|不|没在|绝不|绝非|不带)(?: ?(?:在|跟 ?你|和 ?你|是))* ?(?:开 ?(?:个 ?)?玩笑|说笑|闹着玩|夸张)"
    r"|(?:mo|mu|mub|mish|msh|mesh|ma|bdoon|bidoon) (?:(?:ana|ga3ed|ga3da) )*(?:b?[ao]?mza7|maz7|mazi7|hzar|bahazar"
    r"|nokta)"
    r"|not (?:(?:for|about|in|just|only|of|my|the|a|that's) )*(?:character|pc|oc|persona|hero)(?:'?s)?"
    r"|не (?:(?:у|про|для|о|только|моего|моей|моя|мой) )*(?:персонаж\w*|геро(?:й|я|ю|иня|ини|иню)|перс[аы]?)"
    r"|(?:مو|مش|مب|موب|ليس|ليست|مهو) (?:(?:عن|في) )?(?:ال)?(?:شخصيه|شخصيتي|بطل|بطله|كاركتر)"
    r"|(?:mo|mu|mub|mish|msh|mesh) (?:el |al |l )?(?:sh[ae]?[5k]h?9?[sy]e?y+\w*|shakhsiy\w*|sha5siy\w*|batal|character)"
    r"|不 ?是 ?(?:我 ?的? ?|说 ?)?(?:角色|人设|人物|主角)"
    r")(?!\w)"
)
_OF_THE_AUTHOR = re.compile(
    r"(?<!\w)(?:(?:i|i'd|i would|i'm|i am|let me|we) (?:(?:really|kindly|also|just|politely|like to|have to|want to) )*"
    r"(?:ask|asking|request|requesting)(?: (?:that|you|for|to))*|(?:я )?(?:прошу|попрошу|попросил бы|попросила бы)"
    r"(?: (?:тебя|вас|всех|чтобы))*"
    r"|(?:(?:as|like|remember|yes|yeah|and|so) )*(?:i|i've|ive) (?:have )?(?:(?:already|just|also|once"
    r"|always) )*"
    r"(?:told|said|mentioned|wrote|say|tell)(?: (?:you|u|this|it|that|before|already|earlier|once|guys|everyone))*"
    r"|(?:(?:the|my|our|a) )?(?:doctors?|doc|dr|gp|derm|dermatologist|allergist|gastro|nurse|dentist|clinic|er"
    r"|hospital|tests?|specialist)"
    r" (?:said|says|told|confirmed|thinks|wrote|say|tells|diagnosed)(?: (?:me|us|that|it|so))*"
    r"|(?:(?:я|как|же|уже|ведь) )+(?:говорил|сказал|писал|упоминал)[аи]?(?: (?:уже|же|тебе|вам|что))*"
    r"|(?:врач|врачи|доктор|аллерголог|дерматолог|терапевт|гастроэнтеролог|анализы|тест)\w* (?:\w+ )?(?:сказал"
    r"|сказали|говорит|подтвердил|запретил|велел)\w*(?: что)?"
    r"|(?:زي ما |مثل ما |كما )?قلت (?:لك|لكم|لكي)(?: قبل)?(?: ان| اني)?"
    r"|(?:ال)?(?:دكتور|دكتوره|دكاتره|طبيب|طبيبه|دختور)\w* (?:قال|قالت|قالوا|يقول|تقول|حكا|حكي)(?: لي| ان)*"
    r"|(?:我 ?)?(?:跟|和|同|给|先跟) ?(?:你|您|你们|大家) ?(?:说|讲|提|报备|交代|打招呼)(?: ?(?:过|一下|下|个 ?事"
    r"|一声|清楚|实话|明白))*"
    r"|(?:我 ?)?(?:再|先|得|要|必须|提前|已经|之前|早就)? ?告诉 ?(?:过 ?)?(?:你|您|你们)(?: ?(?:过|一下|了))*"
    r"|我 ?(?:之前|以前|早就|刚才|刚刚|已经|上次)? ?(?:说|讲|提)(?: ?到)? ?过(?: ?(?:了|的|吧))*"
    r"|(?:医生|大夫|医院|过敏科|皮肤科|体检|检查|化验|报告|测 ?过敏 ?原|查 ?过敏 ?原)(?: ?(?:的|结果|报告|显示|也|就"
    r"|都))*"
    r" ?(?:说|告诉 ?我|让 ?我|叫 ?我|要求|诊断|确诊|确认|查 ?出|测 ?出|建议|警告|发现|显示|不让 ?我)(?: ?(?:了|我|过"
    r"|是))*"
    r"|(?:el |al )?(?:doctor|dactor|doktor|daktora|tabib|6abib) (?:2al|gal|8al|2alet|galat|2alli|galli)\w*"
    r")(?!\w)"
)
"""Reports that are the author's own word, or a doctor's about them."""
_LASTING = re.compile(
    r"(?<!\w)(?:从 ?(?:今天|现在|今|今后|小)(?: ?(?:开始|起|往后|以后|到大))*|今后|从今往后|往后|以后(?: ?(?:都|也"
    r"|再也))?|至今|到 ?现在|直到 ?现在"
    r"|一直 ?到 ?(?:现在|今天)|小时候 ?(?:就|开始)|永远|from now on|starting (?:now|today|tonight)|as of (?:now"
    r"|today)|from (?:today|tonight|this day)(?: on)?"
    r"|(?:till|until|up to|to this|even) (?:now|today|day)|since (?:i was (?:a |an |very |really )*(?:kid"
    r"|child|baby|little"
    r"|small|young|born|teen\w*|\w+)|childhood|birth|forever|school|always|i can remember|age \w+)"
    r"|(?:с|со) (?:самого |раннего )?(?:детства|рождения|школы|юности|пеленок|детского сада)|отныне|с этого дня"
    r"|с сегодняшнего дня|до сих пор|по сей день|(?:и )?сейчас тоже|раз и навсегда"
    r"|من (?:اليوم|الحين|الان|هسه|دلوقتي|يومها)(?: (?:و ?رايح|وطالع|ورايح|فصاعدا))?|بعد اليوم|(?:الى|لحد|لين|حتي|لغايه)"
    r" (?:اليوم|الحين|الان|دلوقتي|هسه)|لليوم|للحين|من (?:(?:و ?انا|لما كنت|يوم كنت|يوم انا"
    r"|ايام ما كنت) \w+|صغري|طفولتي|الطفوله"
    r"|ايام المدرسه|زمان|الصغر|الولاده)|(?:m[ei]n?|mn) (?:(?:w ?ana|lamma kent|lamma kont|youm kent) \w+|soghri"
    r"|zaman|elyom w ray7"
    r"|elyoum|alyom|d[ei]lwa2t[iy]))(?!\w)"
)
"""What sounds like the past or a moment and means that it lasts."""
_CONTRAST = re.compile(
    r"(?<!\w)(?:but|except that|though|although|however|just|only|но|однако|хотя|зато|только|بس|لكن|انما"
    r"|غير ان|但是?|不过|可是|然而|bas|bs|lakin"
    r"|laken)(?!\w)"
)
_CONSEQUENCE = re.compile(
    r"(?<!\w)(?:so(?! (?:badly|much|bad|severe\w*|sensitive|allergic))|therefore|which means|that'?s why"
    r"|hence|поэтому|так что"
    r"|потому и|значит|所以|因此|于是|因而|عشان كذا|عشان كده|علشان كده|فلذلك|لذلك|لهيك|منشان هيك|فلا|3ashan keda"
    r"|la hek)(?!\w)"
)
_REST = re.compile(
    r"(?<!\w)(?:(?:but |and |, ?)?(?:i (?:love|adore|like|'?m (?:fine|ok|okay|cool) with)|(?:everything"
    r"|anything) else|the rest"
    r"|other than that|otherwise)|(?:а |но )?(?:остальн\w+|в остальном|все прочее)|(?:و|بس )?(?:الباقي"
    r"|باقي)|el ba2i|其他|其它|别的|剩下|其余)(?!\w)"
)
"""What is said of other things than those of the hit."""
_POLITE = re.compile(
    r"(?<!\w)(?:(?:can|could|would|will|may|might) (?:we|you|u|i|it|there)(?: all| guys| please| pls"
    r"| maybe| just| possibly"
    r"| ask (?:you )?to| request)* (?:not|never|avoid\w*|skip\w*|leave|keep|drop|cut|remove|stop|exclude"
    r"|steer|fade|be no|have no"
    r"|refrain|veil|swap|replace|ban|take out|filter|do without|please)|(?:would|do) you mind (?:not"
    r"|leaving|skipping|avoiding"
    r"|removing|keeping)|mind (?:if we skip|not|leaving|skipping|avoiding)|is it (?:ok|okay|possible"
    r"|cool)(?: if we| to| if)*"
    r" (?:not|skip|avoid|leave|drop|don'?t|cut)|how about (?:no|we skip|without)|what if we skip"
    r"|(?:а |и )?(?:можно|можем|может|могли бы|можешь|можете|давай|давайте|нельзя)(?: ли| мы| вы| ты"
    r"| пожалуйста| просто| как-то)*"
    r" (?:без|не|убрать|убери|уберем|обойтись|обойдемся|избегать|избежать|исключить|пропустить|пропускать"
    r"|опустить|вырезать"
    r"|заменить|вуалировать)"
    r"|(?:ممكن|تقدر|تقدري|نقدر|ينفع|يصير|فيك|فيكي|فينا|نستطيع|هل يمكن|تقدروا)(?: لو سمحت\w*| رجاء| بليز"
    r"| ان| انك| اننا)*"
    r" (?:ما|بدون|بلاش|لا|من غير|نتجنب|تتجنب|تشيل|نشيل|تشيلي|تحذف|نحذف|تبعد|نبعد|نستبعد|تستبعد|نستغني|تلغي|نلغي)"
    r"|(?:能 ?不能|可不可以|可 ?不 ?可以|可以|能|麻烦|是否 ?可以|方便)(?: ?(?:请|你|您|我们|以后|麻烦|把"
    r"|都))* ?(?:不要|别|不|避开|跳过|避免|去掉|删|屏蔽|略过)"
    r"|(?:mo?mken|mumkin|fik|fina|fiki|yenfa3|te2dar)(?: please| pls| law sama7t)* (?:ma|bala|bdoon"
    r"|bidoon|balash|mn 8er|nsheel"
    r"|tsheel|tsheeli|ne7zef|te7zef))(?!\w)"
)
"""A ban that is put as a question: "could we please skip the spiders?"."""
_TAG = re.compile(
    r"[\s,.!—–-]+(?:ok(?:ay|ey)?|k|kk|alright|all right|got it|gotcha|deal|cool|please|pls|plz|capisce"
    r"|understood|fair(?: enough)?"
    r"|yeah|cheers|thanks|mkay|is that (?:ok|okay|clear)|that ok|ладно|ок|окей|хорошо|поняли?|понятно"
    r"|понял[аи]?|договорились"
    r"|пожалуйста|плиз|пж|запомни\w*|лады|ясно|идет|учтешь|учтете|تمام|ماشي|طيب|اوكي|اوك|اوكيه|فهمت\w*|واضح|اتفقنا"
    r"|مفهوم"
    r"|ممكن|لو سمحت\w*|بليز|(?:好|可以|行|知道|明白|懂|记住|记得|ok|听到|收到)(?: ?了)?(?: ?(?:吗|嘛|么|没|没有|吧"
    r"|哦|不))?|好 ?不 ?好|行 ?不 ?行|可 ?不 ?可以|可不可以|好不好|行不行|谢谢|拜托|tamam|mashi|tayy?eb|fhemt\w*"
    r"|wade7|ettafa2na)\s*[?؟]+\s*$"
    r"|[\s,.!—–-]+(?:好|可以|行|知道|明白|懂|记住|ok) (?:了 )?(?:吗|嘛|么)[\s.!~]*$"
)
"""What asks only whether a statement has been taken in: "no spiders, ok?"."""
_QUESTION_WORDS = (
    r"what(?:'?s)?(?! (?:makes|are you|do you mean|the|gave|on earth))|which|when"
    r"|how(?! (?:do|did|would|come|many times))"
    r"|where(?! did)|can(?! (?:you believe|i\W*$))|could|should|would(?! (?:you say|that|it)(?!\w))|will|may"
    r"|is(?! (?:that|this|it|what)(?!\w))"
    r"|are(?! you)|do(?! (?:you think|i)(?!\w))|does|any|got|anything"
    r"|что(?! (?:ли|за|ты|вы))|чем|чего|как(?! (?:ты|вы))|какой|какая|какие|какую|каких|где|когда|куда|сколько"
    r"|можно|можешь|можете|подскаж\w*|посовету\w*|есть(?! так)|стоит|найд[её]тся|чё|шо"
    r"|ممكن|شو|شنو|شنهو|ايش|وش|ايه|كيف|وين|فين|هل|في|فيه|فيك|فيكي|فيني|تقدر\w*|بتقدر\w*|تنصح\w*|كم|بكم|متي"
    r"|shu|shou|chou|sho|shnu|shno|chno|ach|eh|eih|ezay|ezzay|kif|keef|momken|mumkin|fik|fiki|fiye|feek|t2dar\w*"
    r"|te2dar\w*|bte2dar\w*|weyn|wen|fein|fen|kam|wesh|wsh"
    r"|ش(?:سوي|نسوي|تقترح|تنصح|اكل|كدر|ممكن|لبس)\w*|shas+aw+i|shaku|shgadd|wach|واش|شكو|اشنو|chnou"
)
"""What opens a question about something else. "who told you", "are you serious" are about the words before them."""
_ASKS_BEHIND = re.compile(
    r"[,،;:.—–-]\s*(?:(?:so|and|but|then|ok|well|а|и|но|ну|то|тогда|و|ف|طيب|يعني|w|fa|tayeb|bas|ya3ni)\s+)?"
    rf"[وف]?(?:{_QUESTION_WORDS})(?!\w)"
    r"|[,，]\s*(?!你? ?(?:怎么|为什么|凭什么) ?(?:知道|会|这么|觉得)|是 ?吗|有 ?什么 ?(?:证据|根据))"
    r"(?:那|那么|所以|请问)?\s*[^,，?？]{0,12}(?:什么|怎么|哪|有没有|能不能|可以|吗|呢)"
)
_ASKS = re.compile(
    rf"\W*(?:{_QUESTION_WORDS}|what|where|why|who|how|are|do|did|was|were|am|have|has|if|you|u|so you|ты|вы|кто|почему"
    r"|откуда|разве|неужели|правда|انت|انتي|مين|ليش|منو|enta|enti|meen|leish)(?!\w)"
)
_MENTIONED = re.compile(
    r"(?<!\w)(?:(?:did|have|haven'?t|didn'?t) i (?:already |ever |not )?(?:mention|tell|said|say|told|mentioned)(?!\w)"
    r"|(?:я )?(?:говорил|упоминал|писал)[аи]? (?:ли |же |уже |тебе |вам |что )*|قلت ل(?:ك|كم|كي)|ذكرت لك"
    r"|2olt(?:el?)?ak|gelt ?lak"
    r"|2eltel+ak"
    r"|(?:you|u|ya) (?:do |still |already |did(?:n'?t)? )?(?:remember|recall|know|forget)(?: that| how)?"
    r"(?= (?:i'?m|i am) (?:\w+ly )?(?:allergic|vegan|intolerant|coeliac|celiac)| i (?:can'?t|cannot|don'?t"
    r"|never) (?:eat|drink|have|do|wear)"
    r"| i have an? (?:\w+ )?allergy)"
    r"|(?:помнишь|помните|знаешь|знаете|в курсе|не забыл[аи]?)(?: же| ведь| еще)?,? что"
    r"(?= у меня (?:\w+ )?(?:аллерги|непереносим)| мне (?:\w+ )?(?:нельзя|плохо)| я не (?:ем|пью|ношу|переношу)(?!\w))"
    r"|(?<!وين )(?<!منين )(?<!كيف )(?<!شلون )(?:فاكره?|متذكره?|ب?تت?ذكر(?:ين|ي)?|ب?تعرف(?:ين|ي)?|عارفه?|تدرين?|ما نسيت)"
    r" (?:اني|ان[هو]?)(?= (?:عندي حساسي|ما (?:اكل|ا?شرب|اقدر|بقدر)|ب?اتحسس|بتحسس))"
    r"|(?:fak[ei]?ra?|3a?r[ei]?fa?|mi?t?zakk?[ei]?ra?|b?t[ei]?tzak+ari?|b?ta3r[ei]f[ie]?n?|tadri) (?:en+|in+)[iy]+"
    r"(?= (?:3and[iy]|3ind[iy]|3end[iy]) [7h]a?s+[ae]s| ma b?[ae]?(?:kol|shrab|2dar)))"
    r"|(?:你|您) ?(?:还|应该|都|也)? ?(?:记得|知道|没 ?忘 ?记?) ?(?=我 ?(?:对|不 ?[吃能喝]))"
)
"""A question that reminds of what was said before: "did I mention that …", "you remember I'm allergic, right?"."""
_IF_YOU_PLEASE = re.compile(
    r"(?<!\w)(?:لو سمحت\w*|لو تكرمت\w*|(?:لو|اذا) (?:ممكن|امكن)|l[ae]?w (?:sama7|sma7|samaht)\w*|(?:iza|eza|law) momken"
    r"|if (?:you (?:don'?t mind|please|wouldn'?t mind)|possible|(?:it|that)'?s (?:ok(?:ay)?|alright))"
    r"|если (?:можно|не ?сложно|не ?трудно|вас не затруднит|не против"
    r"|(?:тебе|вам) не ?(?:сложно|трудно)))(?!\w)"
    r"|(?:如果|要是)? ?(?:方便|可以|可能) ?的话"
)
"""A condition by its words and none by what they mean."""
_HAN_QUESTION = re.compile(r"(?<!\w)(?:吗|么)[\s.!~,]*$")
"""A Chinese question that is typed without its mark."""
_AFTERTHOUGHT = re.compile(r"[\s.!?؟…]*[^.!?؟;؛\n…]{1,24}(?=[.!?؟;؛\n…]|$)")


def get_guard_kind(name: str) -> str:
    """The kind of a guard by its name; a name that does not ship is a kind of its own."""
    base = _LANGUAGE_ENDING.sub("", name)
    return _KINDS.get(base, base)


@dataclass(frozen=True, slots=True)
class GuardContext:
    """What guards look at: the text before and after the words, within their sentence, and all of it."""

    sentence: str
    is_reminder: bool
    """Whether the author asks if they have said it, or if it is remembered: "did I mention that I'm allergic?"."""
    around: Mapping[Where, str]

    @property
    def is_question(self) -> bool:
        """Whether the sentence asks: it ends with a question mark that is more than a tag ("no spiders, ok?")."""
        if not self.sentence.rstrip().endswith(("?", "؟")) and not _HAN_QUESTION.search(self.sentence):
            return False
        return not _TAG.search(self.sentence) and not self.is_reminder and not self._asks_behind

    @property
    def _asks_behind(self) -> bool:
        """Whether only a clause behind the words asks: "I'm allergic to fish, what else can I eat?"."""
        return _ASKS_BEHIND.search(self.around["after"]) is not None and not _ASKS.match(self.sentence)

    @property
    def is_polite_request(self) -> bool:
        """Whether the sentence is a ban put as a question: "could we skip the spiders?"."""
        return _POLITE.search(self.sentence) is not None


def cut_other_clauses(context: GuardContext, fact_type: str) -> dict[Where, str]:
    """What guards look at, without what contrasts with the hit or follows from it, for guards that look at all of it.

    "I love horror, just no clowns" likes no clowns; "allergic to crab, so no feasts in this campaign" plays nothing.
    """
    sentence, before, after = context.sentence, context.around["before"], context.around["after"]
    first, last = 0, len(sentence)
    if fact_type == "hard_ban":
        for contrast in _CONTRAST.finditer(sentence, 0, len(before)):
            first = contrast.end()
        opening = _CONTRAST.match(sentence, len(before))
        first = opening.end() if opening else first
        rest = _REST.search(sentence, len(before))
        last = rest.start() if rest else last
    consequence = _CONSEQUENCE.search(sentence, len(before), last)
    follows = _CONSEQUENCE.search(after)
    return {
        "before": before,
        "after": after[: follows.start()] if follows else after,
        "sentence": sentence[first : consequence.start() if consequence else last],
    }


def build_guard_context(message: FoldedMessage, start: int, end: int) -> GuardContext:
    """The text around the words from `start` to `end`, with "not joking" blanked out."""
    first, last = message.sentence(start, end)
    text = message.text
    before, said, after = text[first:start], text[start:end], text[end : _end_of_afterthought(text, last)]
    sentence = blank_earnestness(text[first:last])
    around: dict[Where, str] = {"before": before, "after": after, "sentence": sentence}
    if len(sentence) == last - first and sentence != text[first:last]:
        around["before"] = sentence[: len(before)]
        around["after"] = sentence[len(before) + len(said) :] + after[last - end :]
    return GuardContext(sentence, is_reminder(text, first, start), around)


def is_reminder(text: str, first: int, start: int) -> bool:
    """Whether words between two places remind of what stands behind them: "did I mention that", "you know that"."""
    match = _MENTIONED.search(text, first)
    return match is not None and match.start() < start


@lru_cache(maxsize=512)
def blank_earnestness(text: str) -> str:
    """The text with phrases such as "not joking", "as I said", "my doctor says", "if possible" turned into spaces: it
    is meant.
    """
    polite = _IF_YOU_PLEASE.sub(lambda match: " " * len(match[0]), text)
    earnest = _IN_EARNEST.sub(lambda match: " " * len(match[0]), polite)
    lasting = _LASTING.sub(
        lambda match: " " * len(match[0]), _MENTIONED.sub(lambda match: " " * len(match[0]), earnest)
    )
    return _OF_THE_AUTHOR.sub(lambda match: " " * len(match[0]), lasting)


def _end_of_afterthought(text: str, last: int) -> int:
    """The end of a few words behind a sentence that may take it back ("… just kidding", ". NOT"); else its own end."""
    afterthought = _AFTERTHOUGHT.match(text, last)
    return afterthought.end() if afterthought else last
