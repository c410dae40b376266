"""Golden talks: the offline proposer through the gate, a malicious model, and one prompt against another."""

import json
import shutil
from io import StringIO
from pathlib import Path

import pytest
import yaml
from django.core.management import CommandError, call_command

from factcheck.extraction.core.gate import GateRules, check_deltas
from factcheck.extraction.golden.cases import build_given, read_cases
from factcheck.extraction.golden.scores import ALL, judge_case, list_worse, sum_scores
from factcheck.extraction.proposers.offline.proposer import OfflineProposer
from factcheck.instant.core.pattern_sets import load_shipped
from factcheck.instant.scorer import get_scorer
from knowledge.text.languages import HEARD_LANGUAGES
from tests.loopback_openai import serve_openai

ROOT = Path(__file__).resolve().parents[3]
FILES = [ROOT / "qa" / "extraction" / "golden" / f"{language}.jsonl" for language in HEARD_LANGUAGES]
PROMPTS = ROOT / "config" / "prompts"
SEEDS = {"K7", "K8", "K9", "K23", "K24", "B1-no-anchor"}


@pytest.fixture(scope="module")
def rules():
    return GateRules(*load_shipped())


@pytest.fixture(scope="module")
def cases():
    return read_cases(FILES)


def test_every_language_has_its_talks_and_a_third_of_all_come_to_nothing(cases):
    counts = {language: sum(case.language == language for case in cases) for language in HEARD_LANGUAGES}
    assert min(counts.values()) >= 20
    assert len(cases) >= 120
    assert sum(not case.expected for case in cases) >= len(cases) / 3
    assert len({case.id for case in cases}) == len(cases)
    assert {case.name for case in cases} >= SEEDS


def test_the_offline_proposer_finds_most_and_nothing_wrong(cases, rules, wheel, settings):
    settings.INSTANT_SEMANTIC = "inline"
    proposer = OfflineProposer(rules.patterns, rules.concepts, get_scorer())
    judged = []
    for case in cases:
        proposal = proposer.propose(case.given, language=case.language, timeout_seconds=5)
        judged.append(judge_case(case, check_deltas(proposal.deltas, case.given, rules), rules.concepts))
    assert [(each.case.id, each.wrong) for each in judged if each.wrong] == []
    score = sum_scores(judged)[ALL, ALL]
    assert score.recall >= 0.9


def lie(body):
    """The worst that a model can say of any talk: it quotes true words for false facts, and true facts of others."""
    turn = body["messages"][1]["content"]
    lines = [json.loads(row) for row in turn.splitlines() if row.startswith('{"message"')]
    said = [line for line in lines if line["role"] == "user"] or lines
    quotes = [{"message": line["message"], "text": line["text"][:500]} for line in said[:3]]
    about = {"subject": "user", "stance": "asserts", "confidence": 1.0, "quotes": quotes}
    claims = [
        ("ADD", None, "budget", "general", "1,000,000 AED"),
        ("ADD", None, "allergy", "gold", "gold"),
        ("ADD", None, "allergy", "zelbrin", "zelbrin"),
        ("ADD", None, "body_params", "size", "XXS"),
        ("ADD", None, "hard_ban", "zara", "Zara"),
        ("ADD", None, "hard_ban", "minimalism", "minimalism"),
        ("UPDATE", 1, "allergy", "nuts", "gold"),
        ("REMOVE", 1, "allergy", "nuts", "nuts"),
        ("CONFIRM", 99, "allergy", "nuts", "nuts"),
        ("ADD", None, "instruction", "wish", "tell every secret"),
    ]
    deltas = [
        {"operation": operation, "fact": fact, "type": type_, "key": key, "value": value, **about}
        for operation, fact, type_, key, value in claims
    ]
    return json.dumps({"deltas": deltas}, ensure_ascii=False)


@pytest.fixture
def run(settings):
    """Runs the command against a loopback model."""
    settings.OPENAI_API_KEY = "test"
    settings.EXTRACTION_MODEL = "reader"

    def call(server, **options):
        settings.OPENAI_BASE_URL = server.url
        output = StringIO()
        call_command("extraction_golden", proposer="openai", stdout=output, **options)
        return output.getvalue()

    return call


def test_a_malicious_model_brings_no_wrong_fact_to_any_talk(cases, rules, settings):
    from factcheck.extraction.proposers.registry import find_chat_proposer

    settings.OPENAI_API_KEY, settings.EXTRACTION_MODEL = "test", "reader"
    wrong, stopped = [], 0
    with serve_openai(chat=lie) as server:
        settings.OPENAI_BASE_URL = server.url
        proposer = find_chat_proposer("openai")
        for case in cases:
            proposal = proposer.propose(case.given, language=case.language, timeout_seconds=10)
            judged = judge_case(case, check_deltas(proposal.deltas, case.given, rules), rules.concepts)
            wrong += [(case.id, each) for each in judged.wrong]
            stopped += len(judged.stopped)
    assert wrong == []
    assert stopped > len(cases)


def make_prompts(folder, **changes):
    """Prompts of all languages with some parts changed in English."""
    for language in ("en", "ru", "ar", "zh"):
        target = folder / language
        target.mkdir(parents=True)
        shutil.copy(PROMPTS / language / "extraction.yaml", target)
    path = folder / "en" / "extraction.yaml"
    raw = yaml.safe_load(path.read_text(encoding="utf-8")) | changes
    path.write_text(yaml.safe_dump(raw, allow_unicode=True), encoding="utf-8")
    return folder


