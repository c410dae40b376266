"""The audit log: append-only, with one writer."""
