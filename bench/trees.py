"""Trees of skills to measure on, shaped like the real ones and written here.

The proportions are those of 70,885 SKILL.md files that their authors keep in public
repositories; each weight below is the percentage of them. Every file is valid YAML with
the name of its folder, so that every dialect has the whole of its work to do.
"""

from __future__ import annotations

import os
import random
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Callable

CJK_SHARE = 0.30
CRLF_SHARE = 0.01
BODIES = 96  # of each script: of a body only the length costs the reader anything
BODY_CHARACTERS = (1800, 6200)  # with the frontmatter, about 4 KB a file


class Words(NamedTuple):
    """What a text of one script is made of."""

    nouns: tuple[str, ...]
    sentences: tuple[str, ...]
    headings: tuple[str, ...]
    space: str


VERBS = tuple(
    "audit build check clean compare convert debug deploy draft explain export fix "
    "format import index lint map merge migrate plan port profile prune publish query "
    "rank read release rename render review scan score sketch sort split summarise "
    "sync test trace translate tune update verify watch write".split()
)
NOUNS = tuple(
    "api archive ballot bridge budget cache calendar canvas catalogue changelog chart "
    "cluster contract corpus dashboard dataset diagram dialect digest document email "
    "endpoint fixture font form glossary grammar graph harbour image index invoice "
    "journal kernel ledger letter lexicon log manifest manual map memo meter model "
    "notebook orchard packet palette parser patch pdf pipeline policy poster prompt "
    "query queue receipt recipe record registry report roadmap route sample schedule "
    "schema script sensor sheet slide snapshot spec spreadsheet stream survey table "
    "template theme ticket timeline token trace tutorial vault video wiki "
    "workflow".split()
)
LATIN = Words(
    nouns=NOUNS,
    sentences=(
        "Read the whole {0} once before you change a line of the {1}.",
        "Keep the {0} and the {1} apart; a reader looks for each in its own place.",
        "Ask for the {0} when it is missing, and never make one up.",
        "Write what you did into the {0}, one line for each {1}.",
        "A {0} that nobody reads is cheaper to delete than to keep in step.",
        "When the {0} disagrees with the {1}, the {0} is right: say so and stop.",
        "Take the smallest {0} that shows the problem and work on a copy of it.",
        "Compare the {0} before and after; the only difference is the {1}.",
    ),
    headings=("When to use", "Steps", "What to check", "Examples", "Limits", "Output"),
    space=" ",
)
CJK = Words(
    nouns=("文档", "表格", "报告", "索引", "日志", "图表", "模板", "合同", "脚本"),
    sentences=(
        "修改{1}之前，先把{0}从头到尾读一遍。",
        "{0}和{1}要分开保存，读者会在各自的位置查找。",
        "缺少{0}时先询问，不要自己编造内容。",
        "把每一步写进{0}，每个{1}占一行。",
        "如果{0}与{1}不一致，以{0}为准，说明原因后停下。",
        "取能说明问题的最小{0}，在副本上操作。",
        "比较前后的{0}，唯一的差别应当是{1}。",
    ),
    headings=("使用场景", "步骤", "检查", "示例", "限制", "输出"),
    space="",
)

TOOLS = (
    "Read, Grep, Glob",
    "Read, Write, Edit, Bash(git diff:*), Bash(git log:*)",
    "Bash(python3 scripts/*.py:*), Read",
    "Bash(make test:*), Bash(make check:*), Read, Edit",
    "WebFetch, Read",
)
TAGS = ("data", "docs", "review", "writing", "testing", "ops", "design", "release")
LICENCES = ("MIT", "Apache-2.0", "CC-BY-4.0", "BSD-3-Clause")
AUTHORS = ("the orchard team", "harbour-tools", "Ines Moreau", "Tomas Lind")
CATEGORIES = ("productivity", "development", "analysis", "communication")


