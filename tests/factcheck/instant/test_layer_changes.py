"""What fitted layers may do to known facts, by rules: little to what protects a person."""

import pytest

from factcheck.instant.core.additions import list_layer_additions
from factcheck.instant.core.change_cases import ReadChange
from factcheck.instant.core.concepts import stems_of
from factcheck.instant.core.corrections import detect_corrections
from factcheck.instant.core.extraction import extract_facts
from factcheck.instant.core.known_facts import KnownFact
from factcheck.instant.core.labelled_lines import SAID_AT

SHRIMP = KnownFact(1, "allergy", "shrimp", "shrimp")
WOOL = KnownFact(2, "hard_ban", "wool", "wool")
SHOES = KnownFact(3, "body_params", "shoe_size", "42")
SUM = KnownFact(4, "budget", "general", "60 USD")
TRIP = KnownFact(5, "life_event", "trip", "trip")
NAME = KnownFact(6, "instruction", "name", "Captain")
FACTS = (SHRIMP, WOOL, SHOES, SUM, TRIP, NAME)


@pytest.fixture
def detect(compiled, concepts):
    def detect(text, fact, change, new="", *, mode="unknown", facts=FACTS, just_said=()):
        place = (text.index(new), text.index(new) + len(new)) if new else None
        found = detect_corrections(
            text,
            previous_assistant_text="",
            facts=facts,
            just_said=just_said,
            extracted=extract_facts(text, compiled=compiled, concepts=concepts, now=SAID_AT),
            compiled=compiled,
            concepts=concepts,
            mode=mode,
            changes=[ReadChange(fact, change, 0.9, "v1", place)],
        )
        return [
            (each.effect, [known.key for known in each.facts], each.replacement and each.replacement.value)
            for each in found
        ]

    return detect


@pytest.mark.parametrize(
    ("text", "fact"),
    [
        ("the hospital phoned, nothing will come of my trip after all", TRIP),
        ("honestly money is no object any longer", SUM),
        ("my feet are what they are, drop it", SHOES),
        ("sounds like a cereal box, enough of that", NAME),
    ],
)
def test_what_protects_nobody_ends_by_layers(detect, text, fact):
    assert detect(text, fact, "ends") == [("ended", [fact.key], None)]


@pytest.mark.parametrize("fact", [SHRIMP, WOOL])
def test_what_protects_a_person_is_in_doubt_at_most(detect, fact):
    text = "well that chapter of my life has closed"
    assert detect(text, fact, "ends", just_said=[fact]) == [("disputed", [fact.key], None)]
    assert detect(text, fact, "replaced", just_said=[fact]) == [("disputed", [fact.key], None)]
    stated = KnownFact(7, "budget", "trip", "900 EUR", source="explicit")
    assert detect("money is no object any longer", stated, "ends", facts=[stated]) == [("disputed", ["trip"], None)]


def test_a_thing_said_instead_is_known_and_the_old_one_in_doubt(detect):
    text = "on second thoughts the culprit was squid"
    assert detect(text, SHRIMP, "replaced", "squid", just_said=[SHRIMP]) == [("disputed", ["shrimp"], "squid")]
    assert detect(text, SHRIMP, "narrowed", "squid", just_said=[SHRIMP]) == [("disputed", ["shrimp"], "squid")]


def test_a_thing_denied_by_its_name_was_said_wrong(detect):
    text = "Oh no sorry my english. Not shrimp, squid! I am allergic to squid. Shrimp I eat every week"
    assert detect(text, SHRIMP, "replaced", "squid") == [("replaced", ["shrimp"], "squid")]
    asked = "Not shrimp but squid? Who would be allergic to that"
    assert detect(asked, SHRIMP, "replaced", "squid", just_said=[SHRIMP]) == [("disputed", ["shrimp"], "squid")]
    ban = "eh, not wool, felt of course, it's felt that gives me the creeps"
    assert detect(ban, WOOL, "replaced", "felt", just_said=[WOOL]) == [("replaced", ["wool"], "felt")]
    assert detect(ban, WOOL, "replaced", "felt") == [("disputed", ["wool"], "felt")]


