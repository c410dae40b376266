"""The labelling screen inside the admin site."""
