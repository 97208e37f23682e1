"""A model on the loopback that follows a script, in the words of each provider's API.

What it says next depends on nothing but the script: a text, or a call of a tool. It
keeps every request, so that a test can read what the model was shown.
"""

from __future__ import annotations

import json
from collections.abc import Generator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from threading import Thread
from typing import Any


@dataclass(frozen=True)
class ToolUse:
    """A turn in which the model calls a tool."""

    name: str
    arguments: dict[str, Any]


Turn = str | ToolUse
Json = dict[str, Any]


@dataclass
class ScriptedModel:
    """Where it listens, and what it has heard."""

    address: str
    heard: list[Json] = field(default_factory=list[Json])

    @property
    def environment(self) -> dict[str, str]:
        """What makes the SDKs of all providers talk to it."""
        return {
            "ANTHROPIC_API_KEY": "none",
            "ANTHROPIC_BASE_URL": self.address,
            "GOOGLE_API_KEY": "none",
            "GOOGLE_GEMINI_BASE_URL": self.address,
            "OPENAI_API_KEY": "none",
            "OPENAI_BASE_URL": f"{self.address}/v1",
            "OPENAI_AGENTS_DISABLE_TRACING": "1",
        }

    def text(self, request: int) -> str:
        """Everything in one request, as text to search in."""
        return json.dumps(self.heard[request], ensure_ascii=False)


@contextmanager
def scripted_model(script: Sequence[Turn]) -> Generator[ScriptedModel]:
    """A model that says what is in `script`, one turn for each request."""
    server = ThreadingHTTPServer(("127.0.0.1", 0), _handler_of(script))
    model = ScriptedModel(f"http://127.0.0.1:{server.server_port}")
    server.heard = model.heard  # pyright: ignore[reportAttributeAccessIssue]
    thread = Thread(target=server.serve_forever, daemon=True)
    thread.start()
    try:
        yield model
    finally:
        server.shutdown()
        server.server_close()
        thread.join()


def _handler_of(script: Sequence[Turn]) -> type[BaseHTTPRequestHandler]:
    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"

        def log_message(self, format: str, *args: object) -> None:  # noqa: A002
            pass

        def do_POST(self) -> None:
            heard: list[Json] = self.server.heard  # pyright: ignore[reportAttributeAccessIssue]
            size = int(self.headers["Content-Length"])
            heard.append(json.loads(self.rfile.read(size)))
            turn = script[min(len(heard), len(script)) - 1]
            body = json.dumps(_say(self.path, turn, len(heard))).encode()
            self.send_response(200)
            self.send_header("Content-Type", "application/json")
            self.send_header("Content-Length", str(len(body)))
            # No client is left with a socket that nobody closes.
            self.send_header("Connection", "close")
            self.end_headers()
            self.wfile.write(body)

    return Handler


def _say(path: str, turn: Turn, step: int) -> Json:
    if path.endswith("/messages"):
        return _anthropic(turn, step)
    if path.endswith("/chat/completions"):
        return _chat(turn, step)
    if path.endswith("/responses"):
        return _response(turn, step)
    return _gemini(turn)


def _anthropic(turn: Turn, step: int) -> Json:
    block: Json = {"type": "text", "text": turn}
    if isinstance(turn, ToolUse):
        block = {"type": "tool_use", "id": f"call_{step}", "name": turn.name}
        block["input"] = turn.arguments
    return {
        "id": f"message_{step}",
        "type": "message",
        "role": "assistant",
        "model": "scripted",
        "content": [block],
        "stop_reason": "end_turn" if isinstance(turn, str) else "tool_use",
        "stop_sequence": None,
        "usage": {"input_tokens": 1, "output_tokens": 1},
    }


def _chat(turn: Turn, step: int) -> Json:
    message: Json = {"role": "assistant", "content": turn}
    if isinstance(turn, ToolUse):
        function = {"name": turn.name, "arguments": json.dumps(turn.arguments)}
        call = {"id": f"call_{step}", "type": "function", "function": function}
        message = {"role": "assistant", "content": None, "tool_calls": [call]}
    reason = "stop" if isinstance(turn, str) else "tool_calls"
    return {
        "id": f"chat_{step}",
        "object": "chat.completion",
        "created": 0,
        "model": "scripted",
        "choices": [{"index": 0, "message": message, "finish_reason": reason}],
        "usage": {"prompt_tokens": 1, "completion_tokens": 1, "total_tokens": 2},
    }


def _response(turn: Turn, step: int) -> Json:
    item: Json = {"id": f"item_{step}", "status": "completed"}
    if isinstance(turn, ToolUse):
        arguments = json.dumps(turn.arguments)
        call = {"type": "function_call", "call_id": f"call_{step}", "name": turn.name}
        item |= {**call, "arguments": arguments}
    else:
        part = {"type": "output_text", "text": turn, "annotations": []}
        item |= {"type": "message", "role": "assistant", "content": [part]}
    details = {"input_tokens_details": {"cached_tokens": 0}}
    details |= {"output_tokens_details": {"reasoning_tokens": 0}}
    return {
        "id": f"response_{step}",
        "object": "response",
        "created_at": 0,
        "model": "scripted",
        "status": "completed",
        "output": [item],
        "parallel_tool_calls": True,
        "tool_choice": "auto",
        "tools": [],
        "usage": {"input_tokens": 1, "output_tokens": 1, "total_tokens": 2, **details},
    }


def _gemini(turn: Turn) -> Json:
    part: Json = {"text": turn}
    if isinstance(turn, ToolUse):
        part = {"functionCall": {"name": turn.name, "args": turn.arguments}}
    content = {"role": "model", "parts": [part]}
    return {"candidates": [{"content": content, "finishReason": "STOP", "index": 0}]}
