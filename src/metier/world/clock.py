"""What time it is."""

from __future__ import annotations

import time


def read_clock() -> str:
    """Now, in UTC, to the second."""
    return time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime())