def make_tree(folder: str | Path, count: int, *, seed: int) -> None:
    """Write `count` skills, `folder/<name>/SKILL.md`; the same seed, the same bytes."""
    rng = random.Random(seed)
    latin = [_body(rng, LATIN) for _ in range(BODIES)]
    cjk = [_body(rng, CJK) for _ in range(BODIES)]
    shapes, weights = list(SHAPES), list(SHAPES.values())
    Path(folder).mkdir(parents=True, exist_ok=True)
    for number in range(count):
        name = f"{rng.choice(VERBS)}-{rng.choice(NOUNS)}-{number:06d}"
        words, bodies = (CJK, cjk) if rng.random() < CJK_SHARE else (LATIN, latin)
        shape = rng.choices(shapes, weights)[0]
        text = f"---\nname: {name}\n{shape(rng, words)}---\n\n# {name}\n"
        _write(folder, name, text + rng.choice(bodies), crlf=rng.random() < CRLF_SHARE)


def _write(folder: str | Path, name: str, text: str, *, crlf: bool) -> None:
    if crlf:
        text = text.replace("\n", "\r\n")
    path = os.path.join(folder, name)
    os.mkdir(path)
    file = os.open(f"{path}/SKILL.md", os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o644)
    os.write(file, text.encode())
    os.close(file)


def _sentence(rng: random.Random, words: Words) -> str:
    return rng.choice(words.sentences).format(*rng.sample(words.nouns, 2))


def _body(rng: random.Random, words: Words) -> str:
    size = rng.randint(*BODY_CHARACTERS)
    if words is CJK:
        size //= 3  # of a character's three bytes
    text = ""
    while len(text) < size:
        text += f"\n## {rng.choice(words.headings)}\n\n"
        text += words.space.join(_sentence(rng, words) for _ in range(4)) + "\n\n"
        items = rng.randint(2, 5)
        text += "".join(f"- {_sentence(rng, words)}\n" for _ in range(items))
        if rng.random() < 0.5:
            tool = rng.choice(VERBS)
            text += f"\n```bash\npython3 scripts/{tool}.py --in $ARGUMENTS\n```\n"
    return text


def _description(rng: random.Random, words: Words, sentences: int = 5) -> str:
    chosen = (_sentence(rng, words) for _ in range(rng.randint(1, sentences)))
    # A colon or a semicolon makes a plain scalar doubtful; the quoted shapes have them.
    return words.space.join(chosen).replace(": ", ", ").replace("; ", ", ")


def _common(rng: random.Random) -> str:
    """The flat fields that any shape may have, as often as real files do."""
    lines = ""
    if rng.random() < 0.28:
        lines += f"version: {rng.randint(0, 4)}.{rng.randint(0, 20)}.0\n"
    if rng.random() < 0.24:
        lines += f"license: {rng.choice(LICENCES)}\n"
    if rng.random() < 0.22:
        lines += f"author: {rng.choice(AUTHORS)}\n"
    if rng.random() < 0.14:
        lines += f"category: {rng.choice(CATEGORIES)}\n"
    if rng.random() < 0.14:
        lines += f"source: skills/{rng.choice(CATEGORIES)}/{rng.choice(NOUNS)}\n"
    if rng.random() < 0.08:
        noun = rng.choice(NOUNS)
        lines += f"homepage: https://example.invalid/{noun}\nslug: {noun}\n"
    if rng.random() < 0.07:
        lines += "compatibility: Needs Python 3.11 and git; works without a network\n"
    if rng.random() < 0.15:
        lines += f"allowed-tools: {rng.choice(TOOLS)}\n"
    if rng.random() < 0.06:
        lines += f"date_added: 2026-{rng.randint(1, 12):02d}-{rng.randint(1, 28):02d}\n"
    if rng.random() < 0.03:
        lines += f"user-invocable: {rng.choice(('true', 'false'))}\n"
    return lines


def _plain(rng: random.Random, words: Words) -> str:
    return f"description: {_description(rng, words)}\n"


