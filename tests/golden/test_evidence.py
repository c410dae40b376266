"""What proves a fact and what stands around that, and what goes when either is forgotten. Through REST."""

from __future__ import annotations

import pytest

from factcheck.rebuild.actions.rebuild import rebuild_facts
from knowledge.facts.models import UserFact
from tenancy.models import EndUser

NUTS = ("allergy", "peanuts")
SAID = "I'm allergic to peanuts"


def forget(talk, message_id, **query):
    path = f"messages/{message_id}/forget" + ("?dry_run=true" if query.get("dry_run") else "")
    with talk.committing(execute=True):
        answer = talk.api.post(path, {}).json()
    if query.get("dry_run"):
        return answer
    return talk.api.get(f"users/{talk.user}/forget-receipts/{answer['id']}").json()  # as it is after the commit


def is_rebuilt_the_same(talk):
    user = EndUser.objects.get(external_id=talk.user)
    return rebuild_facts(tenant_id=user.tenant_id, end_user_id=user.pk).differences.is_none


def test_forgetting_a_neighbour_takes_it_out_of_the_span_and_nothing_else(talk):
    before = talk.answer("What may I cook?")
    said = talk.say(SAID)
    after = talk.answer("Noted.")
    (fact,) = talk.facts()
    assert (fact["evidence"], fact["evidence_span"]) == ([said["message_id"]], [before, after])
    for gone, left in ((before, [after]), (after, [])):
        receipt = forget(talk, gone)
        assert (receipt["state"], receipt["cleared"]["facts"], receipt["echoes"]) == ("done", 0, [])
        assert talk.facts() == [{**fact, "evidence_span": left}]
    assert is_rebuilt_the_same(talk)


def test_forgetting_one_of_two_proofs_leaves_the_fact_and_the_last_one_ends_it(talk):
    first = talk.say(SAID)["message_id"]
    talk.say("The tower is old.")
    second = talk.say("As I told you, I'm allergic to peanuts")["message_id"]
    echo = talk.answer("Noted, no groundnuts for you.")
    (fact,) = talk.facts()
    assert fact["evidence"] == [first, second]
    receipt = forget(talk, second)
    assert (receipt["cleared"]["facts"], receipt["echoes"]) == (0, [])
    assert [row["evidence"] for row in talk.facts()] == [[first]]
    assert is_rebuilt_the_same(talk)
    receipt = forget(talk, first)
    assert (receipt["cleared"]["facts"], receipt["cleared"]["messages"], receipt["echoes"]) == (1, 2, [echo])
    assert talk.known() == {}
    assert is_rebuilt_the_same(talk)


def test_a_question_does_not_keep_the_fact_whose_answer_is_forgotten(talk):
    asked = talk.answer("Do you have any allergies?")
    said = talk.say("peanuts")
    (fact,) = talk.facts()
    assert fact["evidence"] == [asked, said["message_id"]]
    assert forget(talk, said["message_id"], dry_run=True)["would_clear"]["facts"] == 1
    assert forget(talk, said["message_id"])["cleared"]["facts"] == 1
    assert talk.known() == {}
    assert is_rebuilt_the_same(talk)


def test_an_answer_keeps_the_fact_whose_question_is_forgotten(talk):
    asked = talk.answer("Do you have any allergies?")
    said = talk.say("peanuts")["message_id"]
    assert forget(talk, asked)["cleared"]["facts"] == 0
    assert [row["evidence"] for row in talk.facts()] == [[said]]
    assert is_rebuilt_the_same(talk)
    assert talk.known() == {NUTS: "peanuts"}


@pytest.mark.parametrize(
    ("said", "echo"),
    [
        (SAID, "Noted, no groundnuts for you"),
        ("у меня аллергия на арахис", "Записал: никакого арахиса."),
        ("عندي حساسية من الفول السوداني", "تمام، بدون فول سوداني."),
        ("Мой размер M", "Записала: M."),
    ],
)
def test_an_echo_is_listed_in_the_receipt_and_forgotten_with_the_words(talk, said, echo):
    before = talk.answer("We have peanuts and a coat in M.")
    words = talk.say(said)["message_id"]
    echoed = talk.answer(echo)
    dry = forget(talk, words, dry_run=True)
    assert [each["excerpt"] for each in dry["echoes"]] == [echo]
    assert (dry["message_ids"], dry["would_clear"]["messages"], dry["would_clear"]["echoes"]) == ([words], 2, 1)
    receipt = forget(talk, words)
    assert (receipt["state"], receipt["echoes"], set(receipt["left"].values())) == ("done", [echoed], {0})
    rows = talk.api.get(f"{talk.path}/messages").json()["messages"]
    assert [row["id"] for row in rows if row["content"] is None] == [words, echoed]
    assert before not in receipt["echoes"]


def test_a_late_echo_goes_where_it_says_the_fact_and_a_mere_word_stays(talk):
    words = talk.say(SAID)["message_id"]
    talk.answer("Noted.")
    talk.say("Where is the market?")
    merchant = talk.answer("The merchant sells peanuts by the bag.")
    talk.say("Let us eat.")
    late = talk.answer("Remember, you can't eat groundnuts.")
    receipt = forget(talk, words)
    assert receipt["echoes"] == [late]
    rows = {row["id"]: row["content"] for row in talk.api.get(f"{talk.path}/messages").json()["messages"]}
    assert rows[merchant] == "The merchant sells peanuts by the bag."


def test_forget_that_forgets_the_last_statement_with_a_receipt(talk):
    words = talk.say(SAID)["message_id"]
    echo = talk.answer("Noted, no groundnuts for you")
    (correction,) = talk.say("forget that")["understood"]["corrections"]
    assert (correction["outcome"], correction["corrected_message_id"]) == ("forgotten", words)
    assert correction["fact"] == {"type": "allergy", "key": "", "value": ""}
    receipt = talk.api.get(f"users/{talk.user}/forget-receipts/{correction['receipt_id']}").json()
    assert (receipt["cleared"]["facts"], receipt["echoes"]) == (1, [echo])
    assert talk.known() == {}
    assert is_rebuilt_the_same(talk)


def test_forget_that_leaves_in_doubt_what_other_words_prove(talk):
    first = talk.say(SAID)["message_id"]
    talk.say("The tower is old.")
    again = talk.say("As I told you, I'm allergic to peanuts")["message_id"]
    (correction,) = talk.say("forget that")["understood"]["corrections"]
    assert (correction["outcome"], correction["corrected_message_id"]) == ("disputed", again)
    assert correction["fact"]["value"] == "peanuts"
    assert correction["receipt_id"] is not None
    assert [(row["evidence"], row["is_disputed"]) for row in talk.facts()] == [([first], True)]
    assert is_rebuilt_the_same(talk)


def test_narrowing_writes_the_narrower_first_and_doubts_the_wider(talk):
    wide = talk.say("I'm allergic to nuts")["understood"]["facts"][0]
    (correction,) = talk.say("only peanuts, not all nuts")["understood"]["corrections"]
    assert (correction["outcome"], correction["fact_id"]) == ("disputed", wide["fact_id"])
    assert correction["replacement"]["value"] == "peanuts"
    assert {(row["value"], row["is_disputed"]) for row in talk.facts()} == {("nuts", True), ("peanuts", False)}
    assert UserFact.objects.filter(is_active=False).count() == 0
    assert is_rebuilt_the_same(talk)
