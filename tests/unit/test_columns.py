"""How many columns texts take, as Bun 1.4 counts them."""

from __future__ import annotations

import time

import pytest

from metier.core.columns import columns_of


@pytest.mark.parametrize(
    ("text", "columns"),
    [
        ("", 0),
        ("abc", 3),
        ("a\tb\nc", 3),
        ("\x1b[31mred\x1b[0m", 3),
        ("\x1b]é", 2),
        ("é", 1),
        ("e\u0301", 1),
        ("a\u200bb\ufeff", 2),
        ("—…→", 3),
        ("技能", 4),
        ("한글", 4),
        ("ｱ", 1),
        ("\u3000", 2),
        ("😀😀", 4),
        ("👨‍👩‍👧", 2),
        ("👩🏽‍💻x", 3),
        ("🤷‍♂️", 2),
        ("❤", 1),
        ("❤️", 2),
        ("❤️‍🔥", 2),
        ("👍🏽", 2),
        ("1️⃣#⃣", 4),
        ("🇩🇪", 2),
        ("a\ufe0f", 1),
        ("é\ufe0f", 1),
        ("技\ufe0f", 2),
        ("™️", 2),
    ],
)
def test_a_text_takes_so_many_columns(text: str, columns: int) -> None:
    assert columns_of(text) == columns


@pytest.mark.parametrize("sign", ["\u200d", "\ufe0f", "👨\u200d", "\x1b[", "🏽"])
def test_hostile_texts_are_measured_in_time(sign: str) -> None:
    started = time.process_time()
    columns_of(sign * 50_000)
    assert time.process_time() - started < 2
