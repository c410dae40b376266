"""Pure parts of dispositions."""
