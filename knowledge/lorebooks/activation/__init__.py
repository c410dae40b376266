"""Which entries of lorebooks a chat brings in, where they are placed, and why: a pure function in two dialects."""
