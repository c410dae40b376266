import pytest

from factcheck.instant.core.corrections import KnownFact, detect_corrections
from factcheck.instant.core.extraction import extract_facts
from factcheck.instant.core.labelled_lines import SAID_AT
from factcheck.instant.core.pattern_sets import load_shipped

BIKE = ("budget", "bike", "800 EUR")
SHOES = ("body_params", "shoe_size", "41")
WEDDING = ("life_event", "wedding", "wedding")
MOVE = ("life_event", "move", "move")


def detect(text, *known, previous="", just_said=False):
    compiled, concepts = load_shipped()
    facts = [KnownFact(number, *each) for number, each in enumerate(known)]
    return detect_corrections(
        text,
        previous_assistant_text=previous,
        facts=facts,
        just_said=facts if just_said else [],
        extracted=extract_facts(text, compiled=compiled, concepts=concepts, now=SAID_AT, previous=previous),
        compiled=compiled,
        concepts=concepts,
    )


@pytest.mark.parametrize(
    ("text", "known", "value"),
    [
        ("couple of hills yeah. oh and make it 1200, bonus came in", BIKE, "1200 EUR"),
        ("wool. and make it 900 actually, mum chipped in", BIKE, "900 EUR"),
        ("ладно, подними до 900, премию дали", BIKE, "900 EUR"),
        ("والله غيرت رايي خليها 900", BIKE, "900 EUR"),
        ("shoghl. bos 5aleeha 900 ana abadt enaharda", BIKE, "900 EUR"),
        ("想了想，预算提高到900吧", BIKE, "900 EUR"),
        ("لا لا غلطت بالكتابة، 42 مو 41", SHOES, "42"),
        ("38 мне уже мал, теперь у меня 42", SHOES, "42"),
        ("ok I changed, now I wear 42", SHOES, "42"),
        ("بص، أبويا هيساعدني، خليهم ١٣ ألف", ("budget", "general", "9000 EGP"), "13000 EGP"),
        ("خليهم ١٣ ألف ونص، أبويا هيساعدني", ("budget", "general", "9000 EGP"), "13500 EGP"),
    ],
)
def test_words_of_change_put_a_value_in_the_place_of_the_one_that_is_known(text, known, value):
    (correction,) = detect(text, known)

    assert (correction.effect, correction.replacement.value) == ("replaced", value)


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("hang on, 41 is my brother's, i'm a 43", "43"),
        ("no wait 41 is my brother's size, i take a 42 and a half", "42.5"),
        ("блин не, 41 это у сестры, у меня 37 с половиной", "37.5"),
        ("لا لا استنى، ٤١ هاد مقاس أخوي، أنا ٤٤", "44"),
        ("la2 estanna 41 da bta3 a5oya, ana 43 w nos", "43.5"),
        ("等等，41是我妹的，我要43", "43"),
    ],
)
def test_a_value_that_is_anothers_gives_way_to_the_authors_own(text, value):
    (correction,) = detect(text, SHOES, previous="41, got it.")
    assert (correction.effect, correction.replacement.value) == ("replaced", value)


@pytest.mark.parametrize(
    "text",
    [
        "41 is my brother's, 43 is my dad's",
        "41 is mine, my brother is a 43",
        "41 is my favourite, i'm 43 today",
        "41 это у сестры тоже, а у мамы 38",
        "41 is my brother's, my nephew is a 43",
        "41 это у сестры, а мой племянник носит 43",
        "41是我妹的，我表弟要43",
        "41 is his, i need them by the 24th",
        "41 is my brother's, i paid 50 for mine",
        "41 is my brother's, i'm 43 next week",
        "41 is for my boots, i'm a 43 in sneakers",
        "41 как у мужа, у меня 42 в кроссовках",
    ],
)
def test_a_value_of_somebody_else_takes_the_place_of_none(text):
    assert not any(each.effect == "replaced" for each in detect(text, SHOES, previous="41, got it."))


@pytest.mark.parametrize(
    "text",
    [
        "my brother just told me to make it 1500",
        "should I make it 1500?",
        "when I was rich I would make it 1500",
        "1500 people came",
        "my brother is now 900 km away",
        "make it 3 pizzas",
        "make it 900 people",
        "don't make it 900",
    ],
)
def test_nobody_else_and_no_question_changes_a_value(text):
    assert not any(each.effect == "replaced" for each in detect(text, BIKE))


def test_a_change_that_may_be_of_two_facts_changes_neither():
    two = [("budget", "shoes", "80 EUR"), ("budget", "coat", "200 EUR")]

    assert detect("make it 150", *two) == []


@pytest.mark.parametrize(
    "text",
    [
        "lol ok forget i said that, my eyes hurt",
        "forget that number, I have to ask first",
        "не, забудь эту сумму, сам ещё не знаю",
        "а не, забудь эту просьбу",
        "算了,忘掉我刚说的预算,别记",
        "omg forget that 😂 i cant take it",
        "аа забудь, это кринж",
    ],
)
def test_what_was_just_said_is_forgotten_with_a_reason_or_by_its_name(text):
    (correction,) = detect(text, BIKE, just_said=True)

    assert correction.effect == "forgotten"


