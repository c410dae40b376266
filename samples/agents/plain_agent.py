"""An agent with a memory, without a framework: one loop, any OpenAI-compatible model, a notebook of Memory37.

A turn: what the notebook knows goes into the prompt; the model answers, and writes commands such as
`[SAVE_FACT key="db" value="PostgreSQL"]` into its answer; Memory37 takes them out and does them; where the model asked
for something, it gets one more round with the results.

    export M37=http://localhost:8000 NOTEBOOK_KEY=m37_…
    export OPENAI_BASE_URL=http://localhost:11434/v1 OPENAI_MODEL=qwen3:8b
    python samples/agents/plain_agent.py

Nothing but Python's own library is needed.
"""

from __future__ import annotations

import argparse
import json
import os
import sys
import time
import urllib.error
import urllib.parse
import urllib.request
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from typing import Any

KEPT_MESSAGES = 20
"""The newest words of the talk that the model sees again; what is older is the notebook's."""
CONTEXT_TOKENS = 800
TIMEOUT_SECONDS = 60
MAX_ATTEMPTS = 3
Send = Callable[[str, str, dict[str, str], bytes | None], tuple[int, bytes]]
"""Method, address, headers and body to status and answer: how requests travel."""


class Refused(Exception):
    """Memory37 or the model said no; the text says why."""


def send_by_http(method: str, url: str, headers: dict[str, str], body: bytes | None) -> tuple[int, bytes]:
    """Status and answer of one request over the network."""
    request = urllib.request.Request(url, data=body, headers=headers, method=method)  # noqa: S310 - addresses are ours
    try:
        with urllib.request.urlopen(request, timeout=TIMEOUT_SECONDS) as answer:  # noqa: S310
            return answer.status, answer.read()
    except urllib.error.HTTPError as error:
        return error.code, error.read()


@dataclass
class Memory37:
    """The calls that an agent makes to its notebook."""

    url: str
    key: str
    notebook: str
    agent: str
    send: Send = send_by_http

    def open(self) -> None:
        """The notebook is there; a new one belongs to this agent."""
        self._call("PUT", "", {"title": f"Notes of {self.agent}"})

    def read_prompt(self, language: str) -> str:
        """How the model is told about its notebook and the commands."""
        return str(self._call("GET", f"/prompt?{urllib.parse.urlencode({'language': language})}")["prompt"])

    def read_context(self, message: str, language: str) -> str:
        """What the notebook has for a message: facts, and the memories that it is about."""
        asked = {"q": message[:4000], "budget": CONTEXT_TOKENS, "language": language}
        return str(self._call("GET", f"/context?{urllib.parse.urlencode(asked)}")["text"])

    def run_commands(self, text: str, given: list[str], language: str) -> dict[str, Any]:
        """The model's text without commands (`clean`), what became of each, and what to tell the model (`follow_up`).

        `given` is what the model was shown: commands that it merely repeats are not done.
        """
        body = {"text": text, "given": [each[:200_000] for each in given][-50:], "language": language}
        return self._call("POST", "/commands", body)

    def _call(self, method: str, path: str, body: Any = None) -> dict[str, Any]:
        address = f"{self.url.rstrip('/')}/api/v1/notebooks/{urllib.parse.quote(self.notebook, safe='')}{path}"
        headers = {"Authorization": f"Bearer {self.key}", "X-Agent-ID": self.agent, "Content-Type": "application/json"}
        content = None if body is None else json.dumps(body, ensure_ascii=False).encode()
        status, answer = _send_patiently(self.send, method, address, headers, content)
        document = json.loads(answer or b"{}")
        if status >= 400:
            raise Refused(f"{document.get('code', status)}: {document.get('detail', 'no more was said')}")
        return dict(document)


@dataclass
class Model:
    """A chat model behind an OpenAI-compatible address."""

    url: str
    name: str
    key: str = "none"
    temperature: float = 0.3
    send: Send = send_by_http

    def answer(self, messages: list[dict[str, str]]) -> str:
        """What the model says next."""
        body = {"model": self.name, "messages": messages, "temperature": self.temperature}
        headers = {"Authorization": f"Bearer {self.key}", "Content-Type": "application/json"}
        address = f"{self.url.rstrip('/')}/chat/completions"
        status, content = _send_patiently(self.send, "POST", address, headers, json.dumps(body).encode())
        if status >= 400:
            raise Refused(f"The model answered {status}: {content[:300].decode(errors='replace')}")
        return str(json.loads(content)["choices"][0]["message"]["content"] or "")


