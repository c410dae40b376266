"""Conversations and messages, enrichment, forgetting, scene summaries, event nodes, art cards."""
