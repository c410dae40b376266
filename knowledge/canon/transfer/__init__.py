"""Canon in and out: reading files for import, first loads, backups."""
