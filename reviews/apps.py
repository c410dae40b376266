from django.apps import AppConfig


class ReviewsConfig(AppConfig):
    """Registers the app with Django."""

    default_auto_field = "django.db.models.BigAutoField"
    name = "reviews"
    label = "reviews"
    verbose_name = "Reviews"
