from django.apps import AppConfig


class TenancyConfig(AppConfig):
    """Registers the app with Django."""

    default_auto_field = "django.db.models.BigAutoField"
    name = "tenancy"
    label = "tenancy"
    verbose_name = "Tenancy"
