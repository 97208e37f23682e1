"""A kernel's reading of a filter: what becomes of a call under it."""

from __future__ import annotations

import struct
from collections.abc import Sequence

LOAD, EQUAL, AT_LEAST, ANY_BIT, RETURN = 0x20, 0x15, 0x35, 0x45, 0x06


def judge(steps: bytes, audit: int, number: int, arguments: Sequence[int] = ()) -> int:
    """What the filter returns for a call; loops are impossible in it."""
    padded = [*arguments, *[0] * (6 - len(arguments))]
    words = struct.pack("=IIQ6Q", number, audit, 0, *padded)
    program = list(struct.iter_unpack("=HBBI", steps))
    at, register = 0, 0
    while True:
        code, is_true, is_false, value = program[at]
        at += 1
        match code:
            case 0x20:
                (register,) = struct.unpack_from("=I", words, value)
            case 0x15:
                at += is_true if register == value else is_false
            case 0x35:
                at += is_true if register >= value else is_false
            case 0x45:
                at += is_true if register & value else is_false
            case _:
                assert code == RETURN
                return value
