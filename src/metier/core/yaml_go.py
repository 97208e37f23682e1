"""The grammar of gopkg.in/yaml.v3: libyaml's, but for a few corners.

yaml.v3 is a port of an older libyaml. Where the two differ the text is spelled so
that today's libyaml reads it as yaml.v3 would, or the tree is looked through for
what yaml.v3 refuses.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

import yaml

from metier.core.nodes import (
    MAX_DEPTH,
    Alias,
    Mapping,
    Node,
    Scalar,
    Sequence,
    Style,
    YamlError,
)
from metier.core.yaml_events import LOADER, Documents, parse_events, problem_of

# Private-use characters for a colon that libyaml would stumble over, and for a byte
# order mark, which libyaml skips at the start of every line.
_COLON = "\ue0bc"
_MARK = "\ue0bb"
_RESTORED = str.maketrans({_COLON: ":", _MARK: "\ufeff"})
# Each spelling moves past one place; more than this in one header is an attack.
_MAX_SPELLINGS = 50
_OPENERS = (yaml.FlowSequenceStartToken, yaml.FlowMappingStartToken)
_CLOSERS = (yaml.FlowSequenceEndToken, yaml.FlowMappingEndToken)
# What libyaml complains of, the characters, their new spelling, and how far they may
# stand from where it complains.
_SPELLINGS = (
    ("unknown escape", "\\'", "\\x27", 2),
    ("unexpected ':'", ":", _COLON, 1),
)
_TAG_CHARACTERS = {",": "%2C", "[": "%5B", "]": "%5D"}
_ESCAPE = re.compile(r"\\(.)", re.DOTALL)


def parse_go_yaml(text: str) -> Node | None:
    """The tree of `text` as yaml.v3 reads it; raises `YamlError`."""
    spelled = text[:1] + text[1:].replace("\ufeff", _MARK)
    spelled = _spell_tags(spelled) if "!" in text else spelled
    for _ in range(_MAX_SPELLINGS):
        try:
            root = parse_events(spelled, documents=Documents.FIRST)
            break
        except YamlError as error:
            respelled = _spell(spelled, error)
            if respelled is None:
                raise
            spelled = respelled
    else:
        raise YamlError("too many places that need another spelling", 0)
    if root is not None:
        _refuse(root, spelled)
    if root is not None and (_COLON in spelled or _MARK in spelled):
        return _restore(root, {})
    return root


def _spell(text: str, error: YamlError) -> str | None:
    """`text` with the place of `error` spelled the way libyaml accepts it."""
    at = error.offset
    if "cannot start any token" in error.problem and _is_before_comment(text, at):
        return f"{text[:at]} {text[at + 1 :]}"
    for problem, odd, spelled, reach in _SPELLINGS:
        found = text.find(odd, max(0, at - reach), at + reach + 1)
        if problem in error.problem and found >= 0:
            return text[:found] + spelled + text[found + len(odd) :]
    return None


def _is_before_comment(text: str, at: int) -> bool:
    """Whether a tab stands between the `?` or `:` of an entry and a comment."""
    line = text[text.rfind("\n", 0, at) + 1 : at]
    return text[at] == "\t" and bool(
        _BEFORE_COMMENT.fullmatch(line) and _COMMENT.match(text, at)
    )


_BEFORE_COMMENT = re.compile(r" *[?:][ \t]*")
_COMMENT = re.compile(r"[ \t]+#")


def _spell_tags(text: str) -> str:
    """`,`, `[` and `]` belong to a tag in yaml.v3: write them as escapes."""
    for _ in range(_MAX_SPELLINGS):
        at = _cut_tag(text)
        if at is None:
            return text
        text = text[:at] + _TAG_CHARACTERS[text[at]] + text[at + 1 :]
    return text


def _cut_tag(text: str) -> int | None:
    """Where a tag ends although yaml.v3 would go on."""
    try:
        for token in _tokens(text):
            if isinstance(token, yaml.TagToken):
                at: int = token.end_mark.index
                verbatim = text.startswith("!<", token.start_mark.index)
                if text[at : at + 1] in _TAG_CHARACTERS and not verbatim:
                    return at
    except yaml.MarkedYAMLError as error:
        at = error.problem_mark.index if error.problem_mark else 0
        is_tag = "a tag" in str(error.context)
        return at if is_tag and text[at : at + 1] in _TAG_CHARACTERS else None
    except (yaml.reader.ReaderError, ValueError, OverflowError):
        return None
    return None


def _tokens(text: str) -> Iterator[Any]:
    loader = LOADER(text)
    depth = 0
    try:
        # Each open bracket is looked at again at each token: 60,000 take minutes. What
        # nests too deep is refused by `parse_events`.
        while depth <= MAX_DEPTH and loader.check_token():
            token = loader.get_token()
            depth += isinstance(token, _OPENERS) - isinstance(token, _CLOSERS)
            yield token
    finally:
        loader.dispose()


def _refuse(root: Node, text: str) -> None:
    if "\\/" in text or "?" in text:
        _refuse_scalars(root, text, in_flow=False)
    if isinstance(root, Mapping):
        for key, _ in root.entries:
            if not isinstance(key, (Scalar, Alias)):
                raise YamlError("a list or a map cannot be a key", key.start)
    end = root.end
    if text[end:].strip():
        _look_ahead(text, end)


def _refuse_scalars(node: Node, text: str, *, in_flow: bool) -> None:
    if isinstance(node, Scalar):
        if node.style is Style.DOUBLE:
            source = text[node.start : node.end]
            if any(found[1] == "/" for found in _ESCAPE.finditer(source)):
                raise YamlError("found unknown escape character", node.start)
        elif in_flow and node.style is Style.PLAIN and "?" in node.text[1:]:
            raise YamlError("did not find expected ',' or ']'", node.start)
        return
    if isinstance(node, Alias):
        return
    in_flow = in_flow or text[node.start : node.start + 1] in ("[", "{")
    for child in _children(node):
        _refuse_scalars(child, text, in_flow=in_flow)


def _children(node: Sequence | Mapping) -> Iterator[Node]:
    if isinstance(node, Sequence):
        yield from node.items
    else:
        for pair in node.entries:
            yield from pair


def _look_ahead(text: str, end: int) -> None:
    """yaml.v3 scans two tokens beyond its document, and fails where they fail."""
    left: int | None = None
    try:
        for token in _tokens(text):
            if left is not None:
                left -= 1
            elif token.start_mark.index >= end and not isinstance(
                token, yaml.BlockEndToken
            ):
                left = 2
            if left == 0:
                return
    except yaml.MarkedYAMLError as error:
        # Whether the second one is a key would be asked at the third.
        if left != 1 or error.context != "while scanning a simple key":
            raise problem_of(error) from error


def _restore(node: Node, done: dict[int, Node]) -> Node:
    """`node` with the author's own characters; `done` holds what aliases name."""
    restored = node
    if isinstance(node, Alias):
        # What it names stands before it, and so is done; or it names nothing yet.
        return node._replace(target=done.get(id(node.target)))
    if isinstance(node, Scalar):
        restored = node._replace(text=node.text.translate(_RESTORED))
    elif isinstance(node, Sequence):
        restored = node._replace(
            items=tuple(_restore(each, done) for each in node.items)
        )
    else:
        pairs = ((_restore(k, done), _restore(v, done)) for k, v in node.entries)
        restored = node._replace(entries=tuple(pairs))
    done[id(node)] = restored
    return restored