@pytest.mark.parametrize(
    "text",
    [
        "i mixed up the jars, its not shrimp its squid",
        "the waiter mixed it up. not shrimp, squid",
        "not shrimp, squid. shrimp i eat and then die",
        "опечатка в заказе, не креветки, а squid",
        "my mistake, not shrimp, squid for table five",
        "i was wrong. not shrimp in the salad, squid",
        "oh sorry, i mixed it up: not shrimp, i want squid",
        "не креветки одни, а и squid. ошиблась",
        "my mistake, the bag isn't shrimp, it's squid",
        "i got it wrong, it's not shrimp on the label, it's squid",
        "i got it wrong: it's not shrimp, it's shrimp and squid",
        "搞错了，袋子里不是虾，是squid",
    ],
)
def test_an_allergy_is_not_replaced_by_an_order(detect, text):
    found = detect(text, SHRIMP, "replaced", "squid", just_said=[SHRIMP])
    assert [(effect, value) for effect, _, value in found] == [("disputed", "squid")]


def test_what_is_off_in_a_place_leaves_the_journey_in_doubt_at_most(detect, concepts):
    journey = KnownFact(7, "life_event", "trip", "trip", places=(stems_of("paris"),))
    text = "Paris Fashion Week got nothing this year, gone"
    assert [each[0] for each in detect(text, journey, "ends", facts=[journey])] in (["disputed"], [])
    assert [each[0] for each in detect("so no trip to Paris for us", journey, "ends", facts=[journey])] == ["ended"]
    assert [each[0] for each in detect("visa refused, we stay home", journey, "ends", facts=[journey])] == ["ended"]


def test_layers_vouch_for_strange_words_in_a_denial(detect):
    text = "since the desensitisation I am gladly not allergic to shrimp"
    assert [each[0] for each in detect(text, SHRIMP, "ends")] == ["ended"]
    assert [each[0] for each in detect(text, SHRIMP, "doubted")] == ["disputed"]


def test_a_ban_is_lifted_in_other_words_too(detect):
    assert [each[0] for each in detect("Wool is allowed again dear.", WOOL, "ends")] == ["ended"]


@pytest.mark.parametrize(
    "text",
    [
        "Mabel no longer allergic to shrimp",
        "Priya not allergic to shrimp any more, she says",
        "у Маруси больше нет аллергии на креветки",
        "ام خالد ما عندها حساسية من الروبيان",
        "小美现在对虾不过敏了",
    ],
)
def test_nobody_vouches_for_another(detect, text):
    assert "ended" not in [each[0] for each in detect(text, SHRIMP, "ends")]


@pytest.mark.parametrize(
    ("text", "fact", "new", "value"),
    [
        ("leather. oh actually an 8 in UK terms, that is 43 for my swollen feet", SHOES, "43", "43"),
        ("mum came through, so 95 and not a penny over", SUM, "95", "95 USD"),
        ("mum came through, so 95 euros and not a penny over", SUM, "95", "95 EUR"),
        ("sounds like a cereal box. Skipper it is", NAME, "Skipper", "Skipper"),
        ("Какая Капитан, я Альфия. Мне бы бельё", NAME, "Альфия", "Альфия"),
    ],
)
def test_another_value_takes_the_place(detect, text, fact, new, value):
    assert detect(text, fact, "replaced", new) == [("replaced", [fact.key], value)]


def test_a_number_that_the_fact_cannot_have_replaces_nothing(detect):
    assert detect("and now about those 700 goblins", SHOES, "replaced", "700") == []
    assert detect("and now about those goblins", SHOES, "replaced") == []
    assert detect("if my foot were a 46 I'd take it, no?", SHOES, "replaced", "46") == []
    assert detect("law kan rejli 46 kan a5adto hahaha. shoof gheiro", SHOES, "replaced", "46") == []


def test_a_measure_that_is_over_gives_way_to_the_other_beside_it(detect):
    bra = KnownFact(7, "body_params", "bra_size", "75B")
    text = "ma t7ottile 75B, el sabiyye 2asetne mbere7 w tole3 80C"
    assert detect(text, bra, "ends", facts=[bra]) == [("replaced", ["bra_size"], "80C")]
    assert detect("my 75B ones are all worn out", bra, "ends", facts=[bra]) == [("ended", ["bra_size"], None)]


