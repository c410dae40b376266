"""Keys, verdicts, gold and redaction, as pure Python."""
