"""Statements as people type them, word for word as they were reported missing or misread."""

import pytest

from bench.facts import Reader


@pytest.fixture(scope="module")
def reader():
    return Reader()


def _keys(reader, text, previous=""):
    return {(fact.type, fact.key) for fact in reader.read(text, previous)}


@pytest.mark.parametrize(
    ("text", "facts"),
    [
        (
            "heads up before we start the session, im deathly allergic to shellfish irl so dont describe feasts",
            {("allergy", "shellfish")},
        ),
        (
            "allergic to latex, penicillin and apparently cats now",
            {("allergy", "latex"), ("allergy", "penicillin"), ("allergy", "cats")},
        ),
        ("no spiders. ever. not even tiny ones", {("hard_ban", "spiders")}),
        (
            "lines for me: harm to kids, sexual violence. veils: torture",
            {("hard_ban", "child_harm"), ("hard_ban", "sexual_violence"), ("hard_ban", "torture")},
        ),
        ("عندي حساسية شديدة من الفول السوداني الله يخليك انتبه", {("allergy", "peanuts")}),
        ("у меня на пенициллин отек. а еще на кошек аллергия", {("allergy", "penicillin"), ("allergy", "cats")}),
        ("حساسيتي من الروبيان تخنقني حرفيا", {("allergy", "shrimp")}),
        ("hazelnuts = anaphylaxis for me", {("allergy", "hazelnuts")}),
        ("орехи мне нельзя, задыхаюсь", {("allergy", "nuts")}),
        ("I'm not joking, shellfish could kill me", {("allergy", "shellfish")}),
        ("3indi 7asasiya min el manga to be honest", {("allergy", "mango")}),
        ("allergic to cats n dogs + pollen", {("allergy", "cats"), ("allergy", "dogs"), ("allergy", "pollen")}),
        ("عندي حساسية من الحليب والبيض والسمك", {("allergy", "milk"), ("allergy", "eggs"), ("allergy", "fish")}),
        ("у меня аллергия на никель и шерсть", {("allergy", "nickel"), ("allergy", "wool")}),
        ("lines:\n- gore\n- clowns\n- harm to animals", {
            ("hard_ban", "gore"), ("hard_ban", "clowns"), ("hard_ban", "animal_harm")}),
    ],
)  # fmt: skip
def test_statement_is_heard_with_an_unknown_tail_left_alone(text, facts, reader):
    assert _keys(reader, text) == facts


@pytest.mark.parametrize(
    "text",
    [
        "у кузнеца кончилась медь",
        "الحياة حلوة وما ابي اشوف الحياة كذا",
        "ما أقدر أروح الكعبة بدون الحملة",
        "не хочу в горы",
        "Bob: I'm allergic to nuts",
        "<Bob> I'm allergic to cats",
        "[12:03] Masha: у меня аллергия на орехи",
        "سارة: عندي حساسية من البيض",
        "```\nI'm allergic to nuts\n```",
        "Anna wrote: I'm allergic to nuts",
        "I pretended to be allergic to nuts to get out of dinner",
        "for years I believed I was allergic to milk, turns out I'm not",
        "كنت فاكر عندي حساسية من اللبن وطلع سليم",
        "zaman kont ma bakol samak",
        "skip the torture for this one scene, next session it is back",
    ],
)
def test_others_words_beliefs_and_other_words_give_nothing(text, reader):
    assert _keys(reader, text) == set()


@pytest.mark.parametrize(
    ("previous", "text", "facts"),
    [
        ("Do you have any food allergies?", "peanuts", {("allergy", "peanuts", "peanuts")}),
        ("Аллергии есть?", "орехи и мёд", {("allergy", "nuts", "nuts"), ("allergy", "honey", "honey")}),
        ("هل لديك حساسية؟", "سمك وبيض", {("allergy", "fish", "fish"), ("allergy", "eggs", "eggs")}),
        ("Are you allergic to peanuts?", "yes", {("allergy", "peanuts", "peanuts")}),
        ("Are you allergic to anything?", "nope", set()),
        ("What size do you wear?", "M", {("body_params", "size", "M")}),
        ("Your shoe size?", "41", {("body_params", "shoe_size", "41")}),
        ("Which size is yours: S, M or L?", "the second", {("body_params", "size", "M")}),
        ("How much can you spend, in euros?", "600 for the lot", {("budget", "general", "600 EUR")}),
        ("Какой у вас рост?", "метр шестьдесят три", {("body_params", "height_cm", "163")}),
        ("You like cats, right?", "peanuts", set()),
        ("", "peanuts", set()),
    ],
)
def test_question_gives_the_type_of_a_bare_answer(previous, text, facts, reader):
    found = reader.read(text, previous)
    assert {(fact.type, fact.key, fact.value) for fact in found} == facts
    assert all(fact.answers_previous for fact in found)
