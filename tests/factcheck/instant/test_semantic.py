"""Hearing by meaning: what values are taken, which texts are embedded, and who has the last word."""

from dataclasses import replace

import numpy as np
import pytest

from factcheck.instant.core.author_spans import AuthorSpans
from factcheck.instant.core.extraction import extract_facts
from factcheck.instant.core.hearing_model import HearingModel, Thresholds
from factcheck.instant.core.labelled_lines import SAID_AT
from factcheck.instant.core.messages import fold_message
from factcheck.instant.core.pattern_sets import load_shipped
from factcheck.instant.core.reader_context import ReaderContext
from factcheck.instant.core.statement_kinds import KindModel
from factcheck.instant.core.value_candidates import list_candidates
from factcheck.instant.core.value_choice import BUCKETS, ValueModel

SURE, UNSURE = 5.0, -5.0


class FixedScorer:
    """Says the same of every text, and remembers what it was asked."""

    tagger = None
    version = "fixed"

    def __init__(
        self,
        logit: float,
        *,
        accept: float = 0.0,
        refuse: float = -9.0,
        sure: float = -99.0,
        kinds: tuple[str, str] = ("allergy", "hard_ban"),
    ) -> None:
        """`logit` is of the first of the kinds."""
        self.asked: list[str] = []
        self.model = HearingModel(
            version="fixed",
            embedder="fixed",
            kinds=KindModel(
                kinds,
                np.zeros((2, 1), np.float32),
                np.zeros(1, np.float32),
                np.zeros((1, 2), np.float32),
                np.array([logit, UNSURE], np.float32),
            ),
            values=ValueModel(np.zeros(BUCKETS, np.float32), kind_weight=1.0, bias=0.0),
            thresholds={kind: Thresholds(accept, refuse, sure, sure) for kind in kinds},
        )

    def embed(self, texts):
        self.asked += texts
        return np.zeros((len(texts), 2), np.float32)


UNHEARD = "hazelnut cake last night, worst idea of my year, ended up on a drip"


def test_a_value_in_a_statement_of_its_kind_is_a_fact(extract):
    scorer = FixedScorer(SURE)
    (fact,) = extract(UNHEARD, scorer=scorer)
    assert (fact.type, fact.key, fact.pattern) == ("allergy", "hazelnuts", "semantic/allergy@fixed")
    assert (fact.quote, fact.language) == ("hazelnut", "en")
    assert scorer.asked == [UNHEARD]


def test_without_a_statement_of_the_kind_there_is_none(extract):
    assert extract(UNHEARD, scorer=FixedScorer(UNSURE)) == []


def test_a_text_that_names_nothing_is_not_embedded(extract):
    scorer = FixedScorer(SURE)
    assert extract("so how was your day then", scorer=scorer) == []
    assert scorer.asked == []


@pytest.mark.parametrize(
    "text",
    [
        "my brother swells up from hazelnuts every time",
        "if i were allergic to hazelnuts i'd tell you",
        "do hazelnuts make people ill?",
        '"hazelnuts will be the end of me", she said in the film',
    ],
)
def test_guards_have_the_last_word(extract, text):
    assert extract(text, scorer=FixedScorer(SURE)) == []


def test_words_of_a_character_are_not_heard(extract):
    assert extract(UNHEARD, scorer=FixedScorer(SURE), mode="in_character") == []


def test_a_pattern_is_not_believed_where_the_sentence_states_nothing_like_it(extract):
    text = "hazelnuts give me hives"
    assert [fact.key for fact in extract(text)] == ["hazelnuts"]
    assert extract(text, scorer=FixedScorer(UNSURE, refuse=-4.0)) == []
    (kept,) = extract(text, scorer=FixedScorer(UNSURE, refuse=-6.0))
    assert not kept.pattern.startswith("semantic/")


@pytest.mark.parametrize(
    ("text", "key"),
    [
        ("I'm allergic to hazelnuts", "hazelnuts"),
        ("у меня аллергия на фундук", "hazelnuts"),
        ("عندي حساسية من المكسرات", "nuts"),
        ("3indi 7asasiya min nuts", "nuts"),
        ("我对花生过敏,麻烦记一下", "peanuts"),
        ("Запиши: у меня аллергия на фундук.", "hazelnuts"),
    ],
)
def test_no_model_refuses_an_allergy_that_its_author_states_as_such(extract, text, key):
    (fact,) = extract(text, scorer=FixedScorer(UNSURE, refuse=9.0))
    assert (fact.type, fact.key) == ("allergy", key)


def test_no_model_refuses_a_size_that_holds_now(extract):
    sizes = extract("lost weight, now I wear size L", scorer=FixedScorer(UNSURE, refuse=9.0))
    assert [(fact.key, fact.value) for fact in sizes] == [("size", "L")]


@pytest.mark.parametrize(
    "text", ["I'm not allergic to hazelnuts", "ma3indi 7asasiya min nuts", "عندي حساسية من المكسرات، أمزح معاك"]
)
def test_what_is_plainly_denied_or_a_joke_is_stated_by_no_model(extract, text):
    assert [fact for fact in extract(text, scorer=FixedScorer(SURE, accept=-9.0)) if fact.type == "allergy"] == []


