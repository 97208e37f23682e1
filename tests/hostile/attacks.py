"""Headers that cost a careless reader a minute, or gigabytes.

Each is a pattern that is repeated up to a size: 60 KiB, which readers take, and
1,000 KiB, which fills the largest file that is read.
"""

from __future__ import annotations

from collections.abc import Callable

KIB = 1024
SIZES = (60 * KIB, 1_000 * KIB)

# What YAML, a fence or a repair gives a meaning to.
_PUNCTUATION = "!\"#$%&'*,-:>?@[]`{|} \t\r"


def _times(pattern: str, size: int) -> str:
    return pattern * (size // len(pattern.encode()))


def _merges(size: int) -> str:
    keys = ", ".join(f"k{number}: 1" for number in range(size // 24))
    return f"a: &a {{{keys}}}\n" + _times("<<: *a\n", size // 2)


def _merged_lists(size: int) -> str:
    keys = ", ".join(f"k{number}: 1" for number in range(size // 24))
    return f"a: &a {{{keys}}}\n<<: [{_times('*a, ', size // 3)}*a]"


def _merge_chain(size: int) -> str:
    links = (f"a{n + 1}: &a{n + 1} {{<<: [*a{n}, *a{n}]}}\n" for n in range(size // 40))
    return "a0: &a0 {k: 1}\n" + "".join(links)


def _stairs(size: int) -> str:
    steps = int(size**0.5)
    return "x:\n" + "".join(" " * step + "a:\n" for step in range(1, steps))


HEADERS: dict[str, Callable[[int], str]] = {
    "flow lists": lambda size: "x: " + _times("[", size),
    "flow maps": lambda size: "x: " + _times("{a: ", size),
    "flow maps in a list": lambda size: "x:\n  - " + _times("{a: ", size),
    "block lists": lambda size: "x:\n  " + _times("- ", size),
    "block stairs": _stairs,
    "explicit keys": lambda size: _times("? ", size),
    "one long key": lambda size: _times("k", size) + ": v",
    "one long quoted key": lambda size: '"' + _times("k", size) + '": v',
    "one key again": lambda size: _times("a:\n", size),
    "one key again, and no YAML": lambda size: _times("a:\n", size) + "@: x: y",
    "fields that are no YAML": lambda size: _times("a: @\n", size),
    "open quotes": lambda size: _times('x: "\n', size),
    "tags": lambda size: "x: " + _times("!a ", size),
    "tags that yaml.v3 reads on": lambda size: "x:\n" + _times("  - !a,b c\n", size),
    "a tag before brackets": lambda size: "y: !a b\nx: " + _times("[", size),
    "a tag before braces": lambda size: "y: !a b\nx: " + _times("{", size),
    "adjacent colons": lambda size: "x: [" + _times("::,", size) + "]",
    "escapes": lambda size: 'x: "' + _times("\\'", size) + '"',
    "merges": _merges,
    "merged lists": _merged_lists,
    "merge chain": _merge_chain,
    "sexagesimal": lambda size: "x: 1" + _times(":59", size),
    "underscores": lambda size: "x: 1" + _times("_", size) + "!",
    "blanks around a colon": lambda size: (
        f"x:{_times(' ', size // 2)}{_times('x', size // 2)}:\ry"
    ),
    "blanks in a list": lambda size: "x:\n - " + _times(" ", size) + "@",
    "braces in a value": lambda size: "x: {" + _times("} ", size) + "x",
    "words in a list": lambda size: "x: [" + _times("a:", size) + "]",
    "the header again": lambda size: "x: " + _times("$1", size),
    "the file again": lambda size: "x: " + _times("$0", size),
    "a variable": lambda size: "x: $" + _times("a", size),
    "folded": lambda size: "x: >\n" + _times(" a\n\n", size),
    "folded blanks": lambda size: "x: >\n" + _times("\n", size // 2) + " " * size,
    "plain lines": lambda size: "x: a\n" + _times(" a\n", size),
    "open brackets in tools": lambda size: "allowed-tools: " + _times('("', size),
    "closers that are none": lambda size: _times("---  x\n", size),
    "byte order marks": lambda size: _times("\ufeffa: b\n", size),
    "documents": lambda size: _times("...\n", size),
    **{
        f"{char!r} as a value": lambda size, c=char: "x: " + _times(c, size)
        for char in _PUNCTUATION
    },
    **{
        f"{char!r} on each line": lambda size, c=char: _times(c + "\n", size)
        for char in "!\"&'*-:?[{|$"
    },
    **{
        f"{char!r} in a list": lambda size, c=char: "x: [" + _times(c + ",", size) + "]"
        for char in "\"',-:[{$"
    },
}

FILES: dict[str, Callable[[int], str]] = {
    "JSON lists": lambda size: "---json\n" + _times("[", size) + "\n---\n",
    "a JSON number": lambda size: '---json\n{"name": ' + _times("1", size) + "}\n---\n",
    "a long language": lambda size: "---" + _times("a", size) + "\n---\n",
    "blanks before": lambda size: _times(" \n", size) + "--",
    "blanks behind": lambda size: "--- " + _times(" ", size) + "x\n---\n",
    "newlines": lambda size: "---\n" + _times("\n", size),
    "returns": lambda size: "---\r" + _times("\r", size),
    "dashes": lambda size: _times("-", size),
}


def files_of(size: int) -> dict[str, bytes]:
    """The attacks at one size, by name; none is larger than 1 MiB."""
    files = {name: make(size) for name, make in FILES.items()}
    for name, make in HEADERS.items():
        if size > 64 * KIB and name[:1] in "'\"":
            continue  # punctuation in a header that is too large to be read
        files[name] = f"---\nname: bad\ndescription: bad\n{make(size)}\n---\nDo bad.\n"
    return {name: text.encode() for name, text in files.items()}
