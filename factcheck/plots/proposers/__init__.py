"""What extracts events: a chat model, or our own parts without one."""
