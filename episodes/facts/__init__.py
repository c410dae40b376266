"""Facts that rest on messages: written by the engine, read with their evidence, within one world."""