def test_forget_that_with_a_reason_forgets_nothing_that_protects():
    assert detect("forget that, let's go north", ("allergy", "nuts", "nuts"), just_said=True) == []


@pytest.mark.parametrize(
    "text",
    [
        "forget my size",
        "delete my number",
        "forget what I said about dinner",
        "забудь мой вес",
        "не забудь мой размер",
        "预算取消了",
        "انسي وزني",
        "ensa wazni",
    ],
)
def test_what_names_something_else_forgets_nothing_that_protects(text):
    assert detect(text, ("allergy", "peanuts", "peanuts"), just_said=True) == []


def test_of_several_facts_that_are_named_is_forgotten():
    weight, height = ("body_params", "weight_kg", "94"), ("body_params", "height_cm", "180")
    (correction,) = detect("please forget my weight, i don't want that saved", weight, height, just_said=True)

    assert [fact.key for fact in correction.facts] == ["weight_kg"]


@pytest.mark.parametrize(
    ("text", "known"),
    [
        ("hey. so the wedding's off. you can bin the seating chart", WEDDING),
        ("They filled the post and cancelled my interview.", ("life_event", "interview", "interview")),
        ("so um. weddings off. pls dont ask", WEDDING),
        ("scratch the denver thing, i'm not moving after all, they're letting me stay", MOVE),
    ],
)
def test_an_event_is_cancelled_whoever_else_the_sentence_is_about(text, known):
    (correction,) = detect(text, known)

    assert correction.effect == "ended"


def test_what_the_sister_cancelled_is_hers():
    assert detect("my sister called, her wedding is off", WEDDING) == []


def test_a_line_is_lifted_by_taking_it_off_the_list():
    (correction,) = detect("torture can come off my lines", ("hard_ban", "torture", "torture"))

    assert correction.effect == "ended"


def test_a_mistake_of_former_days_is_no_condition_of_a_denial():
    (correction,) = detect("我对芒果不过敏，以前是误会", ("allergy", "mango", "mango"))

    assert correction.effect == "ended"


@pytest.mark.parametrize(
    ("text", "known", "value"),
    [
        ("yeah ideally. oh and mum's chipping in so we can go up to 520", ("budget", "espresso", "350 USD"), "520 USD"),
        ("كاميرا. وخلي الميزانية 12500 قبضت النهارده 😎", ("budget", "mobile", "9000 EGP"), "12500 EGP"),
        ("omash. la2 khalli el budget 4500 3ashan el helwin", ("budget", "bag", "3000 EGP"), "4500 EGP"),
        ("لحظه قست نفسي عند الخياطه وطلع مقاسي 56، امشي على 56", ("body_params", "size", "54"), "56"),
        ("raise my budget to 500", ("budget", "espresso", "350 USD"), "500 USD"),
        ("new budget is 400", ("budget", "espresso", "350 USD"), "400 USD"),
        ("my budget is now 600", ("budget", "espresso", "350 USD"), "600 USD"),
        ("turns out I'm a 43", ("body_params", "shoe_size", "42"), "43"),
        ("I measured again and it came out as 43", ("body_params", "shoe_size", "42"), "43"),
        ("поднимем бюджет до 500", ("budget", "espresso", "350 USD"), "500 USD"),
        ("новый бюджет 500", ("budget", "espresso", "350 USD"), "500 USD"),
        ("оказалось, у меня 43", ("body_params", "shoe_size", "42"), "43"),
        ("померила ногу, вышло 43", ("body_params", "shoe_size", "42"), "43"),
        ("预算改成500", ("budget", "espresso", "350 USD"), "500 USD"),
        ("现在预算是500", ("budget", "espresso", "350 USD"), "500 USD"),
        ("量了一下是43", ("body_params", "shoe_size", "42"), "43"),
        ("طلع وزني 75", ("body_params", "weight_kg", "72"), "75"),
        ("wazni sar 75", ("body_params", "weight_kg", "72"), "75"),
        ("change my shoe size to 43", ("body_params", "shoe_size", "42"), "43"),
        ("let's make it 500", ("budget", "espresso", "350 USD"), "500 USD"),
        ("update my weight to 75", ("body_params", "weight_kg", "72"), "75"),
    ],
)
def test_a_raised_budget_and_a_size_measured_anew_are_new_values(text, known, value):
    said = [each.replacement.value for each in detect(text, known) if each.replacement]
    compiled, concepts = load_shipped()
    heard = extract_facts(text, compiled=compiled, concepts=concepts, now=SAID_AT)
    assert said == [value] or [each.value for each in heard if (each.type, each.key) == known[:2]] == [value]


