"""Skills for Pydantic AI: a toolset for `Agent(toolsets=...)`."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from metier.adapters import missing

try:
    from pydantic_ai import FunctionToolset
    from pydantic_ai import Tool as PydanticTool
except ModuleNotFoundError as error:
    raise missing("pydantic-ai", error) from error

if TYPE_CHECKING:
    from metier.runtime.toolbox import Tool, Toolbox


def toolset_for(tools: Toolbox) -> FunctionToolset[Any]:
    """What goes into `toolsets=` of an agent."""
    return FunctionToolset([_tool(tool) for tool in tools])


def _tool(tool: Tool) -> PydanticTool[Any]:
    async def call(**arguments: Any) -> str:
        # No retry: a second refusal in a row, or a script that fails twice, would end
        # the whole run.
        return (await tool.acall(arguments)).output

    return PydanticTool[Any].from_schema(
        call, name=tool.name, description=tool.description, json_schema=tool.schema
    )
