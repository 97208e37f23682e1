"""The code blocks of a document, and the world in which they run.

A block with a second word behind its language is a file of that name; one that starts
with `$ metier` is a session, whose output is compared; every Python block is run. The
blocks of one document share a copy of the workspace in `examples`, in order.

`python -m tests.docs.blocks FILE...` writes the outputs of the sessions again.
"""

from __future__ import annotations

import os
import re
import shlex
import shutil
import subprocess
import sys
from collections.abc import Iterator
from contextlib import redirect_stdout
from dataclasses import dataclass, field
from doctest import (
    ELLIPSIS,
    NORMALIZE_WHITESPACE,
    DocTestParser,
    DocTestRunner,
    OutputChecker,
)
from io import StringIO
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

REPOSITORY = Path(__file__).parents[2]
WORKSPACE = REPOSITORY / "examples" / "workspace"

# What stands in the documents for the folders of the workspace.
PROJECT, HOME = "/src/tides", "/home/ada"
COLUMNS = "88"

_FENCE = re.compile(r"^```(.*)\n((?:(?!```).*\n)*)^```$", re.MULTILINE)
_PROMPT = "$ metier"


@dataclass(frozen=True, slots=True)
class Block:
    """A block, where its content stands in the document, and its info string."""

    info: str
    text: str
    start: int
    line: int

    @property
    def language(self) -> str:
        return self.info.partition(" ")[0]

    @property
    def file(self) -> str | None:
        """The name of the file that the block is."""
        return self.info.partition(" ")[2] or None

    @property
    def is_session(self) -> bool:
        return self.text.startswith(_PROMPT)


def documents() -> tuple[Path, ...]:
    """Every document whose blocks are promises."""
    return (REPOSITORY / "README.md", *sorted((REPOSITORY / "docs").glob("*.md")))


def blocks_of(text: str) -> Iterator[Block]:
    for found in _FENCE.finditer(text):
        line = text.count("\n", 0, found.start()) + 1
        yield Block(found[1], found[2], found.start(2), line)


@dataclass(frozen=True)
class Stage:
    """A copy of the workspace, and the names of one document."""

    home: Path
    project: Path
    names: dict[str, Any] = field(default_factory=dict)

    def run(self, block: Block) -> str:
        """What the block shows when it is run; its own text where it is right."""
        if block.file:
            path = self.project / block.file
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(block.text, "utf-8")
        elif block.is_session:
            return self._session(block.text)
        elif block.language == "python":
            self._python(block)
        return block.text

    def _session(self, text: str) -> str:
        shown: list[str] = []
        code = 0
        for line in text.splitlines():
            if line.startswith(_PROMPT):
                output, code = self._metier(line.removeprefix(_PROMPT))
                shown += [line, *output.splitlines()]
            elif line == "$ echo $?":
                shown += [line, str(code)]
        return "".join(f"{line}\n" for line in shown)

    def _metier(self, words: str) -> tuple[str, int]:
        done = subprocess.run(
            [sys.executable, "-m", "metier", *shlex.split(words)],
            cwd=self.project,
            env={**os.environ, "HOME": str(self.home), "COLUMNS": COLUMNS},
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            encoding="utf-8",
            check=False,
        )
        return self.aliased(done.stdout), done.returncode

    def aliased(self, text: str) -> str:
        """`text` with the names that the documents have for the two folders."""
        text = text.replace(str(self.project), PROJECT)
        return text.replace(str(self.home), HOME)

    def _python(self, block: Block) -> None:
        if ">>>" not in block.text:
            code = compile(block.text, f"line {block.line}", "exec", dont_inherit=True)
            exec(code, self.names)  # it is our own document
            return
        test = DocTestParser().get_doctest(
            block.text, self.names, "document", None, block.line
        )
        runner = _Runner(self)
        runner.run(test, out=runner.told.append, clear_globs=False)
        assert not runner.failures, "".join(runner.told)
        self.names.update(test.globs)


class _Runner(DocTestRunner):
    def __init__(self, stage: Stage) -> None:
        flags = NORMALIZE_WHITESPACE | ELLIPSIS
        super().__init__(_AliasChecker(stage), optionflags=flags)
        self.told: list[str] = []


class _AliasChecker(OutputChecker):
    """Compares what was printed, under the folder names of the documents."""

    def __init__(self, stage: Stage) -> None:
        self._stage = stage

    def check_output(self, want: str, got: str, optionflags: int) -> bool:
        return super().check_output(want, self._stage.aliased(got), optionflags)


def set_stage(home: Path, project: Path) -> Stage:
    """Copy the workspace into two folders; the project is a repository."""
    shutil.copytree(WORKSPACE / "home", home, dirs_exist_ok=True)
    shutil.copytree(WORKSPACE / "project", project, dirs_exist_ok=True)
    (project / ".git").mkdir()
    return Stage(home, project, {"__name__": "document"})


def rewritten(text: str, stage: Stage) -> str:
    """`text` with the sessions as they look now."""
    os.chdir(stage.project)
    parts: list[str] = []
    done = 0
    for block in blocks_of(text):
        shown = stage.run(block)
        parts += [text[done : block.start], shown]
        done = block.start + len(block.text)
    return "".join((*parts, text[done:]))


def main(paths: list[str]) -> None:
    for path in [Path(each).resolve() for each in paths]:
        with TemporaryDirectory() as folder:
            root = Path(folder).resolve()
            os.environ["HOME"] = str(root / "home")
            stage = set_stage(root / "home", root / "project")
            with redirect_stdout(StringIO()):
                text = rewritten(path.read_text("utf-8"), stage)
            os.chdir(REPOSITORY)
        path.write_text(text, "utf-8")


if __name__ == "__main__":
    main(sys.argv[1:])
