"""Closed word lists of the four languages: what a claim may hold besides subject, field and value.

Everything that is not listed here, and is no part of a field's own words, leaves a claim undecided. So hedges ("about",
"почти", "حوالي", "大约"), comparisons ("more than", "не менее") and questions need no list of their own.
"""

from __future__ import annotations

from knowledge.text.folding import normalise


def _forms(text: str) -> frozenset[str]:
    return frozenset(normalise(word) for word in text.split())


ARTICLE_LIKE = frozenset({"the", "a", "an"})

COPULAS = _forms(
    "is was are were be been has have had it its there the a an exactly precisely "
    "быть есть был была было были является являлся являлась это его ее её имеет насчитывает составляет равен равна "
    "равно ровно имелось "
    "هو هي كان كانت يكون تكون له لها به بها هناك يوجد توجد يبلغ تبلغ بلغ تم قد بالضبط"
)
"""Words that only join subject and value."""

PREPOSITIONS = _forms("in on at of for as with when by takes take в во на у из при في من ب عند")
"""Words that place or bind; before a name they mean that the name is not the value."""

NEGATIONS = _forms(
    "not never isn't wasn't aren't weren't hasn't haven't hadn't doesn't don't didn't не никогда ليس ليست لم لا لن"
)
AUXILIARIES = _forms("does do did")
"""Allowed only next to a negation."""

PEOPLE = _forms("people person persons человек людей человека люди شخص شخصا أشخاص رجل رجال نفر")
"""What is counted when a count of people has no noun of its own."""

NAMING = _forms("called named name зовут называется называют звали имя اسم اسمه اسمها يسمى تسمى يدعى تدعى")

HAN_FUNCTION = tuple(
    "一共 总共 今年 那夜 那天 那晚 正好 恰好 刚好 的 是 有 了 在 于 为 共 由 被 里 中 那 着 过".split()  # noqa: SIM905
)
HAN_NEGATIONS = ("没有", "不是", "并不", "没", "不", "未", "非")
HAN_NAMING = ("名叫", "叫做", "叫作", "名为", "叫")
HAN_PREPOSITIONS = frozenset("在里中")
HAN_MEASURES = frozenset("个根间座位名盏块只条张把本口扇道层次遍粒颗件棵头匹辆艘支人孔点份种")
HAN_ASKING = ("多少", "什么", "哪一", "哪", "几", "谁", "吗", "呢")

ASKING = _forms(
    "who whom whose what which why how whether кто что какой какая какое какие сколько когда где почему зачем чей "
    "чья ماذا متى اين كم كيف لماذا هل"
)
ASKING_PARTICLES = _forms("ли هل") | {"吗"}
QUESTION_MARKS = frozenset("?？؟")

HEDGES = _forms(
    "if unless would could should might may maybe perhaps probably possibly nearly almost about around roughly "
    "seem seems seemed claim claims claimed say says said rumour rumor legend myth tale story believe believes "
    "believed think thinks thought pretend pretends lie lies lied dream dreams dreamed supposedly allegedly "
    "formerly once sometimes often only except but "
    "если бы мол будто якобы возможно может наверное вероятно почти около примерно кажется казалось говорят "
    "говорит сказал легенда предание слух слухи считают считает думают думает верят верит сон иногда часто "
    "только лишь кроме однако раньше "
    "إذا لو ربما لعل يقال قيل يقول قال يزعم زعم أسطورة حكاية شائعة يظن ظن يعتقد تقريبا حوالي نحو كاد يكاد "
    "أحيانا فقط إلا لكن قد"
)
"""In a sentence of canon or a claim: what follows is not said outright."""
HAN_HEDGES = (
    "如果",
    "若",
    "也许",
    "可能",
    "大概",
    "大约",
    "据说",
    "传说",
    "听说",
    "相信",
    "认为",
    "以为",
    "说",
    "几乎",
    "差不多",
    "似乎",
    "好像",
    "梦",
    "有时",
    "只",
    "除了",
    "但",
    "曾",
    "谣",
)
