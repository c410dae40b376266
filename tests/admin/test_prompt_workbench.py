"""The prompt workbench: what it costs is told before anybody is asked, and both prompts stand side by side."""

from __future__ import annotations

import json
import uuid

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.urls import reverse

from episodes.forgetting.actions.forgetting import forget_message
from factcheck import tasks
from factcheck.extraction.models import ExtractionRun
from factcheck.extraction.workbench import store
from factcheck.extraction.workbench.comparison import TriedDelta, compare
from knowledge.facts.models import UserFact
from memoryproject.redis import get_redis
from tests.factories.conversations import open_chat, say
from tests.loopback_openai import serve_openai

pytestmark = pytest.mark.django_db
SAID = "I am allergic to hazelnuts"
KIWI = "I am allergic to kiwi"


@pytest.fixture
def chat(selmar):
    chat = open_chat(selmar.tenant)
    say(chat, SAID, KIWI)
    return chat


def delta(place, text, value):
    return {
        "operation": "ADD", "fact": None, "type": "allergy", "key": value, "value": value, "subject": "user",
        "stance": "asserts", "confidence": 0.95, "quotes": [{"message": place, "text": text}],
    }  # fmt: skip


def answer(body):
    """Without examples the model finds one fact less, and invents one."""
    deltas = [delta(1, SAID, "hazelnuts")]
    has_examples = "EXAMPLES" in body["messages"][0]["content"]
    deltas.append(delta(2, KIWI, "kiwi") if has_examples else delta(2, "I hate mice", "mice"))
    return json.dumps({"deltas": deltas})


@pytest.fixture
def model(settings, monkeypatch):
    settings.EXTRACTION_PROPOSER, settings.EXTRACTION_MODEL = "openai", "reader"
    settings.OPENAI_API_KEY = "test-secret-key"
    settings.EXTRACTION_PRICE_PROMPT, settings.EXTRACTION_PRICE_COMPLETION = 2.0, 10.0
    monkeypatch.setattr(tasks.try_prompts, "delay", tasks.try_prompts)
    with serve_openai(chat=answer) as server:
        settings.OPENAI_BASE_URL = server.url
        yield server


def fill(world, **more):
    return {
        "token": str(uuid.uuid4()), "tenant": world.tenant.pk, "talk": "player", "player": "player-1",
        "prompt_a": "shipped", "prompt_b": "no_examples", "language": "en", **more,
    }  # fmt: skip


URL = "/admin/extraction/workbench/"


def upload(text, name="extraction.yaml"):
    return SimpleUploadedFile(name, text.encode() if isinstance(text, str) else text)


def test_the_cost_is_told_first_and_then_both_stand_side_by_side(selmar, chat, model, sign_in):
    owner = sign_in(selmar.owner)
    drafted = owner.post(URL, fill(selmar), follow=True)
    told = drafted.content.decode()
    assert "2 messages" in told
    assert "Cost, at most" in told
    assert model.requests == []
    trial = drafted.request["PATH_INFO"]
    shown = owner.post(trial, follow=True).content.decode()
    assert len(model.requests) == 2
    assert "of which 2 passed the gate" in shown
    assert "of which 1 passed the gate" in shown
    assert shown.index("kiwi") < shown.index("hazelnuts"), "what differs comes first"
    assert "only A" in shown
    assert "only B" in shown
    assert "The quoted words do not stand in the message." in shown
    assert not UserFact.objects.exists()
    assert not ExtractionRun.objects.exists()


def test_the_last_200_messages_are_tried_in_as_many_parts_as_runs_would_take(selmar, model, sign_in):
    chat = open_chat(selmar.tenant, "player-2")
    say(chat, "the oldest line of all", *[f"line {number} of the tale" for number in range(85)])
    say(chat, *["On I ride." for _ in range(114)], frame="in_character")
    say(chat, SAID)
    owner = sign_in(selmar.owner)
    drafted = owner.post(URL, fill(selmar, player="player-2"), follow=True)
    told = drafted.content.decode()
    owner.post(drafted.request["PATH_INFO"])
    asked = ["\n".join(each["content"] for each in request["messages"][1:]) for request in model.requests]
    assert len(asked) == 4, "two parts, two prompts"
    lines = [line for turn in asked for line in turn.splitlines() if line.startswith('{"message"')]
    new = [json.loads(line)["text"] for line in lines if json.loads(line)["new"]]
    assert sorted(set(new)) == sorted({SAID, *(f"line {number} of the tale" for number in range(85))})
    assert len(new) == 2 * len(set(new)), "none twice by one prompt"
    assert "86 messages" in told


def test_a_model_is_paid_once_however_often_one_clicks(selmar, chat, model, sign_in):
    owner, form = sign_in(selmar.owner), fill(selmar)
    first, second = (owner.post(URL, form).url for _ in range(2))
    assert first == second
    for _ in range(2):
        owner.post(first)
    tasks.try_prompts(first.split("/")[-2])
    assert len(model.requests) == 2
    assert "the model is paid once" in owner.post(first, follow=True).content.decode()