def test_what_answers_a_question_is_left_alone(extract):
    facts = extract(
        "hazelnuts", previous="Is there anything you are allergic to?", scorer=FixedScorer(UNSURE, refuse=9)
    )
    assert [(fact.type, fact.key) for fact in facts] == [("allergy", "hazelnuts")]


@pytest.mark.parametrize(
    ("question", "text", "value"),
    [
        ("How much could you spend on the hotel?", "70 to 100 a night", "100"),
        ("Сколько готовы отдать за коляску?", "15-17 тыс", "17000"),
        ("كم ميزانيتكم لكسوة العيد؟", "ستين ألف ريال", "60000 riyal"),
    ],
)
def test_a_number_of_an_answer_is_as_readers_read_it(extract, question, text, value):
    facts = extract(text, previous=question, scorer=FixedScorer(UNSURE))
    assert [(fact.type, fact.value) for fact in facts] == [("budget", value)]
    assert facts[0].answers_previous


@pytest.mark.parametrize(
    "text",
    [
        "my dad and I are allergic to hazelnuts",
        "we're all allergic to hazelnuts in this house",
        "у сына аллергия на фундук, и у меня аллергия на фундук",
        "انا وابني عندنا حساسية من البندق",
        "我和我妈都对榛子过敏",
    ],
)
def test_what_harms_the_author_and_somebody_else_is_never_refused(extract, text):
    assert [fact.key for fact in extract(text, scorer=FixedScorer(UNSURE, refuse=9.0))] == ["hazelnuts"]


@pytest.mark.parametrize("more", ["", ". w ebny el tany 3ando 7asasiya men el manga", ". ana ba7eb el manga"])
def test_what_a_pattern_heard_of_somebody_else_is_weighed_with_the_guard(more):
    text = "ana la2, bas ebny el so8ayar 3ando 7asasiya men el manga"
    compiled, concepts = load_shipped()
    heard = extract_facts(
        "mango", compiled=compiled, concepts=concepts, now=SAID_AT, previous="What are you allergic to?"
    )
    fact = replace(heard[0], start=text.index("manga"), end=len(text), quote="manga")
    text += more
    context = ReaderContext(AuthorSpans(text), compiled.readers, concepts, SAID_AT)

    candidates = list_candidates(fold_message(text), [fact], context)

    weighed = next(each for each in candidates if each.is_heard)
    assert weighed.fact == fact
    assert "other_subject" in weighed.guards


def test_a_kind_without_thresholds_is_heard_by_patterns_alone(extract):
    scorer = FixedScorer(SURE)
    (fact,) = extract("my shoe size is 42", scorer=scorer)
    assert fact.key == "shoe_size"


def test_of_a_long_message_the_sentences_that_name_something_are_embedded(extract):
    talk = "We walked along the river and talked about the weather for hours. " * 8
    scorer = FixedScorer(SURE)
    facts = extract(f"{talk}{UNHEARD}. {talk}", scorer=scorer)
    assert [fact.key for fact in facts] == ["hazelnuts"]
    assert [text.strip(" .") for text in scorer.asked] == [UNHEARD]


def test_all_of_a_long_message_without_marks_can_be_embedded(extract):
    talk = "we walked along the river and talked about the weather for hours and " * 6
    scorer = FixedScorer(SURE)
    assert [fact.key for fact in extract(talk + UNHEARD, scorer=scorer)] == ["hazelnuts"]
    assert all(len(text) <= 300 for text in scorer.asked)


def test_a_message_of_many_sentences_costs_a_bounded_number_of_texts(extract):
    scorer = FixedScorer(SURE)
    extract(
        " ".join(f"Day {number}: hazelnuts and walnuts all along the road." for number in range(500)), scorer=scorer
    )
    assert 0 < len(scorer.asked) <= 4
    assert all(len(text) <= 300 for text in scorer.asked)


def test_what_a_pattern_heard_is_kept_behind_any_number_of_values(extract):
    pantry = ["walnuts", "cashews", "shrimp", "kiwi", "mango", "sesame", "honey"]
    garden = ["celery", "mustard", "garlic", "bananas", "apples", "peaches", "oranges"]
    things = pantry + garden
    walks = " ".join(f"We saw {one} and {other}." for one in things for other in things)
    text = f"{walks} I'm allergic to hazelnuts."
    assert [fact.key for fact in extract(text)] == ["hazelnuts"]
    assert "hazelnuts" in [fact.key for fact in extract(text, scorer=FixedScorer(SURE))]


def test_a_tenant_without_the_pattern_sets_still_hears_by_meaning(extract):
    pattern_sets = frozenset({"companion", "everyday", "table_safety"})
    (fact,) = extract("I'm allergic to hazelnuts", scorer=FixedScorer(SURE), pattern_sets_off=pattern_sets)
    assert fact.pattern == "semantic/allergy@fixed"


@pytest.mark.parametrize("text", ["hazelnuts", "Hazelnuts!!"])
def test_a_value_that_stands_alone_states_nothing_without_a_question(extract, text):
    assert extract(text, scorer=FixedScorer(SURE)) == []
    assert extract(f"ugh, {text}", scorer=FixedScorer(SURE)) != []
