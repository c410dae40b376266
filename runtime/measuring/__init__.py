"""Nightly figures over a sample of traces: what players had to repeat, and what packs did not find."""
