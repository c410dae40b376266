"""Words that mean one thing and look like another: what asks and what denies, who is spoken to, values said twice."""

from __future__ import annotations

import pytest

from factcheck.claims.core.replies.canon import CanonArticle
from factcheck.claims.core.replies.canon_facts import read_sentence
from factcheck.claims.core.replies.clauses import split_clauses
from factcheck.claims.core.replies.lexicon import load_lexicon
from factcheck.claims.core.replies.questions import read_question
from factcheck.claims.core.replies.texts import list_typed_values, read_text
from tests.factcheck.replies.checks import check_reply

MILL = CanonArticle(
    slug="goose-mill",
    title="Goose Mill",
    text="Goose Mill is built of slate. Its sails are red. The flour bell hangs in a wooden belfry. It has nine lofts.",
)
PRISTAN = CanonArticle(
    slug="pristan", title="Пристань Лоза", text="Пристань Лоза сложена из кирпича. Осада пристани длилась два месяца."
)
WAHA = CanonArticle(
    slug="waha",
    title="واحة النخيل",
    text="واحة النخيل فيها قبة. لون القبة أزرق. يباع السمك والملح في الواحة كل يوم. مات شيخها هلال من الحمى.",
)


def check(question, reply, article):
    return check_reply(question, reply, article).contradictions


@pytest.mark.parametrize(
    ("question", "asks"),
    [
        ("ما لون القبة؟", {"which"}),
        ("يا غريب، ما لون القبة؟", {"which"}),
        ("يا غريب ما لون القبة؟", {"which"}),
        ("كيف مات هلال؟", {"which"}),
        ("هل ما زال الباب أزرق؟", {"yes"}),
        ("هل تفتحون كل يوم ما عدا الجمعة؟", {"yes"}),
    ],
)
def test_arabic_what_and_how_ask_and_deny_nothing(question, asks):
    read = read_question(question, load_lexicon())
    assert (read.asks, read.is_negated) == (asks, False)


def test_arabic_what_denies_within_a_question():
    assert read_question("هل صحيح أنه ما رأى القبة؟", load_lexicon()).is_negated


@pytest.mark.parametrize(
    ("question", "reply", "article"),
    [
        ("ما سبب موت هلال؟", "الغرق يا غريب.", WAHA),
        ("Is the belfry stone?", "Brick, brick all the way up.", MILL),
        ("What's the mill built of?", "Oak, and bring another jug.", MILL),
        ("How many lofts?", "Twelve, and tomorrow you can sweep them.", MILL),
        ("Traveller, what's the mill built of, my good captain?", "Granite, cold as a tax man.", MILL),
        ("Сколько длилась осада, голубчик?", "Неделю, все руки стёрли.", PRISTAN),
    ],
)
def test_a_false_reply_is_found(question, reply, article):
    assert check(question, reply, article)


@pytest.mark.parametrize(
    ("question", "reply", "article"),
    [
        ("ما سبب موت هلال؟", "الحمى يا غريب.", WAHA),
        ("ماذا يباع في الواحة؟", "يباع السمك والملح في الواحة كل يوم ما عدا الجمعة.", WAHA),
        ("Is the belfry stone?", "Wood, wood all the way up.", MILL),
        ("What's the mill built of?", "Oak or slate, I forget.", MILL),
        ("How many lofts?", "Twelve, come spring.", MILL),
        ("How many lofts?", "Twelve, once.", MILL),
        ("How many lofts?", "Twelve, across the road.", MILL),
        ("What's the mill built of?", "Oak, next door.", MILL),
        ("How many lofts?", "Twelve, they say.", MILL),
    ],
)
def test_a_true_reply_is_left_alone(question, reply, article):
    assert not check(question, reply, article)


@pytest.mark.parametrize(
    ("text", "labels"),
    [
        ("المصباح يضاء كل ليلة", set()),
        ("الأبواب بيضاء", {"colour:white"}),
        ("والقبة البيضاء", {"colour:white"}),
        ("جاء أحدهم إلى هنا", set()),
        ("عندي اثنين من الخيل", set()),
        ("يغلق يوم الأحد", {"weekday:sunday"}),
        ("كل جمعة وكل خميس", {"weekday:friday", "weekday:thursday"}),
    ],
)
def test_arabic_words_of_one_stem_are_told_apart(text, labels):
    lexicon = load_lexicon()
    found = {each.label for each in list_typed_values(read_text(text, lexicon), lexicon)}
    assert {label for label in found if label.startswith(("colour:", "weekday:"))} == labels


def test_arabic_except_denies_nothing():
    text = "يفتح السوق كل يوم ما عدا الجمعة"
    [clause] = split_clauses(text, load_lexicon())
    [statement] = read_sentence(WAHA, text, load_lexicon())
    assert not clause.is_negated
    assert not statement.is_negated


@pytest.mark.parametrize(
    "question", ["Is the gate shut, traveller?", "Закрыты ли ворота, голубчик?", "هل البوابة مغلقة يا غريب؟"]
)
def test_who_is_spoken_to_is_no_content(question):
    *others, last = read_question(question, load_lexicon()).text.keys
    assert not last
    assert any(others)
