"""Skills for LangChain: tools for any agent, and a middleware that brings them."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from typing import TYPE_CHECKING, Any

from metier.adapters import missing
from metier.core.escaping import sendable

try:
    from langchain.agents.middleware import (
        AgentMiddleware,
        ModelRequest,
        ModelResponse,
    )
    from langchain_core.messages import SystemMessage
    from langchain_core.tools import StructuredTool, ToolException
except ModuleNotFoundError as error:
    raise missing("langchain", error) from error

if TYPE_CHECKING:
    from langchain_core.tools import BaseTool

    from metier.library import Library
    from metier.runtime.tool import ToolResult
    from metier.runtime.toolbox import Tool, Toolbox


def tools_for(tools: Toolbox) -> list[BaseTool]:
    """What goes into `tools=` of an agent, or into `bind_tools`."""
    return [_structured(tool) for tool in tools]


def _structured(tool: Tool) -> BaseTool:
    def call(**arguments: Any) -> str:
        return _output_of(tool.call(arguments))

    async def acall(**arguments: Any) -> str:
        return _output_of(await tool.acall(arguments))

    return StructuredTool.from_function(
        func=call,
        coroutine=acall,
        name=tool.name,
        description=tool.description,
        args_schema=tool.schema,
        handle_tool_error=True,
    )


def _output_of(result: ToolResult) -> str:
    if result.is_error:
        raise ToolException(result.output)
    return result.output


class SkillsMiddleware(AgentMiddleware[Any, Any]):
    """The tools of a library, and its catalog at the end of the system prompt."""

    def __init__(self, skills: Library, tools: Toolbox | None = None) -> None:
        super().__init__()
        chosen = skills.tools() if tools is None else tools
        self.tools = tools_for(chosen)
        # That of the tools: their permissions may leave out what the library has.
        catalog = sendable(chosen[0].library.catalog()) if chosen else ""
        told = any(catalog in tool.description for tool in chosen)
        self._catalog = "" if told else catalog

    def wrap_model_call(
        self,
        request: ModelRequest[Any],
        handler: Callable[[ModelRequest[Any]], ModelResponse[Any]],
    ) -> ModelResponse[Any]:
        """Ask the model, the catalog in its system prompt."""
        return handler(self._with_catalog(request))

    async def awrap_model_call(
        self,
        request: ModelRequest[Any],
        handler: Callable[[ModelRequest[Any]], Awaitable[ModelResponse[Any]]],
    ) -> ModelResponse[Any]:
        """Ask the model, the catalog in its system prompt."""
        return await handler(self._with_catalog(request))

    def _with_catalog(self, request: ModelRequest[Any]) -> ModelRequest[Any]:
        if not self._catalog:
            return request
        before = f"{request.system_prompt}\n\n" if request.system_prompt else ""
        message = SystemMessage(f"{before}{self._catalog}")
        return request.override(system_message=message)
