"""Random trees for the agents to be asked about, each the same for its seed.

`python -m tests.conformance.recording.new_trees` writes `agent_trees.jsonl`.
"""

from __future__ import annotations

import json
from base64 import b64encode
from collections.abc import Callable, Mapping
from random import Random
from typing import Any

from tests.conformance.loading import CASES, edge_cases

SEEDS = range(5000, 5060)

FOLDERS = ("proj", "proj/pkg", "proj/pkg/deep", "home", "home/work")
ROOTS = (
    *(".agents/skills",) * 5,
    *(".claude/skills",) * 3,
    *(".codex/skills", ".gemini/skills", ".pi/skills", ".pi/agent/skills"),
    *(".opencode/skill", ".opencode/skills", ".config/opencode/skills", ".skills"),
)
NAMES = (
    *"pdf a1 build docs 10 007 1e3 x naïve Data_Set sql--opt -lead".split(),
    *"constructor __proto__ toString null true no ~ code-review é 技能".split(),
    *("release.notes", "test runner", "a b  c", "UPPER", "n" * 64, "n" * 65, "d" * 130),
)
FILE_NAMES = ("SKILL.md",) * 12 + ("skill.md", "Skill.md", "SKILL.MD", "README.md")
BETWEEN = ("",) * 9 + (
    "group/",
    "a/b/",
    ".hidden/",
    "node_modules/",
    "vendor/",
    ".git/",
)

Content = str | dict[str, str]


def written(random: Random, name: str) -> Content:
    """A skill file: most are sound, some are odd, some are those of the odd files."""
    if random.random() < 0.25:
        return _binary(random.choice(edge_cases()).data)
    return random.choice(_TEXTS)(name)


def _binary(data: bytes) -> Content:
    try:
        return data.decode()
    except UnicodeDecodeError:
        return {"base64": b64encode(data).decode()}


def _headed(*lines: str) -> Callable[[str], str]:
    head = "\n".join(lines)
    return lambda name: f"---\n{head}\n---\nBody.\n".replace("NAME", name)


_SOUND = _headed("name: NAME", "description: Does NAME. Use when asked.")
_TEXTS: tuple[Callable[[str], str], ...] = (
    _SOUND,
    _SOUND,
    _SOUND,
    _headed("name: NAME"),
    _headed("description: No name for NAME."),
    _headed("name: other", "description: Another name than NAME."),
    _headed("name: 'NAME'", "description: >-", "  folded", "  text"),
    _headed("name: NAME", "description: |", "  two", "  lines"),
    _headed("name: NAME", "description: Use when: asked for NAME"),
    _headed("name: NAME", "description: d", "disable-model-invocation: true"),
    _headed("name: NAME", "description: d", "user-invocable: false"),
    _headed("name: NAME", "description: d", "when_to_use: When NAME is asked for."),
    _headed("name: NAME", "description: d", "name: again"),
    _headed("name: NAME", "description: " + "long " * 300),
    _headed("name: NAME", "description: ''"),
    _headed("name: [NAME]", "description: {a: b}"),
    _headed("name: NAME", "description: d", "paths: '*.py'"),
    _headed("name: NAME", "description: d", "metadata:", "  short-description: short"),
    lambda name: f"# NAME\n\nNo header, {name}.\n",
    lambda name: f"---\r\nname: {name}\r\ndescription: crlf\r\n---\r\nBody\r\n",
    lambda _name: "",
)


def tree(seed: int) -> dict[str, Any]:
    """One tree, as the recordings have them."""
    random = Random(seed)
    files: dict[str, Any] = {}
    for _ in range(random.randint(3, 18)):
        path, content = _placed(random)
        files.setdefault(path, content)
    for _ in range(random.choice((0, 0, 1, 2))):
        files.update(_linked(random))
    if random.random() < 0.2:
        files["proj/.gitignore"] = random.choice(("pdf/\n", "*.md\n", "vendor\n!x\n"))
    return {
        "seed": seed,
        "files": _without_clashes(files),
        "cwd": random.choice(("proj", "proj", "proj/pkg", "proj/pkg/deep")),
        "home": "home",
        "git": random.choice(((), ("proj",), ("proj",), ("proj/pkg",))),
    }


def _placed(random: Random) -> tuple[str, Content]:
    name = random.choice(NAMES)
    inner = random.choice(BETWEEN)
    place = random.choices(
        (f"{name}/{random.choice(FILE_NAMES)}", "SKILL.md", f"{name}.md"), (18, 1, 1)
    )[0]
    return f"{_root(random)}/{inner}{place}", written(random, name)


def _root(random: Random) -> str:
    return f"{random.choice(FOLDERS)}/{random.choice(ROOTS)}"


def _linked(random: Random) -> Mapping[str, Any]:
    """A folder or a file kept elsewhere, and the link to it."""
    name, root = random.choice(NAMES), _root(random)
    kept = f"store/{name}"
    if random.random() < 0.5:
        return {
            f"{kept}/SKILL.md": _SOUND(name),
            f"{root}/{name}": {"link": f"/ROOT/{kept}"},
        }
    return {
        f"{kept}.md": _SOUND(name),
        f"{root}/{name}/SKILL.md": {"link": f"/ROOT/{kept}.md"},
    }


def _without_clashes(files: Mapping[str, Any]) -> dict[str, Any]:
    """No path goes on below another that is a file or a link."""
    return {
        path: content
        for path, content in files.items()
        if not any(path.startswith(f"{other}/") for other in files)
    }


if __name__ == "__main__":
    lines = (json.dumps(tree(seed), ensure_ascii=False) for seed in SEEDS)
    (CASES / "agent_trees.jsonl").write_text("\n".join(lines) + "\n", "utf-8")
