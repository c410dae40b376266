"""The project: settings, doors and what every app stands on."""

from memoryproject.celery import app as celery_app

__all__ = ["celery_app"]