def test_an_event_is_replaced_by_all_of_the_other_ones_name(detect):
    wedding = KnownFact(7, "life_event", "wedding", "wedding")
    text = "غلطت عليك قلت عرس، هو مو عرس هو حفل تخرج بنت خالتي"
    assert detect(text, wedding, "replaced", "حفل", facts=[wedding]) == [("replaced", ["wedding"], "graduation")]


def test_a_name_is_not_replaced_by_itself(detect):
    assert detect("oh Captain, well, Captain it stays", NAME, "replaced", "Captain") == []


def test_another_kind_of_wish_replaces_none(detect):
    language = KnownFact(7, "instruction", "language", "English")
    text = "from now on please be more formal with me"
    found = detect(text, language, "replaced", "formal", facts=[language])
    assert found == [("ended", ["language"], None)]


def test_a_question_changes_nothing(detect):
    assert detect("should we call off the whole thing, no?", TRIP, "ends") == []
    assert detect("well? should we call off the whole thing, no?", WOOL, "doubted") == []


def test_what_is_not_to_be_forgotten_stays(detect):
    assert detect("别忘了我的鞋码", SHOES, "ends") == []
    assert detect("не забудь мой размер", SHOES, "ends") == []


@pytest.mark.parametrize(
    "text",
    [
        "forget the budget, it's my birthday",
        "forget everything but my budget from your notes",
        "预算忘掉吧，今天吃火锅",
    ],
)
def test_a_number_that_may_be_forgotten_in_jest_is_in_doubt_at_most(detect, text):
    assert detect(text, SUM, "ends") in ([("disputed", ["general"], None)], [])


@pytest.mark.parametrize(
    ("text", "fact", "said", "value"),
    [
        ("oops, i said it wrong, cashewbutter it is", SHRIMP, "ewbut", "cashewbutter"),
        ("啊打错了 不是 虾 是 腰果 过敏", SHRIMP, "果", "cashews"),
    ],
)
def test_a_part_of_a_word_means_all_of_it(detect, text, fact, said, value):
    [(_, _, found)] = detect(text, fact, "narrowed", said, just_said=[fact])
    assert found == value


def test_words_in_quotes_are_no_new_thing(detect):
    text = 'the label on it said "squid", forget it'
    found = detect(text, SHRIMP, "narrowed", ' "squid"', just_said=[SHRIMP])
    assert found == [("disputed", ["shrimp"], None)]


@pytest.mark.parametrize(
    ("text", "added"),
    [
        ("oh and also those capybaras give me hives", [("capybaras", False)]),
        ("no, come to think of it, those capybaras give me hives", [("capybaras", True)]),
        ("would I be better off also without capybaras?", []),
        ("my sister also gets hives from capybaras", []),
        ("he said “and also capybaras”", []),
    ],
)
def test_a_thing_is_added_that_its_author_states(concepts, text, added):
    place = (text.index("capybaras"), text.index("capybaras") + len("capybaras"))
    found = list_layer_additions(text, [ReadChange(SHRIMP, "added", 0.9, "v1", place)], concepts=concepts)
    assert [(each.value, each.is_doubtful) for each in found] == added


@pytest.mark.parametrize(
    "text",
    ["no, make it 500 orcs", "call it 50 souls then, no", "tell him to make it 50, no", "no, in the game it is 50 now"],
)
def test_what_is_counted_or_played_is_no_sum(detect, text):
    number = "500" if "500" in text else "50"
    assert detect(text, SUM, "replaced", number) == []


def test_doubt_and_moves(detect):
    doubted = detect("i may have made that up", WOOL, "doubted", just_said=[WOOL])
    assert doubted == [("disputed", ["wool"], None)]
    assert detect("the agency has us down for thursday", TRIP, "moved", "thursday") == []


def test_words_of_a_character_or_another_change_nothing(detect):
    quoted = "*the captain shrugs* “that chapter of my life has closed”"
    assert detect(quoted, TRIP, "ends", mode="in_character") == []
    assert detect("Bob: that chapter of my life has closed", TRIP, "ends") == []


