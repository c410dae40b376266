"""Holding a claim against what canon says: tokens, numbers, dates, units, fields and sentences; pure Python."""