@pytest.mark.parametrize(
    ("text", "known"),
    [
        ("turns out it's 43 degrees outside", ("body_params", "shoe_size", "42")),
        ("we can go up to 4 people", ("budget", "espresso", "350 USD")),
        ("use 2 eggs", ("body_params", "shoe_size", "42")),
        ("raise the price to 500 and I walk", ("budget", "espresso", "350 USD")),
        ("my brother's budget is now 600", ("budget", "espresso", "350 USD")),
        ("она говорит новый бюджет 500", ("budget", "espresso", "350 USD")),
        ("按43页的方法做", ("body_params", "shoe_size", "42")),
        ("طلع 3 تنانين", ("body_params", "size", "54")),
        ("put down the sword, 43 orcs", ("body_params", "shoe_size", "42")),
        ("the new size 43 shoes look great on him", ("body_params", "shoe_size", "42")),
        ("ориентируйся на север, 43 шага", ("body_params", "shoe_size", "42")),
        ("it came out as 43 points in the quiz", ("body_params", "shoe_size", "42")),
        ("use 43 as the seed", ("body_params", "shoe_size", "42")),
    ],
)
def test_other_figures_are_no_new_values(text, known):
    assert [each for each in detect(text, known) if each.facts] == []


@pytest.mark.parametrize(
    ("text", "known", "effect"),
    [
        (
            "поездка в Грузию откладывается, когда теперь хз, начальник не отпустил",
            ("life_event", "trip", "trip november"),
            "ended",
        ),
        ("el interview etlaghet", ("life_event", "interview", "interview"), "ended"),
        ("the wedding is postponed, no idea until when", WEDDING, "ended"),
        ("свадьбу перенесли, даты пока нет", WEDDING, "ended"),
        ("the trip's on hold", ("life_event", "trip", "trip november"), "ended"),
        ("they've put off my exam", ("life_event", "exam", "exam"), "disputed"),
        ("السفرة تأجلت", ("life_event", "trip", "trip november"), "disputed"),
        ("婚礼推迟了", WEDDING, "disputed"),
        ("el 3ers t2ajjal", WEDDING, "disputed"),
    ],
)
def test_what_is_put_off_is_over_where_nobody_knows_the_day_and_else_in_doubt(text, known, effect):
    (correction,) = detect(text, known)
    assert (correction.effect, [fact.key for fact in correction.facts]) == (effect, [known[1]])


@pytest.mark.parametrize(
    ("text", "known"),
    [
        ("I can eat tuna just fine", ("allergy", "fish", "fish")),
        ("Треску и лосось ем спокойно", ("allergy", "fish", "fish")),
        ("beer is fine now", ("hard_ban", "alcohol", "alcohol")),
        ("I'm not allergic to cod", ("allergy", "fish", "fish")),
    ],
)
def test_a_kind_of_what_protects_takes_none_of_it_back(text, known):
    assert not any(each.effect == "ended" for each in detect(text, known))


def test_the_thing_itself_is_taken_back_by_its_own_name():
    for text in ("I'm not allergic to fish anymore", "рыбу теперь ем спокойно", "我对鱼不过敏了"):
        assert [each.effect for each in detect(text, ("allergy", "fish", "fish"))] == ["ended"]


@pytest.mark.parametrize(
    ("text", "known"),
    [
        ("the exam was postponed to friday", ("life_event", "exam", "exam")),
        ("свадьбу перенесли на 5 июня", ("life_event", "wedding", "wedding")),
        ("the delivery was delayed", ("life_event", "wedding", "wedding")),
        ("my sister's wedding was postponed", ("life_event", "wedding", "wedding")),
        ("is the exam postponed?", ("life_event", "exam", "exam")),
        ("العرس تأجل ليوم الجمعة", ("life_event", "wedding", "wedding")),
        ("婚礼推迟到下周六", ("life_event", "wedding", "wedding")),
        ("if the wedding gets postponed I'll cry", ("life_event", "wedding", "wedding")),
        ("the meeting got pushed back", ("life_event", "exam", "exam")),
        ("my sister's wedding was cancelled", ("life_event", "wedding", "wedding")),
        ("the wedding photographer cancelled on us", ("life_event", "wedding", "wedding")),
        ("my wedding dress got cancelled", ("life_event", "wedding", "wedding")),
    ],
)
def test_what_is_moved_asked_or_anothers_is_not_over(text, known):
    assert not any(each.effect == "ended" for each in detect(text, known))


@pytest.mark.parametrize(
    ("text", "known", "key"),
    [
        ("ну вообще речь только про копчёную рыбу, жареную я норм ем", ("hard_ban", "fish", "fish"), "копченая_рыба"),
        ("well, only body horror really", ("hard_ban", "horror", "horror"), "body_horror"),
        ("To be exact it's only shrimp. Mussels and clams I eat", ("allergy", "shellfish", "shellfish"), "shrimp"),
    ],
)
def test_a_statement_is_narrowed_to_a_kind_and_the_wider_is_in_doubt(text, known, key):
    (correction,) = detect(text, known, just_said=True)
    assert (correction.effect, correction.replacement.key) == ("disputed", key)


@pytest.mark.parametrize(
    "text",
    ["I only like fried fish", "only small fish live here", "у нас только речная рыба", "there's only one fish left"],
)
def test_only_alone_narrows_nothing(text):
    assert [each for each in detect(text, ("hard_ban", "fish", "fish"), just_said=True) if each.facts] == []
