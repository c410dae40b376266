"""Campaigns: scenes, summaries of them, events between them, flags; what the engine tells of play."""
