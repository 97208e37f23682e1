"""Secrets are taken out of what is said."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from metier.core.redaction import MARK, redact, secrets_in


@pytest.mark.parametrize(
    "name",
    [
        *("OPENAI_API_KEY", "GITHUB_TOKEN", "DB_PASSWORD", "AWS_SECRET_ACCESS_KEY"),
        *("PGPASSWORD", "GITHUBTOKEN", "MYSECRETS", "SSHPASSPHRASE"),
        *("npm_config_auth", "PGPASS", "SESSION", "APIKEY_2", "AWS_CREDENTIALS"),
    ],
)
def test_a_secret_is_known_by_the_name_of_its_variable(name: str):
    # `PGPASS` is one word, and names a file as well.
    expected = set() if name == "PGPASS" else {"hunter22"}
    assert secrets_in({name: "hunter22"}) == expected


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("MONKEY", "hunter22"),
        ("KEYBOARD", "hunter22"),
        ("TOKENIZER", "hunter22"),
        ("SITE", "https://ada@example.com/a:hunter22@b"),
        ("PROXY", "http://ada:short@host"),
        ("HOME", "/home/ada"),
        ("API_KEY", "short"),
        ("SSH_AUTH_SOCK", "/run/user/1000/keyring/ssh"),
    ],
)
def test_what_is_no_secret_is_not_taken_for_one(name: str, value: str):
    assert secrets_in({name: value}) == set()


def test_a_password_in_a_url_is_one_under_any_name():
    urls = {
        "DATABASE_URL": "postgres://ada:hunter22@db.example/tides?x=1",
        "PROXIES": "http://:hunter33@a.example, https://b:hunter44@b.example:80",
    }
    assert secrets_in(urls) == {"hunter22", "hunter33", "hunter44"}


def test_the_longest_secret_goes_first():
    assert redact(b"abc abcd x", ["abc", "abcd"]) == b"[secret] [secret] x"


def test_no_secrets_change_nothing():
    assert redact(b"abc", []) == redact(b"abc", [""]) == b"abc"


@given(st.lists(st.text(min_size=6, max_size=9), min_size=1, max_size=5), st.data())
def test_no_secret_is_left(secrets: list[str], data: st.DataObject):
    coded = [each.encode("utf-8", "surrogateescape") for each in secrets if _ok(each)]
    parts = data.draw(st.lists(st.sampled_from([*coded, b" ", b"x"]), max_size=9))
    left = redact(b"\n".join(parts), [each for each in secrets if _ok(each)])
    assert not any(each in left.replace(MARK, b"") for each in coded)


def _ok(text: str) -> bool:
    try:
        text.encode("utf-8", "surrogateescape")
    except UnicodeEncodeError:
        return False
    return "\n" not in text and " " not in text and "x" not in text
