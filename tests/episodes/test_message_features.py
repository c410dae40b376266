"""What ranks the messages of a talk besides their words: who says them, when, and what stands around them."""

from __future__ import annotations

import datetime as dt

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from episodes.embedding.actions.embeddings import embed_messages
from episodes.forgetting.actions.erasure import erase_user
from episodes.search.selectors.search import search_episodes
from knowledge.config import DEFAULT_FEATURES, get_message_settings
from tests.factories.conversations import open_chat, say

WEEKS = dt.datetime(2024, 5, 3, 12, tzinfo=dt.UTC)


def post_messages(conversation, *messages):
    """Messages of (role, text) or (role, text, weeks after the first of May)."""
    for role, text, *weeks in messages:
        say(conversation, (role, text), sent_at=WEEKS + dt.timedelta(weeks=weeks[0] if weeks else 0))
    embed_messages(conversation.pk)


def find(conversation, query, **features):
    settings = get_message_settings()
    return search_episodes(
        tenant_id=conversation.tenant_id,
        end_user_id=conversation.end_user_id,
        query=query,
        settings=settings.model_copy(update={"features": {**settings.features, **features}}),
    ).cards


@pytest.fixture
def named(tenant):
    return open_chat(tenant, participants={"user": "Lena", "assistant": "Mira"})


COURSE = {
    "en": ("When did I start the course?", "The course, at last! Thanks for the course!",
           "Which course do you want to start?",
           "I started the cooking course yesterday, it runs all spring."),
    "ru": ("Когда я начала курс?", "Курс, наконец-то! Спасибо за курс!", "Какой курс ты хочешь начать?",
           "Вчера начала курс кулинарии, он идёт всю весну."),
    "ar": ("متى بدأت أنا الدورة؟", "الدورة أخيراً! شكراً على الدورة!", "أي دورة تريدين أن تبدأي؟",
           "بدأت دورة الطبخ أمس، وهي تستمر طوال الربيع."),
    "zh": ("我什么时候开始上课程的？", "课程，终于！谢谢课程！", "你想开始哪门课程？",
           "我昨天开始上烹饪课程，要上一整个春天。"),
}  # fmt: skip


@pytest.mark.parametrize("language", COURSE)
def test_when_did_i_start_finds_the_message_that_says_when_by_the_right_person(named, language):
    question, chatter, asked, answer = COURSE[language]
    post_messages(named, ("assistant", chatter), ("assistant", asked), ("user", answer), ("assistant", chatter))
    assert find(named, question)[0].raw_excerpt == answer


@pytest.mark.parametrize(
    ("question", "wanted"),
    [
        ("What did we play on May 17, 2024?", "We play chess, third table."),
        ("Во что мы играли 10 мая 2024 года, chess?", "We play chess, second table."),
        ("في أي chess لعبنا يوم 24 مايو 2024؟", "We play chess, fourth table."),
        ("2024年5月3日 chess", "We play chess, first table."),
    ],
)
def test_a_date_in_the_question_finds_what_was_said_then(conversation, question, wanted):
    tables = ("first", "second", "third", "fourth", "fifth")
    rest = [("user", text) for text in ("bread", "cheese", "olives")]
    for weeks, table in enumerate(tables):
        post_messages(
            conversation, *[(*message, weeks) for message in (("user", f"We play chess, {table} table."), *rest)]
        )
    found = find(conversation, question)
    assert wanted in [card.raw_excerpt for card in found[:2]]  # beside what was said within a week after it
    assert dict(found[0].parts.features)["date"] == pytest.approx(DEFAULT_FEATURES["date"])


def test_the_speaker_is_known_by_participants_or_by_labels_in_the_text(named, tenant):
    post_messages(named, ("user", "The red house by the sea"), ("assistant", "The red house by the lake"))
    assert find(named, "What did Mira say of the red house?")[0].role == "assistant"
    assert find(named, "What did Lena say of the red house?")[0].role == "user"
    labelled = open_chat(tenant, "player-2")
    post_messages(labelled, ("user", "Ann: The red house by the sea"), ("assistant", "Bob: The red house by the lake"))
    assert find(labelled, "What about the red house, as Bob saw it?")[0].role == "assistant"
    assert find(labelled, "What about the red house, as Ann saw it?")[0].role == "user"


def test_names_of_an_open_conversation_can_change(tenant):
    def open_named(**participants):
        return open_chat(tenant, external_id="chat-1", participants=participants)

    assert open_named().user_name == ""
    assert open_named(user="Lena").user_name == "Lena"
    again = open_named(assistant="Mira")
    again.refresh_from_db()
    assert (again.user_name, again.assistant_name) == ("Lena", "Mira")


def test_a_score_is_the_sum_of_what_explains_it(named):
    post_messages(
        named, ("user", "the bell of the tower"), ("assistant", "What tower?"), ("user", "the old one, since May")
    )
    for card in find(named, "When did I say that of the tower bell?"):
        parts = card.parts
        assert set(dict(parts.features)) == set(DEFAULT_FEATURES)
        assert card.score == pytest.approx(parts.bm25_part + parts.vector_part + sum(dict(parts.features).values()))


def test_a_query_of_a_whole_page_costs_no_more_statements(named):
    post_messages(named, *[("user", f"word{n} of many words number {n}") for n in range(60)])
    page = " ".join(f"word{n}" for n in range(60))
    with CaptureQueriesContext(connection) as captured:
        cards = find(named, page)
    assert len(captured) == 3
    assert cards


def test_an_erasure_takes_the_names_too(named):
    post_messages(named, ("user", "I am Lena"))
    erase_user(tenant_id=named.tenant_id, end_user_id=named.end_user_id, reason="asked", requested_by="support")
    named.refresh_from_db()
    assert (named.user_name, named.assistant_name) == ("", "")
