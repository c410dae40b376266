"""Routes that fail in every way there is, for the tests of problem documents."""

from __future__ import annotations

import django.db
import psycopg
import redis
from django.core.exceptions import PermissionDenied
from django.http import Http404, HttpResponse
from django.urls import path
from rest_framework import exceptions, serializers
from rest_framework.permissions import AllowAny
from rest_framework.response import Response
from rest_framework.views import APIView

from memoryproject.errors import ConflictError, ForbiddenError, InvalidError, NotFoundError, UnavailableError
from memoryproject.urls import handler400, handler403, handler404, handler500, urlpatterns  # noqa: F401


class LineSerializer(serializers.Serializer):
    count = serializers.IntegerField(min_value=1)


class OrderSerializer(serializers.Serializer):
    name = serializers.CharField(max_length=5)
    lines = LineSerializer(many=True)

    def validate(self, attrs):
        if attrs["name"] == "twice":
            raise serializers.ValidationError("Not twice.", code="twice")
        return attrs


class TooShort(InvalidError):
    code = "too_short"


class StaleBase(ConflictError):
    code = "stale_base"


class EmbedderDown(UnavailableError):
    code = "embedder_down"


def database_error(error: type[Exception], sqlstate: str) -> Exception:
    failure = error("the row says: my secret diary")
    failure.__cause__ = psycopg.errors.lookup(sqlstate)("the row says: my secret diary")
    return failure


ERRORS = {
    "invalid": lambda: TooShort("Say more.", shortest=3),
    "missing": lambda: NotFoundError("No such document."),
    "conflict": lambda: StaleBase("Stale."),
    "forbidden": lambda: ForbiddenError("Four eyes."),
    "unavailable": lambda: EmbedderDown("Embedder down.", retry_after_seconds=7),
    "anonymous": exceptions.NotAuthenticated,
    "throttled": lambda: exceptions.Throttled(wait=2.3),
    "http404": Http404,
    "denied": PermissionDenied,
    "redis": lambda: redis.ConnectionError("no socket"),
    "redis-timeout": lambda: redis.TimeoutError("slow"),
    "database": lambda: django.db.OperationalError("connection refused"),
    "timeout": lambda: database_error(django.db.OperationalError, "57014"),
    "deadlock": lambda: database_error(django.db.OperationalError, "40P01"),
    "too-big": lambda: database_error(django.db.DataError, "22003"),
    "our-bug": lambda: database_error(django.db.DataError, "22012"),
    "surprise": lambda: RuntimeError("a surprise with a detail"),
    "impersonated": lambda: InvalidError("Really.", status=200, code="x", request_id="forged"),
}


class FailingView(APIView):
    permission_classes = [AllowAny]

    def get(self, request, name):
        error = ERRORS[name]()
        raise error

    def post(self, request, name):
        serializer = OrderSerializer(data=request.data)
        serializer.is_valid(raise_exception=True)
        return Response(serializer.validated_data)


def failing_page(request, name):
    error = ERRORS[name]()
    raise error


def plain_page(request):
    return HttpResponse("plain")


urlpatterns = [
    *urlpatterns,
    path("api/v1/fail/<str:name>", FailingView.as_view()),
    path("api/v1/page-fail/<str:name>", failing_page),
    path("page-fail/<str:name>", failing_page),
    path("plain", plain_page),
]
