"""Patterns and concepts as rows: shipped packs, people's edits, their check, the version served."""
