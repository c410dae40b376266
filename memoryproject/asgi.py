"""The web process."""

import os

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "memoryproject.settings")
os.environ.setdefault("MEMORY37_PROCESS", "web")

from django.core.asgi import get_asgi_application

application = get_asgi_application()
