"""What the OpenAPI document shows of the second stage."""

from __future__ import annotations

from typing import Any

RUN: dict[str, Any] = {
    "run_id": 7,
    "user_id": "player-1",
    "state": "applied",
    "mode": "on",
    "triggered_by": "session_closed",
    "proposer": "openai",
    "model": "gpt-4.1-mini",
    "prompt_version": "3",
    "language": "en",
    "messages": 14,
    "extracted": 1,
    "nothing": 12,
    "rejected": 1,
    "failed": 0,
    "deltas": 2,
    "deltas_applied": 1,
    "input_tokens": 2150,
    "output_tokens": 180,
    "cost_usd": 0.0011,
    "duration_ms": 1840,
    "error_code": "",
    "created_at": "2026-03-01T18:31:00Z",
    "finished_at": "2026-03-01T18:31:02Z",
    "reverted_at": None,
    "held_for": None,
    "follows_id": None,
}
QUOTE: dict[str, Any] = {"message_id": 91, "text": "sesame is what closes my throat, remember"}
PROPOSED: dict[str, Any] = {
    "operation": "ADD",
    "type": "allergy",
    "key": "sesame",
    "value": "sesame",
    "quotes": [QUOTE],
    "subject": "user",
    "stance": "asserts",
    "confidence": 0.93,
    "verdict": "accepted",
    "detail": "",
}
DELTA: dict[str, Any] = {"position": 1, **PROPOSED, "outcome": "written", "fact_id": 31, "candidate_id": None}
MESSAGE: dict[str, Any] = {"message_id": 91, "state": "extracted", "code": "", "run_id": 7}
READ_MESSAGE: dict[str, Any] = {
    "message_id": 91,
    "user_id": "player-1",
    "conversation_id": 7,
    "seq": 13,
    "role": "user",
    "content": "I am allergic to nickel.",
    "language": "en",
    "sent_at": "2026-03-01T19:12:31Z",
    "is_current": True,
    "forgotten_at": None,
    "extraction": MESSAGE,
}
RUN_DETAIL: dict[str, Any] = {**RUN, "delta_list": [DELTA], "message_list": [MESSAGE]}
RUN_LIST: dict[str, Any] = {"data": [RUN], "next_cursor": None}
QUEUED: dict[str, Any] = {"user_id": "player-1", "waiting": 14}
REVERTED: dict[str, Any] = {"run": RUN, "ended": [31], "restored": [], "kept": [], "settled": []}
DRY: dict[str, Any] = {
    "proposer": "openai",
    "model": "gpt-4.1-mini",
    "prompt_version": "3",
    "messages": 30,
    "input_tokens": 2150,
    "output_tokens": 180,
    "cost_usd": 0.0011,
    "deltas": [{**PROPOSED, "would_be": "fact"}],
}
CANDIDATE: dict[str, Any] = {
    "candidate_id": 5,
    "type": "life_event",
    "key": "wedding",
    "value": "wedding",
    "state": "open",
    "confidence": 0.86,
    "language": "en",
    "evidence": [88],
    "independent": 1,
    "fact_id": None,
    "first_said_at": "2026-03-01T18:02:00Z",
    "last_said_at": "2026-03-01T18:02:00Z",
}
CANDIDATES: dict[str, Any] = {"data": [CANDIDATE], "next_cursor": None}
