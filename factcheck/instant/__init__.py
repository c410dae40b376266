"""Facts heard in a message at once: patterns, readers, guards, fitted layers. No chat model."""
