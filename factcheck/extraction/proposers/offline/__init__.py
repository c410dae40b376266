"""Proposals without a chat model: what instant hearing leaves, read over several messages."""
