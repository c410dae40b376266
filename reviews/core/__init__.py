"""Pure parts of review: who acts and what they may, merging, replacing, scoring."""
