"""Pure parts of tenancy: who calls, what a key looks like."""