def test_words_are_sealed_where_they_are_kept_and_go_with_what_is_forgotten(
    selmar, chat, model, sign_in, django_capture_on_commit_callbacks
):
    owner = sign_in(selmar.owner)
    url = owner.post(URL, fill(selmar)).url
    owner.post(url)
    key = store._build_key(url.split("/")[-2])
    kept = get_redis().get(key)
    assert b"hazelnuts" not in kept
    assert 0 < get_redis().ttl(key) <= 3600
    with django_capture_on_commit_callbacks(execute=True):
        forget_message(tenant_id=chat.tenant_id, message_id=chat.messages.first().pk, requested_by="test")
    assert get_redis().get(key) is None
    assert owner.get(url).status_code == 404


def test_what_is_forgotten_while_the_model_is_asked_is_not_kept(selmar, chat, model, sign_in, monkeypatch):
    owner = sign_in(selmar.owner)
    url = owner.post(URL, fill(selmar)).url

    def forget_then_answer(body):
        store.drop_trials([chat.end_user_id])
        return answer(body)

    model.chat = forget_then_answer
    owner.post(url)
    assert get_redis().get(store._build_key(url.split("/")[-2])) is None


def test_an_own_file_is_checked_with_its_line(selmar, chat, model, sign_in, settings):
    owner = sign_in(selmar.owner)
    refused = [
        (upload("version: 1\nsystem: ''\n"), "extraction.yaml:2: system"),
        (upload("version: [\n"), "extraction.yaml:"),
        (upload(b"\xff\xfe"), "not UTF-8"),
        (upload("#" * 300_000), "the most is"),
        (None, "Choose a file."),
    ]
    for file, why in refused:
        form = fill(selmar, prompt_b="upload", **({"file_b": file} if file else {}))
        told = owner.post(URL, form)
        assert told.status_code == 200
        assert why in told.content.decode()
    shipped = (settings.PROMPTS_DIR / "en" / "extraction.yaml").read_text()
    own = upload(shipped.replace("EXAMPLES", "INSTANCES"))
    url = owner.post(URL, fill(selmar, prompt_b="upload", file_b=own)).url
    told = owner.post(url, follow=True).content.decode()
    assert "extraction.yaml for en" in told
    assert "INSTANCES" in model.requests[1]["messages"][0]["content"]


def test_the_last_players_and_golden_talks_are_tried_too(selmar, chat, model, sign_in):
    owner = sign_in(selmar.owner)
    url = owner.post(URL, fill(selmar, talk="last", player="")).url
    assert "player-1" in owner.post(url, follow=True).content.decode()
    url = owner.post(URL, fill(selmar, talk="en", player="")).url
    told = owner.post(url, follow=True).content.decode()
    assert "0 right" in told
    assert "missed" in told


def test_what_makes_no_sense_is_refused(selmar, chat, model, sign_in):
    owner = sign_in(selmar.owner)
    for form, why in (
        (fill(selmar, player="player-9"), "no such player"),
        (fill(selmar, player="\x00"), "no such player"),
        (fill(selmar, prompt_b="shipped"), "nothing to compare"),
        (fill(selmar, talk="fr"), "Select a valid choice"),
        (fill(selmar, token="x"), ""),
    ):
        told = owner.post(URL, form)
        assert told.status_code == 200
        assert why in told.content.decode()
    assert model.requests == []


def test_a_model_that_is_down_is_told_of(selmar, chat, model, sign_in):
    owner = sign_in(selmar.owner)
    url = owner.post(URL, fill(selmar)).url
    model.status = 500
    told = owner.post(url, follow=True).content.decode()
    assert "player-1: The chat model" in told
    assert "Neither proposes anything" in told


def test_without_a_chat_model_the_page_says_so(selmar, chat, sign_in, settings):
    settings.EXTRACTION_PROPOSER = "offline"
    owner = sign_in(selmar.owner)
    told = owner.get(URL).content.decode()
    assert "No chat model is configured" in told
    assert '<form method="post" enctype' not in told
    assert owner.post(URL, fill(selmar)).status_code == 200


def test_owners_alone_and_of_their_own_tenant(selmar, rival, chat, model, sign_in):
    for person in (selmar.reviewer, selmar.editor):
        assert sign_in(person).get(URL).status_code == 404
    other = sign_in(rival.owner)
    assert "Select a valid choice" in other.post(URL, fill(selmar)).content.decode()
    url = sign_in(selmar.owner).post(URL, fill(selmar)).url
    assert {other.get(url).status_code, other.post(url).status_code} == {404}
    assert model.requests == []
    assert other.get(reverse("admin:prompt_trial", args=[uuid.uuid4()])).status_code == 404


def test_changes_are_told_apart_by_what_they_come_to():
    def make(value, end, **more):
        given = {
            "where": "t", "operation": "ADD", "type": "allergy", "key": value, "value": value, "quotes": (),
            "confidence": 0.9, "verdict": "accepted", "detail": "", "would_be": end,
        }  # fmt: skip
        return TriedDelta(**{**given, **more})

    rows = compare(
        [make("kiwi", "fact"), make("Figs", "fact"), make("nuts", "nothing"), make("kiwi", "nothing")],
        [make("figs", "nothing"), make("kiwi", "fact"), make("mice", "nothing")],
    )
    assert [(row.any.value, row.by, row.differs) for row in rows] == [
        ("Figs", "A", True),
        ("kiwi", "both", False),
        ("mice", "B", False),
        ("nuts", "A", False),
    ]