@dataclass
class Reply:
    """What the user reads, and what the agent did with its notebook meanwhile."""

    text: str
    commands: list[dict[str, Any]] = field(default_factory=list)


@dataclass
class Agent:
    """A talk with one user. The notebook outlives it."""

    memory: Memory37
    model: Model
    language: str = "en"
    history: list[dict[str, str]] = field(default_factory=list)

    def reply(self, said: str) -> Reply:
        """The reply to what the user said; the notebook is read before it and written after it."""
        context = self._read_context(said)
        messages = [
            {"role": "system", "content": self.memory.read_prompt(self.language)},
            *([{"role": "system", "content": context}] if context else []),
            *self.history[-KEPT_MESSAGES:],
            {"role": "user", "content": said},
        ]
        done = self._speak(messages)
        commands = list(done["commands"])
        if done["needs_follow_up"]:
            # One more round: the model reads what it asked for. Commands of that round are done, their results unread.
            before = {"role": "assistant", "content": done["clean"] or "(looking into my notes)"}
            found = {"role": "system", "content": done["follow_up"]}
            done = self._speak([*messages, before, found])
            commands += done["commands"]
        self.history += [{"role": "user", "content": said}, {"role": "assistant", "content": done["clean"]}]
        del self.history[:-KEPT_MESSAGES]
        return Reply(done["clean"], commands)

    def _read_context(self, said: str) -> str:
        """What the notebook knows; nothing where it can't say now: a talk without memory is better than none."""
        try:
            return self.memory.read_context(said, self.language)
        except (Refused, OSError) as error:
            print(f"(without memory: {error})", file=sys.stderr)
            return ""

    def _speak(self, messages: list[dict[str, str]]) -> dict[str, Any]:
        text = self.model.answer(messages)
        given = [each["content"] for each in messages if each["role"] != "system"] + [messages[-1]["content"]]
        return self.memory.run_commands(text, given, self.language)


def _send_patiently(
    send: Send, method: str, url: str, headers: dict[str, str], body: bytes | None
) -> tuple[int, bytes]:
    """The answer; once more where somebody was busy. Only what changes nothing when repeated is sent again."""
    for attempt in range(1, MAX_ATTEMPTS + 1):
        status, content = send(method, url, headers, body)
        is_busy = status in (429, 503) and (method != "POST" or url.endswith("/chat/completions"))
        if not is_busy or attempt == MAX_ATTEMPTS:
            return status, content
        time.sleep(attempt)
    raise AssertionError("the last attempt returns")


def describe(command: dict[str, Any]) -> str:
    """One line about a command, for the user who wants to see what is remembered."""
    said = [f"{name}={value!r}" for name, value in command["arguments"].items()]
    return "  " + " ".join(filter(None, [f"[{command['status']}]", command["command"], *said, command["code"]]))


def talk(agent: Agent, lines: Iterator[str], write: Callable[[str], object]) -> None:
    """Answer line by line, until there are none."""
    for line in lines:
        said = line.strip()
        if not said:
            continue
        try:
            reply = agent.reply(said)
        except (Refused, OSError) as error:
            write(f"! {error}")
            continue
        write(reply.text)
        for command in reply.commands:
            write(describe(command))


def main() -> None:
    """Talk on the command line."""
    parser = argparse.ArgumentParser(description="Talk to an agent that keeps a notebook.")
    parser.add_argument("--notebook", default="plain-agent", help="the notebook's name")
    parser.add_argument("--agent", default="plain", help="the agent's name")
    parser.add_argument("--language", default="en", choices=["en", "ru", "ar", "zh"])
    parser.add_argument("--say", action="append", help="say this and end; may be given several times")
    options = parser.parse_args()
    try:
        memory = Memory37(os.environ["M37"], os.environ["NOTEBOOK_KEY"], options.notebook, options.agent)
        model = Model(
            os.environ["OPENAI_BASE_URL"], os.environ["OPENAI_MODEL"], os.environ.get("OPENAI_API_KEY", "none")
        )
    except KeyError as missing:
        sys.exit(f"Set {missing.args[0]}; the beginning of this file says how.")
    memory.open()
    talk(Agent(memory, model, options.language), iter(options.say or sys.stdin), print)


if __name__ == "__main__":
    main()
