"""Settings, one module per concern; every value that differs by installation is read from the environment."""

from memoryproject.settings.admin import *
from memoryproject.settings.api import *
from memoryproject.settings.base import *
from memoryproject.settings.cache import *
from memoryproject.settings.celery import *
from memoryproject.settings.database import *
from memoryproject.settings.facts import *
from memoryproject.settings.logging import *
from memoryproject.settings.mail import *
from memoryproject.settings.models import *
from memoryproject.settings.patterns import *
from memoryproject.settings.security import *
from memoryproject.settings.session_memory import *
from memoryproject.settings.traces import *
