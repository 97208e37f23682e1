"""The words of a command, as far as an agent has them that parses it for a shell."""

from __future__ import annotations

import re

# The pieces of a command. What a quoted text holds stays as it is; a substitution is
# one piece, which is left alone.
_PIECE = re.compile(
    r"(?P<gap>(?>(?:[ \t]++|\\\n)+))"
    r"|'(?P<single>[^']*+)'|\"(?P<double>(?>(?:[^\"\\]++|\\.)*))\""
    r"|(?P<raw>\$(?:'[^']*+'|\((?>(?:[^()]++|\([^()]*+\))*)\)|\{[^{}]*+\}))"
    r"|\\(?P<escaped>.)|(?P<last>\\\Z)"
    r"|(?P<end>[;|&<>()\n]|(?<![^ \t])[0-9]++[<>])"
    r"|(?P<open>[\"'])"
    r"|(?P<plain>[^ \t\n\\()'\";|&<>$]++|\$)",
    re.DOTALL,
)
# What may stand before a command: spaces, operators, a bracket, a negation, a file.
_LEAD = re.compile(
    r"(?>(?:[ \t\n;|&]++|\((?!\()|[!{](?=[ \t])"
    r"|[0-9]*+(?:<<<|[<>])[ \t]*+[^ \t\n()<>;|&]++)*)"
)
_ASSIGNMENT = re.compile(r"[A-Za-z_][0-9A-Za-z_]*+\+?=")
# A word that starts with one of these is no word, but at the start.
_SUBSTITUTIONS = ("$(", "`")


def split_command(text: str) -> tuple[str, ...]:
    """The words of the first command in `text`; none where it starts with no word."""
    lead = _LEAD.match(text)
    start = lead.end() if lead else 0
    if text[start : start + 1] in ("", "#", "<", ">", "(", ")"):
        return ()
    words = _Words()
    for found in _PIECE.finditer(text, start):
        kind = found.lastgroup or ""
        if kind == "open":
            words.add_rest(text, found.end())
            break
        if kind == "end" or words.is_ended_by(found[0]):
            break
        words.add(kind, found)
    return words.of_command()


class _Words:
    """The words so far, and the one that is being read."""

    def __init__(self) -> None:
        self.words: list[str] = []
        self.sources: list[str] = []  # each word as it is written
        self.is_open = False

    def is_ended_by(self, piece: str) -> bool:
        if self.is_open:
            return False
        is_comment = piece[0] == "#"
        return is_comment or (bool(self.words) and piece.startswith(_SUBSTITUTIONS))

    def add(self, kind: str, found: re.Match[str]) -> None:
        if kind == "gap":
            self.is_open = False
            return
        if not self.is_open:
            self.is_open = True
            self.words.append("\\" if found[0][0] == "!" else "")
            self.sources.append("")
        self.words[-1] += found[kind] if kind != "last" else ""
        self.sources[-1] += found[0]

    def add_rest(self, text: str, end: int) -> None:
        """A quote is open: all from there on belongs to its word."""
        if not self.is_open:
            self.words.append("")
            self.sources.append("")
        self.words[-1] += text[end - 1 :]

    def of_command(self) -> tuple[str, ...]:
        """The words without those before the command's own, and without a lone `$`."""
        taken = 0
        while taken < len(self.words) and _ASSIGNMENT.match(self.sources[taken]):
            taken += 1
        if self.sources[:1] and self.sources[0].startswith("["):
            taken = 2 if self.sources[0] in ("[", "[[") else 1
        pairs = zip(self.words[taken:], self.sources[taken:], strict=True)
        return tuple(word for word, source in pairs if source != "$")
