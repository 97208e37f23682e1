"""What a program says while it runs: all its pipes at once, and no more than asked."""

from __future__ import annotations

import os
import selectors
import subprocess
import time
from typing import IO

_CHUNK = 65536
# Kept beyond the limit, so that what is cut off there is whole when secrets are sought.
MARGIN = 4096


class Stream:
    """The beginning of what comes out of a pipe, and whether there was more."""

    def __init__(self, file: IO[bytes], limit: int) -> None:
        self.file = file
        self.data = bytearray()
        self.is_cut = False
        self._limit = limit
        os.set_blocking(file.fileno(), False)

    def read(self) -> bool:
        """Take what is there; whether there may be more some time."""
        try:
            chunk = os.read(self.file.fileno(), _CHUNK)
        except BlockingIOError:
            return True
        room = self._limit + MARGIN - len(self.data)
        self.data += chunk[:room]
        self.is_cut |= len(self.data) > self._limit
        return bool(chunk)


class Ear:
    """Hears stdout and stderr, and feeds stdin, until the launcher has reported."""

    def __init__(
        self, process: subprocess.Popen[bytes], food: bytes, limit: int
    ) -> None:
        self.stdin = _open(process.stdin)
        self.stdout = Stream(_open(process.stdout), limit)
        self.stderr = Stream(_open(process.stderr), limit)
        self._food = memoryview(food)
        self._selector = selectors.DefaultSelector()

    def close(self) -> None:
        self._selector.close()
        for each in (self.stdin, self.stdout.file, self.stderr.file):
            each.close()

    def hear(self, report: int, deadline: float) -> list[str]:
        """The words of the launcher's report; none where it does not come."""
        for stream in (self.stdout, self.stderr):
            self._selector.register(stream.file, selectors.EVENT_READ, stream)
        self._selector.register(report, selectors.EVENT_READ)
        self._start_feeding()
        while (left := deadline - time.monotonic()) > 0:
            for key, _ in self._selector.select(left):
                if key.fd == report:
                    said = os.read(report, 200).decode().split()
                    self._drain()
                    return said
                self._handle(key)
        return []

    def _handle(self, key: selectors.SelectorKey) -> None:
        if key.fileobj is self.stdin:
            self._feed()
        elif not key.data.read():
            self._selector.unregister(key.fileobj)

    def _start_feeding(self) -> None:
        if self._food:
            os.set_blocking(self.stdin.fileno(), False)
            self._selector.register(self.stdin, selectors.EVENT_WRITE)
        else:
            self.stdin.close()

    def _feed(self) -> None:
        try:
            written = os.write(self.stdin.fileno(), self._food[:_CHUNK])
        except BlockingIOError:
            return
        except BrokenPipeError:
            written = len(self._food)
        self._food = self._food[written:]
        if not self._food:
            self._selector.unregister(self.stdin)
            self.stdin.close()

    def _drain(self) -> None:
        """What is still in the pipes: whoever wrote it is gone."""
        for stream in (self.stdout, self.stderr):
            end = False
            while not end:
                before = len(stream.data)
                end = not stream.read() or len(stream.data) == before


def _open(pipe: IO[bytes] | None) -> IO[bytes]:
    if pipe is None:
        raise ValueError("a process without pipes")
    return pipe
