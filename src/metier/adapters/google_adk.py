"""Skills for Google's Agent Development Kit: tools for `Agent(tools=...)`."""

# pyright: basic
# The kit leaves some types open.
from __future__ import annotations

from typing import TYPE_CHECKING, Any

from metier.adapters import missing

try:
    from google.adk.tools.base_tool import BaseTool
    from google.genai.types import FunctionDeclaration
except ModuleNotFoundError as error:
    raise missing("google-adk", error) from error

if TYPE_CHECKING:
    from google.adk.agents.llm_agent import ToolUnion
    from google.adk.tools.tool_context import ToolContext

    from metier.runtime.toolbox import Tool, Toolbox


def tools_for(tools: Toolbox) -> list[ToolUnion]:
    """What goes into `tools=` of an agent."""
    return [_AdkTool(tool) for tool in tools]


class _AdkTool(BaseTool):
    """One of our tools, as the kit has them."""

    def __init__(self, tool: Tool) -> None:
        super().__init__(name=tool.name, description=tool.description)
        self._tool = tool

    def _get_declaration(self) -> FunctionDeclaration:
        return FunctionDeclaration(
            name=self.name,
            description=self.description,
            parameters_json_schema=self._tool.schema,
        )

    async def run_async(
        self,
        *,
        args: dict[str, Any],
        tool_context: ToolContext,  # noqa: ARG002
    ) -> Any:
        """Call it: an answer under `result`, or an `error`."""
        result = await self._tool.acall(args)
        return {"error" if result.is_error else "result": result.output}
