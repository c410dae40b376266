import pytest

from factcheck.instant.core.author_spans import AuthorSpans
from factcheck.instant.core.messages import fold_message


@pytest.mark.parametrize(
    "text",
    [
        "Anna: I'm allergic to nuts",
        "Bob: I'm not allergic to nuts",
        "bob: i'm allergic to nuts",
        "<Bob> I'm allergic to nuts",
        "[12:03] Masha: у меня аллергия на орехи nuts",
        "[22/11/2026, 12:03:11] Anna Lee: I'm allergic to nuts",
        "22.11.26, 12:03 - Маша: nuts аллергия",
        "سارة: عندي حساسية من nuts",
        "Anna [12:03 PM]: I'm allergic to nuts",
        "**Bob**: I'm allergic to nuts",
        "Anna — Today at 12:03\nI'm allergic to nuts",
        "```\nI'm allergic to nuts\n```",
        "look\n```txt\nI'm allergic to nuts",
        "Anna wrote: I'm allergic to nuts",
        "my friend texted me: I'm allergic to nuts",
        "Anna wrote:\nhi all\nI'm allergic to nuts",
        "Маша пишет: nuts мне нельзя",
        "كتبت سارة في القروب: عندي حساسية من nuts\nسارة كتبت: nuts",
        "---------- Forwarded message ----------\nFrom: Bob\n\nI'm allergic to nuts",
        "On Tue, Bob <bob@example.com> wrote:\nI'm allergic to nuts",
        "> I'm allergic to nuts",
        "[quote=Bob]I'm allergic to nuts[/quote]",
        "alice: hey all\nbob: no nuts please",
        "my favourite line is “I'm allergic to nuts”",
        "I'm allergic to nuts, says my witch and throws the cake into the fire",
        "Hm. I'm allergic to nuts! growled the old knight",
        "Я nuts не ем, говорит моя ведьма и уходит",
        "عندي حساسية من nuts، ردّ الفارس ضاحكاً",
    ],
)
def test_words_of_others_are_not_the_authors(text):
    own = AuthorSpans(text)
    assert not own.contains(text.rindex("nuts"))


@pytest.mark.parametrize(
    "text",
    [
        "Allergies: nuts",
        "Heads up: I'm allergic to nuts",
        "lines: harm to kids. veils: nuts",
        "me: allergic to nuts",
        "Quick note: I'm allergic to nuts",
        "as I said: I'm allergic to nuts",
        "я уже писала: nuts нельзя",
        "ملاحظة: عندي حساسية من nuts",
        "Важно: аллергия на nuts",
        "it is 12:30 and I'm allergic to nuts",
        "see https://example.org nuts",
        "Anna: hi\n\nI'm allergic to nuts",
        "I'm not a knight, said the knight. I'm allergic to nuts",
        "I'm allergic to nuts, says my doctor",
        "no nuts for me ever, says my mom",
        "no more nuts, says my stomach",
        "nuts мне нельзя, говорит моя мама",
        "мне нельзя nuts, говорит мой врач",
        "so :) I'm allergic to nuts",
        "two things: I'm allergic to nuts",
    ],
)
def test_labels_and_the_authors_own_lines_are_theirs(text):
    assert AuthorSpans(text).contains(text.rindex("nuts"))


def test_label_may_be_the_name_of_a_known_thing(concepts):
    text = "Hazelnuts: anaphylaxis for me"
    assert not AuthorSpans(text).contains(len(text) - 1)
    assert AuthorSpans(text, is_topic=concepts.names_thing).contains(len(text) - 1)


def test_only_asides_count_in_character():
    text = "Anna: hi ((I'm allergic to nuts))"
    own = AuthorSpans("*bows* ((I'm allergic to nuts)) nuts")
    assert own.says_anything
    assert own.contains(10)
    assert not own.contains(33)
    assert not AuthorSpans(text, "in_character").contains(2)


@pytest.mark.parametrize(
    ("text", "said", "kinds"),
    [
        ("if i were allergic to nuts", "allergic", {"condition"}),
        ("is it true i'm allergic to nuts?", "i'm allergic", {"question"}),
        ("my sister is allergic to nuts", "allergic", {"other_subject"}),
        ("anna said i'm allergic to nuts", "i'm allergic", {"quote"}),
        ("i'm allergic to nuts, just kidding", "i'm allergic", {"joke"}),
        ("i'm not joking, i'm allergic to nuts", "i'm allergic", set()),
        ("я не шучу, у меня аллергия", "у меня аллергия", set()),
        ("i'm allergic to nuts", "i'm allergic", set()),
        ("sick to death of nuts", "nuts", {"negation"}),
        ("nuts make me sick", "nuts", set()),
    ],
)
def test_guards_of_any_clause_are_told_by_kind(text, said, kinds, compiled):
    message = fold_message(text)
    start = message.text.index(said)
    assert compiled.guard_sets.find_kinds(message, start, start + len(said), fact_type="allergy") == kinds


@pytest.mark.parametrize(
    ("text", "said", "fact_type", "kinds"),
    [
        ("don't talk like a robot", "robot", "hard_ban", {"quote"}),
        ("لا تحكي معي متل الروبوت", "روبوت", "hard_ban", {"quote"}),
        ("no robots please", "robots", "hard_ban", set()),
        ("люди тратят на выпускной 30 тыщ", "30", "budget", {"other_subject"}),
        ("за ремонт просят 30 тыщ", "30", "budget", {"other_subject"}),
        ("на ремонт у меня 30 тыщ", "30", "budget", set()),
        ("давайте на вы, мне шестьдесят восемь", "шестьдесят", "body_params", {"other_subject"}),
        ("мой размер сорок восемь", "сорок", "body_params", set()),
    ],
)
def test_guards_of_one_type(text, said, fact_type, kinds, compiled):
    message = fold_message(text)
    start = message.text.index(said)
    assert compiled.guard_sets.find_kinds(message, start, start + len(said), fact_type=fact_type) == kinds
