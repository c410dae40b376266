"""The change-request queue, extraction samples, the audit log, quality figures."""
