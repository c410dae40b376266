"""Words that tell bearers of one name apart, in the languages and scripts that the folding knows, already folded."""

from __future__ import annotations

from collections.abc import Mapping

TITLES = frozenset(
    """
    king queen prince princess duke duchess count countess earl baron baroness marquis lord lady sir dame emperor
    empress tsar tsarina khan sultan emir caliph shah pharaoh captain major colonel general admiral sergeant lieutenant
    corporal commander marshal doctor dr professor prof father mother brother sister saint st abbot abbess bishop
    archbishop pope priest mr mrs ms miss master mistress uncle aunt judge mayor chancellor president minister elder
    король королева принц принцесса герцог герцогиня граф графиня барон баронесса князь княгиня княжна царь царица
    император императрица хан султан капитан майор полковник генерал адмирал сержант лейтенант командир маршал доктор
    профессор отец мать брат сестра святой святая аббат епископ патриарх господин госпожа дядя тетя судья мэр канцлер
    президент министр мастер боярин боярыня воевода
    ملك الملك ملكه الملكه امير الامير اميره الاميره سلطان السلطان خليفه الخليفه شيخ الشيخ شيخه الشيخه سيد السيد سيده
    السيده دكتور الدكتور دكتوره الدكتوره قائد القائد وزير الوزير قاضي القاضي عم خال عمه خاله حاج الحاج حاجه الحاجه
    امام الامام والي الوالي كابتن لواء عقيد
    """.split()  # noqa: SIM905 - read by people, a line a language
)
GENERATIONS = frozenset(
    """
    junior jr senior sr elder younger older old young great lesser greater little big the-elder the-younger new
    старший старшая младший младшая старый старая молодой молодая великий великая малый малая большой большая новый
    новая старшее младшее
    الاكبر الاصغر الكبير الكبيره الصغير الصغيره الاول الاولي القديم القديمه الجديد الجديده
    大 小 老 新
    """.split()  # noqa: SIM905
)
# Russian adjectives end in -ый here, whatever their own ending: `name_parts` brings each to that form.
_SIDE_WORDS: Mapping[str, str] = {
    "north": "north northern северный север شمالي شماليه الشمالي الشماليه الشمال",
    "south": "south southern южный юг جنوبي جنوبيه الجنوبي الجنوبيه الجنوب",
    "east": "east eastern восточный восток شرقي شرقيه الشرقي الشرقيه الشرق",
    "west": "west western западный запад غربي غربيه الغربي الغربيه الغرب",
    "upper": "upper верхный علوي علويه العلوي العلويه العليا الاعلي",
    "lower": "lower нижный سفلي سفليه السفلي السفليه السفلي",
    "left": "left левый ايسر اليسري",
    "right": "right правый ايمن اليمني",
    "inner": "inner внутренный داخلي الداخلي",
    "outer": "outer внешный خارجي الخارجي",
    "black": "black черный اسود الاسود سوداء السوداء",
    "white": "white белый ابيض الابيض بيضاء البيضاء",
    "red": "red красный احمر الاحمر حمراء الحمراء",
    "blue": "blue синый ازرق الازرق زرقاء الزرقاء",
    "green": "green зеленый اخضر الاخضر خضراء الخضراء",
    "gold": "gold golden золотый ذهبي الذهبي ذهبيه الذهبيه",
    "silver": "silver серебряный فضي الفضي فضيه الفضيه",
}
SIDES: Mapping[str, str] = {word: side for side, words in _SIDE_WORDS.items() for word in words.split()}

_ORDINAL_WORDS = (
    "first one первый первая первое первого один الاول الاولي واحد",
    "second two второй вторая второе второго два الثاني الثانيه اثنان",
    "third three третий третья третье третьего три الثالث الثالثه ثلاثه",
    "fourth four четвертый четвертая четвертое четыре الرابع الرابعه اربعه",
    "fifth five пятый пятая пятое пять الخامس الخامسه خمسه",
    "sixth six шестой шестая шестое шесть السادس السادسه سته",
    "seventh seven седьмой седьмая седьмое семь السابع السابعه سبعه",
    "eighth eight восьмой восьмая восьмое восемь الثامن الثامنه ثمانيه",
    "ninth nine девятый девятая девятое девять التاسع التاسعه تسعه",
    "tenth ten десятый десятая десятое десять العاشر العاشره عشره",
    "eleventh eleven одиннадцатый одиннадцатая одиннадцать",
    "twelfth twelve двенадцатый двенадцатая двенадцать",
)
ORDINALS: Mapping[str, int] = {
    word: number for number, words in enumerate(_ORDINAL_WORDS, start=1) for word in words.split()
}

GIVEN_NAME_PAIRS: tuple[frozenset[str], ...] = tuple(
    frozenset(pair.split())
    for pair in (
        "мария марья", "наталия наталья", "софия софья", "анна инна", "елена алена", "данил даниил", "олег олеся",
        "марина мария", "иван иоанн", "алексей александр", "михаил михаэль", "егор георгий", "дарья дария", "юлия юля",
        "maria marya", "maria marie", "anna hanna", "anna anne", "john joan", "eric erica", "daniel danielle",
        "jon john", "mark marc", "carl karl", "stephen steven", "catherine katherine", "sara sarah", "jane jean",
        "محمد محمود", "محمد احمد", "حسن حسين", "حسن حسان", "سالم سليم", "سميره سمره", "علي عليه", "كريم كريمه",
        "جميل جميله", "خالد خليل", "نور نورا", "يوسف يونس", "سعيد سعد", "فاطمه فطيمه", "عمر عمرو", "زيد زياد",
    )
)  # fmt: skip
"""Names of different people that trigrams hold for one."""
