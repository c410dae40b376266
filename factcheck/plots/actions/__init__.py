"""Events are extracted, again where need be."""
