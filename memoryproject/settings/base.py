"""Applications, middleware, templates, languages and static files."""

from pathlib import Path

from memoryproject.environment import read_bool, read_choice, read_text

BASE_DIR = Path(__file__).resolve().parent.parent.parent
DATA_DIR = Path(read_text("MEMORY37_DATA_DIR") or BASE_DIR / ".data").resolve()
CONFIG_DIR = BASE_DIR / "config"
KNOWLEDGE_CONFIG = Path(read_text("KNOWLEDGE_CONFIG") or CONFIG_DIR / "knowledge.yaml")
PROMPT_BUDGETS = Path(read_text("PROMPT_BUDGETS") or CONFIG_DIR / "prompt_budgets.yaml")
PROMPTS_DIR = Path(read_text("PROMPTS_DIR") or CONFIG_DIR / "prompts")
PROCESS = read_choice("MEMORY37_PROCESS", "command", ("web", "worker", "beat", "command"))
"""What this process is: ``web``, ``worker``, ``beat`` or ``command``."""

DEBUG = read_bool("DEBUG", default=False)

INSTALLED_APPS = [
    "unfold.apps.BasicAppConfig",
    "unfold.contrib.filters",
    "unfold.contrib.simple_history",
    "memoryproject.admin.site.EditorsAdminConfig",
    "django.contrib.auth",
    "django.contrib.contenttypes",
    "django.contrib.sessions",
    "django.contrib.messages",
    "django.contrib.staticfiles",
    "django.contrib.postgres",
    "rest_framework",
    "drf_spectacular",
    "drf_spectacular_sidecar",
    "django_celery_beat",
    "pgtrigger",
    "simple_history",
    "corsheaders",
    "csp",
    "axes",
    "tenancy.apps.TenancyConfig",
    "knowledge.apps.KnowledgeConfig",
    "npcs.apps.NpcsConfig",
    "episodes.apps.EpisodesConfig",
    "factcheck.apps.FactcheckConfig",
    "reviews.apps.ReviewsConfig",
    "runtime.apps.RuntimeConfig",
    "devtools",
]

MIDDLEWARE = [
    "corsheaders.middleware.CorsMiddleware",
    "memoryproject.middleware.AnonymousRateMiddleware",
    "memoryproject.middleware.ProbesMiddleware",
    "memoryproject.middleware.RequestRecordMiddleware",
    "memoryproject.middleware.StaticFilesMiddleware",
    "memoryproject.middleware.FailureMiddleware",
    "django.middleware.security.SecurityMiddleware",
    "memoryproject.middleware.PermissionsPolicyMiddleware",
    "csp.middleware.CSPMiddleware",
    "django.contrib.sessions.middleware.SessionMiddleware",
    "django.middleware.common.CommonMiddleware",
    "django.middleware.csrf.CsrfViewMiddleware",
    "django.contrib.auth.middleware.AuthenticationMiddleware",
    "django.contrib.messages.middleware.MessageMiddleware",
    "django.middleware.clickjacking.XFrameOptionsMiddleware",
    "axes.middleware.AxesMiddleware",
]

TEMPLATES = [
    {
        "BACKEND": "django.template.backends.django.DjangoTemplates",
        "DIRS": [BASE_DIR / "templates"],
        "APP_DIRS": True,
        "OPTIONS": {
            "context_processors": [
                "django.template.context_processors.request",
                "django.contrib.auth.context_processors.auth",
                "django.contrib.messages.context_processors.messages",
            ],
        },
    },
]

ROOT_URLCONF = "memoryproject.urls"
ASGI_APPLICATION = "memoryproject.asgi.application"
DEFAULT_AUTO_FIELD = "django.db.models.BigAutoField"

LANGUAGE_CODE = "en"
TIME_ZONE = "UTC"
USE_TZ = True
USE_I18N = True

STATIC_URL = "/static/"
STATIC_ROOT = Path(read_text("STATIC_ROOT") or DATA_DIR / "static")
WHITENOISE_MAX_AGE = 3600
STORAGES = {
    "default": {"BACKEND": "django.core.files.storage.FileSystemStorage"},
    "staticfiles": {"BACKEND": "whitenoise.storage.CompressedStaticFilesStorage"},
}