def test_where_rules_can_but_doubt_layers_say_what_is_so_instead(detect):
    text = "i may be wrong but i'm not really allergic to shrimp as such, squid it was"
    assert detect(text, SHRIMP, "doubted") == [("disputed", ["shrimp"], None)]
    assert detect(text, SHRIMP, "narrowed", "squid") == [("disputed", ["shrimp"], "squid")]


def test_rules_go_first(detect):
    assert detect("I'm not allergic to shrimp any more", TRIP, "ends") == [("ended", ["shrimp"], None)]


@pytest.mark.parametrize(
    ("text", "new"),
    [
        ("oh wait, i mixed it up. not shrimp, SULFA", "SULFA"),
        ("يوووه غلطت، مش الجمبري، الفراولة", "الفراولة"),
        ("la la, mesh el gambari, el bondo2! etla5batt", "el bondo2"),
        ("哎呀我记反了，不是虾，是开心果", "开心果"),
        ("I have the letter here now and I got it wrong: it's not shrimp, it's squid.", "squid"),
        ("Наврал я тебе. Не креветки, а кальмар.", "кальмар"),
    ],
)
def test_an_allergy_just_stated_is_replaced_where_its_author_calls_it_a_mistake(detect, text, new):
    assert [each[0] for each in detect(text, SHRIMP, "replaced", new, just_said=[SHRIMP])] == ["replaced"]
    assert [each[0] for each in detect(text, SHRIMP, "replaced", new)] == ["disputed"]


@pytest.mark.parametrize(
    "text", ["forget the weight i told you, delete it, i feel watched", "انسى الوزن اللي قلته لك، احس اني مراقب"]
)
def test_a_number_is_forgotten_where_it_was_told(detect, text):
    weight = KnownFact(7, "body_params", "weight_kg", "88")
    [(effect, keys, _)] = detect(text, weight, "ends", facts=[weight])
    assert (effect, keys) in (("ended", ["weight_kg"]), ("forgotten", ["weight_kg"]))


def test_a_mended_order_replaces_no_allergy(detect):
    for text in ("oops, typo. not shrimp, salmon please", "i mixed it up. not shrimp, squid, right?"):
        assert [each[0] for each in detect(text, SHRIMP, "replaced", just_said=[SHRIMP])] == ["disputed"]


def test_what_is_to_be_kept_is_no_order_to_forget(detect):
    weight = KnownFact(7, "body_params", "weight_kg", "88")
    text = "forget everything I told you except my weight"
    assert detect(text, weight, "ends", facts=[weight]) == [("disputed", ["weight_kg"], None)]


def test_a_figure_is_no_name(detect):
    assert detect("لا لحظة غلطت، ٤٣ مقاس ولدي", NAME, "replaced", "٤٣", just_said=[NAME]) == []


def test_a_sum_without_a_purpose_takes_the_place_of_one_with(detect):
    phone = KnownFact(8, "budget", "phone", "15000")
    text = "брат скинулся, давайте бюджет до 22000 рублей смотреть"
    assert detect(text, phone, "replaced", "22000", facts=[phone])[0][::2] == ("replaced", "22000 RUB")


def test_a_size_takes_the_place_of_no_weight(detect):
    weight = KnownFact(7, "body_params", "weight_kg", "88")
    assert detect("I wear size M now", weight, "replaced", "M", facts=[weight]) == []


@pytest.mark.parametrize(
    ("text", "new"),
    [
        ("Wait. It was never shrimp, it was squid that gave me the hives. shrimp's ok", "squid"),
        ("it isnt shrimp, its squid i'm allergic to. shrimp is fine", "squid"),
        ("استنى اتلخبطت، مش الجمبري، الفستق هو اللي بيعملي حساسية، الجمبري باكله كل يوم", "الفستق"),
    ],
)
def test_an_allergy_is_replaced_beside_the_harm_that_another_thing_does(detect, text, new):
    assert [each[0] for each in detect(text, SHRIMP, "replaced", new, just_said=[SHRIMP])] == ["replaced"]


