from django.apps import AppConfig


class RuntimeConfig(AppConfig):
    """Registers the app with Django."""

    default_auto_field = "django.db.models.BigAutoField"
    name = "runtime"
    label = "runtime"
    verbose_name = "Runtime"
