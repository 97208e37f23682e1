"""The tools of one conversation together: what is offered, and who is called."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, Protocol

from metier.core.definitions import DefinitionKind
from metier.runtime.model_tool import failed
from metier.runtime.tool import ToolResult

if TYPE_CHECKING:
    from metier.library import Library

Arguments = Mapping[str, Any] | str


class Tool(Protocol):
    """What a framework needs to know of a tool: `SkillTool` and the others are such."""

    @property
    def name(self) -> str:
        """What the model calls it."""
        ...

    @property
    def description(self) -> str:
        """What the model is told of it."""
        ...

    @property
    def schema(self) -> dict[str, Any]:
        """The JSON Schema of its arguments."""
        ...

    @property
    def is_offered(self) -> bool:
        """Whether there is anything to offer."""
        ...

    @property
    def library(self) -> Library:
        """The skills that it is about, without those that are denied."""
        ...

    def renew(self, library: Library) -> None:
        """Be about `library` from now on; a definition that was given stays."""
        ...

    def definition(self, kind: DefinitionKind = ...) -> dict[str, Any]:
        """One entry of the list of tools, as a provider wants it."""
        ...

    def call(self, arguments: Arguments) -> ToolResult:
        """Do it for the model; what goes wrong is an error result."""
        ...

    async def acall(self, arguments: Arguments) -> ToolResult:
        """`call`, off the event loop."""
        ...


class Toolbox(tuple[Tool, ...]):
    """The tools that there is something to offer with; empty where there is nothing."""

    __slots__ = ()

    def definitions(self, kind: DefinitionKind = "json-schema") -> list[dict[str, Any]]:
        """The list of tools, as a provider wants it."""
        return [tool.definition(kind) for tool in self]

    def renew(self, library: Library) -> None:
        """Let all of them be about `library` from now on; what was given stays."""
        for tool in self:
            tool.renew(library)

    def get(self, name: str) -> Tool | None:
        """The tool that a model calls so, or None where it is somebody else's."""
        return next((tool for tool in self if tool.name == name), None)

    def call(self, name: str, arguments: Arguments) -> ToolResult:
        """Call a tool for the model; what goes wrong is an error result."""
        tool = self.get(name)
        return _unknown(name, self) if tool is None else tool.call(arguments)

    async def acall(self, name: str, arguments: Arguments) -> ToolResult:
        """`call`, with an `ask` that may be a coroutine function."""
        tool = self.get(name)
        return _unknown(name, self) if tool is None else await tool.acall(arguments)


def _unknown(name: str, tools: Toolbox) -> ToolResult:
    known = ", ".join(tool.name for tool in tools) or "none"
    message = f"there is no tool `{name}`; available: {known}"
    return failed(message)