@pytest.mark.parametrize(
    "text",
    [
        "It was never just shrimp, it was squid as well that gave me the hives",
        "It was never shrimp, it was squid that gave my brother the hives. shrimp's ok",
        "It was never shrimp, it was squid that gave me the hives. shrimp just makes me itch",
        "it was never shrimp, it was squid that gave her hives. i eat shrimp",
        "my mum swears it was never shrimp, it was squid that gave me hives, so shrimp's fine",
        "they say it isnt shrimp, its squid i'm allergic to. shrimp is fine",
        "April fools! it was never shrimp, it was squid that gave me hives. shrimp is fine",
        "I dreamt it wasn't shrimp, it was squid i'm allergic to. shrimp was fine",
        "in an alternate universe it was never shrimp, it was squid i'm allergic to. i eat shrimp all day",
        "never shrimp. squid instead, you know my allergy",
        "for the rolls, not shrimp, squid. because i'm allergic",
        "use squid not shrimp, I'm allergic",
        "they wasn't shrimp on my salad, they were squid, I'm allergic to shrimp not squid",
        "Order's wrong: not shrimp, squid. The courier didn't even react to my message",
    ],
)
def test_an_allergy_stays_where_its_author_does_not_eat_the_thing(detect, text):
    found = detect(text, SHRIMP, "replaced", "squid", just_said=[SHRIMP])
    assert "replaced" not in [each[0] for each in found]


def test_another_size_is_named_and_the_old_one_was_not(detect):
    size = KnownFact(7, "body_params", "size", "9")
    text = "wait, my shoes are a 10 actually"
    assert detect(text, size, "replaced", "10", facts=[size]) == [("replaced", ["size"], "10")]


def test_an_event_on_another_day_is_not_off(detect):
    surgery = KnownFact(7, "life_event", "surgery", "surgery", source="explicit")
    text = "операцию кстати перенесли на 10е, доктор заболел"
    assert detect(text, surgery, "moved", "10е", facts=[surgery]) == []


def test_an_event_is_forgotten_whatever_is_talked_of_instead(detect):
    interview = KnownFact(7, "life_event", "interview", "interview")
    text = "Сотри, что я про собеседование говорил, ладно? Давай лучше про футбол"
    assert detect(text, interview, "replaced", "футбол", facts=[interview]) == [("ended", ["interview"], None)]
    for told in (
        "собеседование сложное. Давай лучше про футбол",
        "Сотри, что я говорил про собеседование брата, давай лучше про футбол",
    ):
        assert detect(told, interview, "replaced", "футбол", facts=[interview]) == []


def test_an_order_not_to_keep_a_sum_is_no_turn_of_speech(detect):
    spent = KnownFact(7, "budget", "general", "12000")
    text = "金额那个你别记了，回头我对象看到要念叨我"
    assert detect(text, spent, "ends", facts=[spent]) == [("ended", ["general"], None)]
    weight = KnownFact(7, "body_params", "weight_kg", "70")
    for joke in ("remove my weight from that joke, keep the rest", "忘记我的体重吧，今天吃火锅"):
        assert detect(joke, weight, "ends", facts=[weight]) == [("disputed", ["weight_kg"], None)]


def test_a_sum_of_a_relative_is_imagined_by_no_law(detect):
    text = "my mother-in-law just chipped in, so we're at $95 now"
    assert detect(text, SUM, "replaced", "$95") == [("replaced", ["general"], "95 USD")]


BRA = KnownFact(8, "body_params", "bra_size", "34C")
DRESS = KnownFact(9, "body_params", "size", "52")
HEIGHT = KnownFact(10, "body_params", "height_cm", "155")


@pytest.mark.parametrize(
    ("text", "fact"),
    [
        ("ok forget the number i gave you. just show me stuff and i'll see", SUM),
        ("أوكي. وانسَ اللي قلته عن الميزانية، هذا شي يخصني", SUM),
        ("刚才说的身高体重你都忘了吧 当我没说", HEIGHT),
    ],
)
def test_a_number_is_forgotten_that_is_named_as_a_number(detect, text, fact):
    assert detect(text, fact, "ends", facts=[fact]) == [("ended", [fact.key], None)]


@pytest.mark.parametrize(
    ("text", "fact"),
    [
        ("scrap the number of guests I gave you", SUM),
        ("forget the number I gave you for the plumber", SUM),
        ("forget the sum I mentioned, never mind", SHOES),
        ("忘了他的身高体重", HEIGHT),
    ],
)
def test_a_number_of_something_else_ends_none(detect, text, fact):
    assert detect(text, fact, "ends", facts=[fact]) == []


