# Memory37: one image for web, worker, beat and the migrate job; the command chooses.
FROM python:3.11-slim-bookworm AS build
ENV PIP_NO_CACHE_DIR=1 PIP_DISABLE_PIP_VERSION_CHECK=1
RUN python -m venv /venv
COPY requirements.txt .
RUN /venv/bin/pip install -r requirements.txt

FROM python:3.11-slim-bookworm
ENV PATH=/venv/bin:$PATH \
    PYTHONUNBUFFERED=1 \
    PYTHONDONTWRITEBYTECODE=1 \
    MEMORY37_DATA_DIR=/var/lib/memory37 \
    STATIC_ROOT=/app/staticfiles \
    PROMETHEUS_MULTIPROC_DIR=/tmp/metrics \
    WEB_HOST=0.0.0.0 \
    WEB_PORT=8000
RUN useradd --system --uid 10001 --home-dir /var/lib/memory37 --create-home memory37
WORKDIR /app
COPY --from=build /venv /venv
COPY . .
# The values below only let settings load; nothing connects and nothing of them stays in the image.
RUN SECRET_KEY=only-for-this-step DATABASE_URL=postgresql://none/none REDIS_URL=redis://none \
    python manage.py collectstatic --noinput
USER memory37
EXPOSE 8000
HEALTHCHECK --interval=15s --timeout=5s --start-period=30s \
    CMD ["python", "-c", "import os, urllib.request; urllib.request.urlopen(f\"http://127.0.0.1:{os.environ['WEB_PORT']}/healthz\", timeout=4)"]
CMD ["python", "-m", "memoryproject.web"]
