"""Skills for the OpenAI Agents SDK: tools for `Agent(tools=...)`."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from metier.adapters import missing

try:
    from agents import FunctionTool
except ModuleNotFoundError as error:
    raise missing("openai-agents", error) from error

if TYPE_CHECKING:
    from agents import Tool as AgentsTool
    from agents.tool_context import ToolContext

    from metier.runtime.toolbox import Tool, Toolbox


def tools_for(tools: Toolbox) -> list[AgentsTool]:
    """What goes into `tools=` of an agent."""
    return [_function_tool(tool) for tool in tools]


def _function_tool(tool: Tool) -> FunctionTool:
    async def invoke(_context: ToolContext[Any], arguments: str) -> str:
        return (await tool.acall(arguments)).output

    return FunctionTool(
        name=tool.name,
        description=tool.description,
        params_json_schema=tool.schema,
        on_invoke_tool=invoke,
        # Strict schemas may have no optional arguments, and ours have.
        strict_json_schema=False,
    )
