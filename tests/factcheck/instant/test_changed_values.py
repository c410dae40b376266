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
        ("ладно, подними до 900, премию дали", BIKE, "900 EUR"),
        ("والله غيرت رايي خليها 900", BIKE, "900 EUR"),
        ("shoghl. bos 5aleeha 900 ana abadt enaharda", BIKE, "900 EUR"),
        ("想了想，预算提高到900吧", BIKE, "900 EUR"),
        ("لا لا غلطت بالكتابة، 42 مو 41", SHOES, "42"),
        ("38 мне уже мал, теперь у меня 42", SHOES, "42"),
        ("ok I changed, now I wear 42", SHOES, "42"),
    ],
)
def test_words_of_change_put_a_value_in_the_place_of_the_one_that_is_known(text, known, value):
    (correction,) = detect(text, known)

    assert (correction.effect, correction.replacement.value) == ("replaced", value)


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
