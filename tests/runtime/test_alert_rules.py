"""Rules over shares are silent below thirty, and each rule of the second stage has a case that fires."""

from __future__ import annotations

import re
import shutil
import subprocess

import pytest
import yaml
from django.conf import settings

OPS = settings.BASE_DIR / "ops"
LEFT_OUT_BELOW_30 = {
    "memory37_validator_rejection_rate",
    "memory37_extraction_denied_rate",
    "memory37_extraction_review_error_rate",
}
WATCHED = ("memory37-facts", "memory37-extraction", "memory37-events")


def read_rules():
    groups = yaml.safe_load((OPS / "alerts.yml").read_text(encoding="utf-8"))["groups"]
    return {rule["alert"]: rule for group in groups if group["name"] in WATCHED for rule in group["rules"]}


def read_cases():
    tests = yaml.safe_load((OPS / "alerts_tests.yml").read_text(encoding="utf-8"))["tests"]
    return [case for test in tests for case in test["alert_rule_test"]]


def test_every_rule_over_a_share_names_its_n_of_thirty():
    rules = read_rules()
    assert len(rules) >= 15
    for name, rule in rules.items():
        expression = rule["expr"]
        if " / " in expression:
            assert ">= 30" in expression, name
        elif re.search(r"_rate\b", expression):
            assert set(re.findall(r"memory37_\w+_rate\b", expression)) <= LEFT_OUT_BELOW_30, name


def test_rules_tell_their_n():
    for name, rule in read_rules().items():
        if name.startswith(("Memory37Extraction", "Memory37Batch", "Memory37Gate", "Memory37Reviews")):
            told = rule["annotations"]["description"]
            assert "n is" in told or "n stands" in told or "ExtractionQueueLong" in name, name


def test_every_rule_of_the_second_stage_has_a_case_that_fires():
    fired = {case["alertname"] for case in read_cases() if case["exp_alerts"]}
    silent = {case["alertname"] for case in read_cases() if not case["exp_alerts"]}
    rules = set(read_rules())
    assert {name for name in rules if "Extraction" in name or "Batch" in name} <= fired
    assert fired | silent <= rules
    assert silent >= {"Memory37FactsCorrected", "Memory37ExtractionFails", "Memory37BatchFactsWrong"}


@pytest.mark.skipif(shutil.which("promtool") is None, reason="promtool is not installed (Debian: prometheus)")
def test_promtool_finds_the_cases_true():
    done = subprocess.run(
        ["promtool", "test", "rules", "alerts_tests.yml"], cwd=OPS, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stdout + done.stderr