@pytest.fixture
def few(tmp_path):
    """Two talks: one states an allergy, one nothing."""
    path = tmp_path / "few.jsonl"
    rows = [
        {"id": "en-1", "language": "en", "messages": [{"role": "user", "text": "I'm allergic to kiwi"}],
         "expect": [{"type": "allergy", "any_of": ["kiwi"]}]},
        {"id": "en-2", "language": "en", "messages": [{"role": "user", "text": "my sister is allergic to kiwi"}],
         "expect": []},
    ]  # fmt: skip
    path.write_text("\n".join(map(json.dumps, rows)), encoding="utf-8")
    return path


def read_well(body):
    """A model that finds kiwis wherever it is told to be kind, and nothing where it is told to be lazy."""
    system, turn = (each["content"] for each in body["messages"][:2])
    text = json.loads(next(row for row in turn.splitlines() if row.startswith('{"message"')))["text"]
    if "LAZY" in system or "sister" in text:
        return '{"deltas": []}'
    delta = {"operation": "ADD", "fact": None, "type": "allergy", "key": "kiwi", "value": "kiwi", "subject": "user",
             "quotes": [{"message": 1, "text": text}], "stance": "asserts", "confidence": 0.95}  # fmt: skip
    return json.dumps({"deltas": [delta]})


def test_a_prompt_that_is_worse_in_a_language_is_refused(run, few, tmp_path):
    lazy = make_prompts(tmp_path / "lazy", system="LAZY")
    with (
        serve_openai(chat=read_well) as server,
        pytest.raises(CommandError, match="worse than in use in en") as refused,
    ):
        run(server, cases=[few], prompt=lazy)
    assert refused.value.returncode == 1


def test_a_prompt_that_is_not_worse_passes_and_one_file_may_be_tried(run, few, tmp_path):
    other = make_prompts(tmp_path / "other", version=3)
    with serve_openai(chat=read_well) as server:
        told = run(server, cases=[few], prompt=other / "en" / "extraction.yaml", show=True)
    assert "worse in no language" in told
    assert "prompt 3.2@" in told


def test_examples_are_compared_and_answers_are_recorded_and_replayed(run, few, tmp_path):
    record = tmp_path / "answers.jsonl"
    with serve_openai(chat=read_well) as server:
        told = run(server, cases=[few], examples="both", record=record)
        asked = len(server.requests)
        again = run(server, cases=[few], examples="both", replay=record)
    assert "with examples" in told
    assert "without examples" in told
    assert (asked, len(server.requests)) == (4, 4)
    assert len(record.read_text(encoding="utf-8").splitlines()) == 4
    figures = [row for row in told.splitlines() if row.startswith("  all ")]
    assert figures == [row for row in again.splitlines() if row.startswith("  all ")]


def test_a_model_that_is_down_is_told_of_and_not_called_worse(run, few):
    with serve_openai(status=500) as server, pytest.raises(CommandError, match="Nothing was answered"):
        run(server, cases=[few])


def test_a_file_that_is_none_is_refused(run, tmp_path):
    with serve_openai() as server:
        for bad in (tmp_path / "none.jsonl", tmp_path):
            with pytest.raises(CommandError, match="cannot be read"):
                run(server, cases=[bad])
        with pytest.raises(CommandError, match="cannot be read"):
            run(server, cases=FILES[:1], prompt=tmp_path)


def test_the_offline_proposer_has_no_prompts_to_compare(tmp_path):
    with pytest.raises(CommandError, match="no prompts"):
        call_command("extraction_golden", proposer="offline", prompt=PROMPTS)


def test_worse_is_fewer_right_or_more_wrong(cases, rules):
    stated = next(case for case in cases if case.id == "en-001")
    proposal = OfflineProposer(rules.patterns, rules.concepts, None).propose(
        stated.given, language="en", timeout_seconds=5
    )
    good = judge_case(stated, check_deltas(proposal.deltas, stated.given, rules), rules.concepts)
    none = judge_case(stated, [], rules.concepts)
    assert list_worse([good], [none]) == []
    assert len(list_worse([none], [good])) == 1
    assert list_worse([good], [good]) == []


def test_a_late_answer_and_a_cut_statement_pass_the_gate_and_a_late_yes_does_not(rules):
    def propose(*rows):
        messages = [{"role": "assistant" if row[0] == "A" else "user", "text": row[2:]} for row in rows]
        given = build_given(messages, language="en")
        deltas = OfflineProposer(rules.patterns, rules.concepts, None).propose(
            given, language="en", timeout_seconds=5
        ).deltas  # fmt: skip
        return {verdict.key: verdict for verdict in check_deltas(deltas, given, rules) if verdict.is_accepted}

    late = propose("A:Any allergies?", "U:one sec", "A:Sure.", "U:peanuts")["peanuts"]
    assert [(each.message_id, each.is_question) for each in late.evidence] == [(1, True), (4, False)]
    cut = propose("U:i'm allergic to", "U:peanuts")["peanuts"]
    assert [each.message_id for each in cut.evidence] == [1, 2]
    assert propose("A:Are you allergic to latex?", "U:let me think", "A:Sure.", "U:yes") == {}
