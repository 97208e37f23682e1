"""Skills for Pydantic AI: a toolset for `Agent(toolsets=...)`."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from pydantic_ai import FunctionToolset, ModelRetry
from pydantic_ai import Tool as PydanticTool

if TYPE_CHECKING:
    from metier.runtime.toolbox import Tool, Toolbox


def toolset_for(tools: Toolbox) -> FunctionToolset[Any]:
    """What goes into `toolsets=` of an agent."""
    return FunctionToolset([_tool(tool) for tool in tools])


def _tool(tool: Tool) -> PydanticTool[Any]:
    async def call(**arguments: Any) -> str:
        result = await tool.acall(arguments)
        if result.is_error:
            raise ModelRetry(result.output)
        return result.output

    return PydanticTool[Any].from_schema(
        call, name=tool.name, description=tool.description, json_schema=tool.schema
    )
