"""Events without a model behind an endpoint: names, place, time, keywords and a summary by rules."""