def _flat(rng: random.Random, words: Words) -> str:
    text = _description(rng, words)
    quoted = (text, text, f'"{text}"', f"'{text}'")
    return f"description: {rng.choice(quoted)}\n{_common(rng)}"


def _block(rng: random.Random, words: Words) -> str:
    header = rng.choices(("|", ">", ">-", "|-", ""), (40, 22, 11, 9, 18))[0]
    lines = "".join(f"  {_sentence(rng, words)}\n" for _ in range(rng.randint(2, 6)))
    if not header:  # a plain scalar that goes on in the next lines
        lines = lines.replace(": ", ", ").replace("; ", ", ")
    return f"description: {header}".rstrip() + f"\n{lines}{_common(rng)}"


def _lists(rng: random.Random, words: Words) -> str:
    tags = rng.sample(TAGS, 3)
    block = "".join(f"  - {tag}\n" for tag in tags)
    written = rng.choice((f"tags:\n{block}", f"tags: [{', '.join(tags)}]\n"))
    common = _common(rng)
    if rng.random() < 0.3 and "allowed-tools" not in common:
        written += "allowed-tools:\n  - Read\n  - Bash(git status:*)\n  - Edit\n"
    return _plain(rng, words) + common + written


def _one_level(rng: random.Random, words: Words) -> str:
    entries = f'  author: {rng.choice(AUTHORS)}\n  version: "1.{rng.randint(0, 9)}"\n'
    if rng.random() < 0.5:
        entries += "  tags:\n" + "".join(f"    - {tag}\n" for tag in TAGS[:3])
    return _plain(rng, words) + _common(rng) + f"metadata:\n{entries}"


def _json(rng: random.Random, words: Words) -> str:
    tool = rng.choice(VERBS)
    needs = f'{{"bins":["{tool}"],"env":["{tool.upper()}_TOKEN"]}}'
    return (
        f"{_plain(rng, words)}{_common(rng)}"
        f'metadata: {{"harbour":{{"emoji":"🧭","requires":{needs},"always":false}}}}\n'
    )


def _deep(rng: random.Random, words: Words) -> str:
    return (
        f"{_plain(rng, words)}{_common(rng)}"
        "metadata:\n"
        "  harbour:\n"
        "    requires:\n"
        f"      bins: [{rng.choice(VERBS)}, git]\n"
        f"      env:\n        - {rng.choice(NOUNS).upper()}_TOKEN\n"
        "    install:\n"
        f"      - kind: package\n        name: {rng.choice(NOUNS)}\n"
    )


def _multiline_quoted(rng: random.Random, words: Words) -> str:
    mark = rng.choice("\"'")
    lines = "\n  ".join(_sentence(rng, words) for _ in range(3))
    return f"description: {mark}{lines}{mark}\n{_common(rng)}"


def _quotes(rng: random.Random, words: Words) -> str:
    text, noun = _description(rng, words, 1), rng.choice(NOUNS)
    written = rng.choice(
        (
            f'"Use when the user says \\"{noun}\\": {text}"',
            f"'Use for the user''s {noun}: {text}'",
            f'"First: {text}\\nThen: {noun} \\u2192 done"',
        )
    )
    return f"description: {written}\n{_common(rng)}"


def _flow(rng: random.Random, words: Words) -> str:
    return (
        f"{_plain(rng, words)}{_common(rng)}"
        f'tags: ["{rng.choice(TAGS)}: new", {{ kind: {rng.choice(NOUNS)} }}]\n'
        f"needs: {{ python: '>=3.11', network: false }}\n"
    )


SHAPES: dict[Callable[[random.Random, Words], str], int] = {
    _flat: 38,
    _block: 9,
    _lists: 15,
    _one_level: 13,
    _json: 7,
    _deep: 8,
    _multiline_quoted: 5,
    _quotes: 3,
    _flow: 2,
}
