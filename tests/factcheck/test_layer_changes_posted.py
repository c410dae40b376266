"""Changes of mind that fitted layers read, from the post to what is known, the replay and the worker."""

import pytest
from django.db import IntegrityError

from episodes.alternatives.actions import AlternativeDraft
from episodes.forgetting.actions.forgetting import forget_messages
from episodes.forgetting.core.selections import Selection
from episodes.models import Message
from factcheck.alternatives.actions import edit_message
from factcheck.instant import change_reader
from factcheck.instant.actions.late_readings import read_late
from factcheck.instant.change_reader import ChangeReading
from factcheck.instant.core.change_cases import CHANGES
from factcheck.posting.actions import messages
from factcheck.rebuild.actions.rebuild import rebuild_facts
from knowledge.errors import FactProtected
from knowledge.facts.actions.corrections import Correction, deactivate_fact, dispute_fact, restore_fact
from knowledge.facts.models import MemoryCorrection, UserFact
from knowledge.facts.selectors.facts import view_fact
from tests.factories.conversations import open_chat, post_and_extract


class Script:
    """Says of messages what they do to the fact of a type; of all others that they do nothing."""

    version = "v1"
    limits = protected = dict.fromkeys(CHANGES, 0.5)

    def __init__(self, told):
        self.told = told
        self.asked = []
        self.kept = {}

    @property
    def model(self):
        return self

    def find(self, case, concepts):
        return self.kept.get(case)

    def read(self, case, concepts):
        if case not in self.kept:
            self.asked.append(case.asked)
            self.kept[case] = self._read(case)
        return self.kept[case]

    def _read(self, case):
        type_, change, new = self.told.get(case.text, ("", "stays", ""))
        odds = tuple({change if fact.type == type_ else "stays": 0.99} for fact in case.facts)
        return ChangeReading(odds, (case.text.index(new), case.text.index(new) + len(new)) if new else None)


@pytest.fixture
def script(monkeypatch, settings):
    def script(**told):
        settings.INSTANT_SEMANTIC = "inline"
        monkeypatch.setattr("factcheck.posting.actions.messages.get_scorer", lambda: None)
        monkeypatch.setattr("factcheck.instant.actions.extraction.get_scorer", lambda: None)
        found = Script({text: (type_, *rest) for type_, (text, *rest) in told.items()})
        monkeypatch.setattr(change_reader, "_load_change_reader", lambda: found)
        return found

    return script


def list_known():
    views = map(view_fact, UserFact.objects.filter(is_active=True).order_by("pk"))
    return [(view.type, view.value, view.is_disputed) for view in views]


def is_rebuilt_alike(chat):
    return rebuild_facts(tenant_id=chat.tenant_id, end_user_id=chat.end_user_id).differences.is_none


RISE = "he gave me a rise, so forget the old sum, 95 it is"
OVER = "no, nothing will come of my holiday, sadly"
ALSO = "oh and also those capybaras give me hives"


def test_another_sum_takes_the_place_of_the_known_one(chat, script):
    layers = script(budget=(RISE, "replaced", "95"))
    post_and_extract(chat, "my budget is 60 dollars", ("assistant", "Anything else?"))
    post_and_extract(chat, RISE)
    assert list_known() == [("budget", "95 USD", False)]
    assert layers.asked[-1] == "Anything else?"
    assert is_rebuilt_alike(chat)


def test_a_sum_that_is_to_be_forgotten_is_no_other_sum(chat, script):
    script(budget=("I'd rather you forgot the 200. She reads over my shoulder", "ends", ""))
    post_and_extract(chat, "my budget is 200 euros for the gift")
    post_and_extract(chat, "I'd rather you forgot the 200. She reads over my shoulder")
    assert list_known() == []


def test_a_sum_for_something_else_is_stated_though_it_is_the_same(chat, script):
    said = "scrap the trip budget. my budget for the sofa is 500"
    script(budget=(said, "ends", ""))
    post_and_extract(chat, "my budget for the trip is 500")
    post_and_extract(chat, said)
    assert [(type_, value) for type_, value, _ in list_known()] == [("budget", "500")]


