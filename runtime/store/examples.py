"""Examples and codes of `store/batch`."""

from typing import Any

TIME = "2026-03-02T10:00:00Z"
ITEM: dict[str, Any] = {
    "namespace": ["memories", "player-1"],
    "key": "tea",
    "value": {"text": "Drinks tea without sugar", "cups": 3},
    "created_at": TIME,
    "updated_at": TIME,
    "expires_at": None,
}
ASKED = {
    "ops": [
        {"op": "put", "namespace": ITEM["namespace"], "key": ITEM["key"], "value": ITEM["value"]},
        {
            "op": "search",
            "namespace": ["memories"],
            "query": "what does she drink?",
            "filter": {"cups": {"$gte": 2}},
            "limit": 3,
        },
    ]
}
ANSWERED = {
    "results": [
        {"op": "put", "outcome": "created"},
        {
            "op": "search",
            "items": [{**ITEM, "score": 0.92, "keyword_score": 1.3, "vector_score": 0.87}],
            "degraded": [],
        },
    ]
}
STORE_CODES = {
    400: {
        "store_batch_too_large": "A batch has at most 1000 operations.",
        "store_namespace_invalid": "Operation 0: The label 'a.b' is empty or holds a period.",
        "store_key_invalid": "Operation 0: A key has at most 512 bytes in UTF-8.",
        "store_value_invalid": "Operation 0: The value has 300000 bytes as JSON; the most is 262144.",
        "store_filter_invalid": "Operation 0: There is no operator '$in'; there are $eq, $ne, $gt, $gte, $lt, $lte.",
    },
    403: {
        "scope_missing": "This key was not issued for the scope 'read'.",
        "engine_only": "Operation 0: What stands below 'm37' is written by the engine and editors, never here.",
    },
    409: {"store_full": "The store of this world has 100000 items; the most is 100000."},
}
