"""A model on the loopback that says `ok` to everything and keeps what it was asked."""

from __future__ import annotations

import json
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from threading import Thread
from typing import Any

_MESSAGE = {"id": "m", "type": "message", "role": "assistant", "model": "none"}
_USAGE = {"input_tokens": 1, "output_tokens": 1}
_TEXT = {"type": "text", "text": "ok"}

_EVENTS: tuple[dict[str, Any], ...] = (
    {
        "type": "message_start",
        "message": {**_MESSAGE, "content": [], "stop_reason": None, "usage": _USAGE},
    },
    {"type": "content_block_start", "index": 0, "content_block": _TEXT | {"text": ""}},
    {
        "type": "content_block_delta",
        "index": 0,
        "delta": {"type": "text_delta", "text": "ok"},
    },
    {"type": "content_block_stop", "index": 0},
    {
        "type": "message_delta",
        "delta": {"stop_reason": "end_turn"},
        "usage": {"output_tokens": 1},
    },
    {"type": "message_stop"},
)


@contextmanager
def listening_model() -> Iterator[tuple[str, list[Any]]]:
    """The model's address, and the list of the requests that it has heard."""
    heard: list[Any] = []

    class Model(BaseHTTPRequestHandler):
        def log_message(self, format: str, *args: object) -> None:  # noqa: A002
            pass

        def do_POST(self) -> None:
            asked = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
            heard.append(asked)
            streams = isinstance(asked, dict) and asked.get("stream")
            kind = "text/event-stream" if streams else "application/json"
            self._answer(200, kind, _streamed() if streams else _whole())

        def do_GET(self) -> None:
            self._answer(404, "text/plain", b"")

        do_HEAD = do_GET  # noqa: N815 - the name that the server calls

        def _answer(self, status: int, kind: str, body: bytes) -> None:
            self.send_response(status)
            self.send_header("Content-Type", kind)
            self.send_header("Content-Length", str(len(body)))
            self.end_headers()
            self.wfile.write(body)

    with ThreadingHTTPServer(("127.0.0.1", 0), Model) as server:
        Thread(target=server.serve_forever, daemon=True).start()
        yield f"http://127.0.0.1:{server.server_port}", heard
        server.shutdown()


def _whole() -> bytes:
    whole = {**_MESSAGE, "content": [_TEXT], "stop_reason": "end_turn"}
    return json.dumps({**whole, "usage": _USAGE}).encode()


def _streamed() -> bytes:
    lines = (f"event: {each['type']}\ndata: {json.dumps(each)}\n\n" for each in _EVENTS)
    return "".join(lines).encode()