@pytest.mark.parametrize(
    ("text", "new"),
    [("Row 36C on the plane", "36C"), ("it's 38A outside, boiling", "38A"), ("my sister got measured. 32DD", "32DD")],
)
def test_a_seat_or_somebody_elses_size_replaces_none(detect, text, new):
    assert detect(text, BRA, "replaced", new, facts=[BRA]) == []


def test_another_size_in_letters_replaces_the_one_that_layers_mean(detect):
    text = "no wait got measured today. 32DD apparently. change it"
    assert detect(text, BRA, "replaced", "32DD", facts=[BRA]) == [("replaced", ["bra_size"], "32DD")]


def test_a_size_does_not_end_by_what_is_said_of_an_event(detect):
    text = "الجامعة شالت حفل التخرج السنة دي. بس ابعت البدلة، هلبسها في أي فرح"
    assert detect(text, DRESS, "ends", facts=[DRESS]) == []
    assert detect("الشركة شالت المقاسات. مش عايز أتكلم فيها", DRESS, "ends", facts=[DRESS]) == [
        ("ended", ["size"], None)
    ]


CINNAMON = KnownFact(11, "allergy", "cinnamon", "cinnamon")
PINE_NUTS = KnownFact(12, "allergy", "pine_nuts", "pine nuts")


@pytest.fixture
def read_slip(compiled, concepts):
    """What becomes of an allergy that layers read with certainty to be another, of which nobody spoke right before."""

    def read_slip(text, fact, new):
        place = (text.index(new), text.index(new) + len(new))
        found = detect_corrections(
            text, previous_assistant_text="", facts=[fact], compiled=compiled, concepts=concepts,
            changes=[ReadChange(fact, "replaced", 0.999, "v1", place)],
        )  # fmt: skip
        return [(each.effect, each.replacement and each.replacement.key) for each in found]

    return read_slip


@pytest.mark.parametrize(
    ("text", "fact", "new", "key"),
    [
        (
            "المهم أنا خربطت، مو القرفة اللي تتعبني، الهيل. القرفة أشربها كل يوم مع الحليب",
            CINNAMON,
            "الهيل",
            "cardamom",
        ),
        ("سألت ماما، قالت مو صنوبر، الفستق هو اللي بحسسني. الصنوبر عادي باكله", PINE_NUTS, "الفستق", "pistachios"),
        ("مو القرفة اللي تتعبني، الهيل. القرفة باكلها كل يوم", CINNAMON, "الهيل", "cardamom"),
        ("My wife says it isn't shrimp, it's squid. Shrimp I eat every week", SHRIMP, "squid", "squid"),
    ],
)
def test_an_allergy_whose_thing_is_eaten_was_another(read_slip, text, fact, new, key):
    assert read_slip(text, fact, new) == [("replaced", key)]


@pytest.mark.parametrize(
    ("text", "fact", "new"),
    [
        ("my wife says it isn't shrimp, it's squid", SHRIMP, "squid"),
        ("the bowl is not shrimp, it's squid. my brother eats shrimp all the time", SHRIMP, "squid"),
        ("not shrimp in this pasta, squid. I eat shrimp and my throat swells", SHRIMP, "squid"),
        ("no not shrimp, squid. we ate shrimp last time and it was a lot", SHRIMP, "squid"),
        ("not shrimp, squid in the salad please. I eat shrimp daily", SHRIMP, "squid"),
    ],
)
def test_an_allergy_that_its_author_does_not_say_to_eat_is_in_doubt(read_slip, text, fact, new):
    assert read_slip(text, fact, new) == [("disputed", new)]


@pytest.mark.parametrize(
    "text",
    [
        "it's not shrimp, it's squid that my sister can't have. I eat shrimp every day",
        "my wife says not shrimp, squid for her birthday. she eats shrimp daily",
    ],
)
def test_what_somebody_else_cannot_have_does_not_become_ones_own(read_slip, text):
    assert read_slip(text, SHRIMP, "squid") == [("disputed", None)]
