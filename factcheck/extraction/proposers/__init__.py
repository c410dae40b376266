"""What reads a range of messages and proposes changes: a chat model, or our own parts of hearing."""
