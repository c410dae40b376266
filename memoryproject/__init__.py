"""The project: settings, entry points and what every app stands on."""

from memoryproject.celery import app as celery_app

__all__ = ["celery_app"]
