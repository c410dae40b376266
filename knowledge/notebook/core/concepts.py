"""What kinds of things notes of projects speak of: names of one class can stand in each other's place.

Tables, one class a row; the words by which keys and notes call the class come first. A class that is missing costs a
conflict that is not shown, never a wrong one.
"""

from __future__ import annotations

import re
from functools import cache

_CLASSES = (
    (
        "db database dbms storage бд база субд хранилище قاعدة 数据库",
        "postgresql postgres pg mysql mariadb sqlite mongodb mongo oracle mssql cassandra scylladb dynamodb couchdb "
        "cockroachdb clickhouse redis valkey neo4j firestore supabase elasticsearch duckdb tidb yugabytedb cosmosdb "
        "монго монга монгу постгрес постгря мускул редис кликхаус оракл",
    ),
    (
        "language lang язык لغة 语言",
        "python typescript javascript java kotlin go golang rust ruby php c# csharp c++ cpp scala elixir erlang haskell "
        "swift dart clojure f# lua perl zig ocaml питон джава раст котлин",
    ),
    (
        "frontend ui фронтенд фронт واجهة 前端",
        "react vue angular svelte solid preact ember nextjs nuxt remix astro htmx alpine qwik реакт вью ангуляр",
    ),
    (
        "backend framework фреймворк бэкенд إطار 框架 后端",
        "django flask fastapi rails laravel symfony spring express nestjs koa gin fiber actix axum phoenix aspnet starlette "
        "litestar sanic джанго фласк",
    ),
    (
        "queue broker mq очередь брокер طابور 队列 消息队列",
        "kafka rabbitmq nats sqs celery pulsar activemq zeromq redpanda sidekiq кафка рэббит",
    ),
    (
        "cloud hosting provider облако хостинг провайдер سحابة استضافة 云 托管",
        "aws azure gcp heroku digitalocean hetzner vercel netlify flyio render linode ovh cloudflare yandexcloud selectel",
    ),
    (
        "ci cicd pipeline сборка 持续集成",
        "jenkins githubactions gitlabci circleci travis teamcity drone buildkite argocd tekton",
    ),
    (
        "os system distro ос система نظام 操作系统",
        "linux windows macos ubuntu debian fedora arch alpine centos rhel freebsd nixos astra убунту дебиан",
    ),
    ("orchestrator deploy оркестратор деплой نشر 部署 编排", "kubernetes k8s nomad swarm ecs openshift compose mesos"),
    ("editor ide редактор محرر 编辑器", "vim neovim emacs vscode intellij pycharm webstorm sublime zed helix cursor"),
    ("vcs git система_версий 版本控制", "git mercurial svn perforce fossil jujutsu"),
    ("api protocol протокол بروتوكول 协议", "rest graphql grpc soap websocket trpc jsonrpc odata"),
    ("model llm модель نموذج 模型", "gpt claude llama mistral gemini qwen deepseek gemma phi grok yi"),
    ("license лицензия ترخيص 许可证", "mit apache gpl agpl lgpl bsd mpl isc unlicense"),
    (
        "day weekday день يوم 星期",
        "monday tuesday wednesday thursday friday saturday sunday понедельник вторник среда четверг пятница суббота "
        "воскресенье الاثنين الثلاثاء الأربعاء الخميس الجمعة السبت الأحد 周一 周二 周三 周四 周五 周六 周日",
    ),
    (
        "currency валюта عملة 货币",
        "usd eur rub gbp cny jpy chf dollar euro ruble pound yuan доллар евро рубль юань",
    ),
    (
        "environment env stage среда_окружения بيئة 环境",
        "production staging development prod dev stg прод стейдж",
    ),
)
_WORD = re.compile(r"[\u3400-\u9fff]+|[^\W_\u3400-\u9fff]+[#+]*")


@cache
def load_classes() -> tuple[dict[str, int], dict[str, int]]:
    """Word that calls a class to the class, and name of a member to the class."""
    words: dict[str, int] = {}
    names: dict[str, int] = {}
    for index, (called, members) in enumerate(_CLASSES):
        words |= dict.fromkeys(called.replace("_", " ").split(), index)
        names |= dict.fromkeys(members.split(), index)
    return words, names


def list_words(text: str) -> list[str]:
    """The words of a text, small; keys are cut at `_` and `-`."""
    return [word.casefold() for word in _WORD.findall(text.replace("_", " "))]


def find_class(text: str) -> int | None:
    """The class of the first word of a text that is the name of a member; None without one."""
    _, names = load_classes()
    return next((names[word] for word in list_words(text) if word in names), None)


def find_called_class(text: str) -> int | None:
    """The class that a key calls, such as `db` or `основной язык`; None without one."""
    words, _ = load_classes()
    return next((words[word] for word in list_words(text) if word in words), None)