def test_an_event_is_over_and_says_why(chat, script):
    script(life_event=(OVER, "ends", ""))
    post_and_extract(chat, "I have a surgery on friday", ("assistant", "Oh!"))
    [posted] = post_and_extract(chat, OVER)
    assert list_known() == []
    [told] = posted.understood.corrections
    assert (told.outcome, told.fact_type, told.quote) == ("deactivated", "life_event", OVER)
    assert is_rebuilt_alike(chat)


def test_the_database_lets_layers_alone_end_nothing_that_protects(chat, script):
    post_and_extract(chat, "I'm allergic to nuts")
    fact = UserFact.objects.get()
    owner = {"tenant_id": chat.tenant_id, "end_user_id": chat.end_user_id, "fact_id": fact.pk}
    correction = Correction(type="user_denied", trigger_message_id=fact.said_in, basis="layers")
    with pytest.raises(FactProtected):
        deactivate_fact(**owner, correction=correction)
    MemoryCorrection.objects.create(
        tenant_id=chat.tenant_id, end_user_id=chat.end_user_id, fact=fact, correction_type="user_denied",
        outcome="deactivated", basis="layers", trigger_message_id=fact.said_in,
    )  # fmt: skip
    with pytest.raises(IntegrityError, match="user_fact_protected_ends_on_ground"):
        UserFact.objects.filter(pk=fact.pk).update(is_active=False, ended_reason="denied", valid_to=fact.valid_from)


def test_a_thing_is_added_and_stays_after_a_replay_without_layers(chat, script):
    script(allergy=(ALSO, "added", "capybaras"))
    post_and_extract(chat, "I'm allergic to nuts", ("assistant", "Noted."))
    post_and_extract(chat, ALSO)
    assert list_known() == [("allergy", "nuts", False), ("allergy", "capybaras", False)]
    script()
    assert is_rebuilt_alike(chat)


def test_what_was_added_goes_with_its_words(chat, script):
    script(allergy=(ALSO, "added", "capybaras"))
    post_and_extract(chat, "I'm allergic to nuts", ("assistant", "Noted."))
    [posted] = post_and_extract(chat, ALSO)
    forget_messages(
        tenant_id=chat.tenant_id, end_user_id=chat.end_user_id, requested_by="test",
        selection=Selection("messages", message_ids=(posted.message.pk,)),
    )  # fmt: skip
    assert list_known() == [("allergy", "nuts", False)]
    assert is_rebuilt_alike(chat)


def test_what_protects_is_in_doubt_at_most(chat, script):
    text = "well, forget it, those days are behind me"
    script(allergy=(text, "ends", ""))
    post_and_extract(chat, "I'm allergic to nuts", ("assistant", "Shall we go on?"))
    post_and_extract(chat, text)
    assert list_known() == [("allergy", "nuts", True)]
    assert is_rebuilt_alike(chat)


def test_no_model_runs_while_the_author_is_locked(chat, script, monkeypatch):
    layers = script(life_event=(OVER, "ends", ""))
    post_and_extract(chat, "I have a surgery on friday", ("assistant", "Oh!"))
    order, read, lock = [], layers._read, messages.lock_end_user
    monkeypatch.setattr(layers, "_read", lambda case: order.append("read") or read(case))
    monkeypatch.setattr(messages, "lock_end_user", lambda **more: order.append("lock") or lock(**more))
    post_and_extract(chat, OVER)
    assert order == ["read", "lock"]
    assert list_known() == []


def test_nothing_is_read_where_nothing_is_known_or_nothing_corrected(chat, script):
    layers = script()
    post_and_extract(chat, OVER, "we walked along the river")
    assert layers.asked == []


def test_what_another_player_said_is_not_read(chat, tenant, script):
    layers = script(life_event=(OVER, "ends", ""))
    post_and_extract(chat, "I have a surgery on friday")
    post_and_extract(open_chat(tenant, "player-2"), OVER)
    assert layers.asked == []
    assert [known[0] for known in list_known()] == ["life_event"]


def test_what_an_edit_says_is_read_in_the_worker(chat, script, tenant, late):
    script(life_event=(OVER, "ends", ""))
    *_, posted = post_and_extract(chat, "I have a surgery on friday", ("assistant", "Oh!"), "no, sadly rain again")
    edit_message(tenant_id=tenant.pk, message_id=posted.message.pk, draft=AlternativeDraft(OVER), requested_by="test")
    assert len(list_known()) == 1
    late()
    assert list_known() == []
    assert is_rebuilt_alike(chat)


def test_what_one_request_says_and_takes_back_is_read_in_the_worker(chat, script, late):
    layers = script(life_event=(OVER, "ends", ""))
    post_and_extract(chat, "I have a surgery on friday", OVER)  # when it was read nothing was known
    assert (len(list_known()), layers.asked) == (1, [])
    late()
    assert list_known() == []


@pytest.fixture
def late(monkeypatch, settings):
    """Reads all messages in the worker."""
    monkeypatch.setattr("factcheck.instant.actions.late_readings.get_scorer", object)

    def late():
        read_late(list(Message.objects.select_related("conversation")))

    return late


def test_the_worker_hears_it_where_posting_does_not(chat, script, settings, late):
    script(life_event=(OVER, "ends", ""), allergy=(ALSO, "added", "capybaras"))
    settings.INSTANT_SEMANTIC = "after"
    post_and_extract(chat, "I have a surgery on friday", "I'm allergic to nuts", ("assistant", "Oh!"), OVER, ALSO)
    assert len(list_known()) == 2
    for _ in range(2):  # a second run changes nothing
        late()
        assert list_known() == [("allergy", "nuts", False), ("allergy", "capybaras", False)]
        assert MemoryCorrection.objects.count() == 1
    assert is_rebuilt_alike(chat)


def test_a_doubt_that_was_settled_since_does_not_come_back(chat, script, settings, late):
    doubt = "no wait, was it nuts at all, never mind"
    script(allergy=(doubt, "doubted", ""))
    settings.INSTANT_SEMANTIC = "after"
    post_and_extract(chat, "I'm allergic to nuts", ("assistant", "Oh!"), doubt)
    late()
    assert list_known() == [("allergy", "nuts", True)]
    post_and_extract(chat, ("assistant", "Are you allergic to nuts?"), "yes")
    assert list_known() == [("allergy", "nuts", False)]
    late()
    assert list_known() == [("allergy", "nuts", False)]


def test_what_was_settled_before_the_worker_came_stays_settled(chat, script, settings, late):
    doubt = "no wait, was it nuts at all, never mind"
    script(allergy=(doubt, "doubted", ""))
    settings.INSTANT_SEMANTIC = "after"
    [said, *_] = post_and_extract(chat, "I'm allergic to nuts", ("assistant", "Oh!"), doubt)
    fact = UserFact.objects.get()
    owner = {"tenant_id": chat.tenant_id, "end_user_id": chat.end_user_id, "fact_id": fact.pk}
    support = Correction(type="support", reason="asked by mail", made_by="sam", corrected_message_id=said.message.pk)
    dispute_fact(**owner, correction=support)
    restore_fact(**owner, correction=support)
    late()
    assert list_known() == [("allergy", "nuts", False)]


def test_a_message_that_states_something_is_read_for_changes_too(chat, script, settings, late):
    both = "my shoe size is 43, and no, nothing will come of my holiday"
    script(life_event=(both, "ends", ""))
    settings.INSTANT_SEMANTIC = "after"
    post_and_extract(chat, "I have a surgery on friday", ("assistant", "Oh!"), both)
    assert {known[0] for known in list_known()} == {"life_event", "body_params"}
    late()
    assert {known[0] for known in list_known()} == {"body_params"}
