"""Skills for smolagents: tools for `ToolCallingAgent(tools=...)` and its like."""

# pyright: basic, reportMissingTypeStubs=false
# smolagents comes without types.
from __future__ import annotations

from typing import TYPE_CHECKING, Any

from metier.adapters import missing

try:
    from smolagents.tools import Tool as SmolTool
except ModuleNotFoundError as error:
    raise missing("smolagents", error) from error

if TYPE_CHECKING:
    from metier.runtime.toolbox import Tool, Toolbox


def tools_for(tools: Toolbox) -> list[SmolTool]:
    """What goes into `tools=` of an agent."""
    return [_Tool(tool) for tool in tools]


class _Tool(SmolTool):
    """One of our tools, as smolagents has them: arguments of types, a text back."""

    # The arguments are those of the schema, not of `forward`.
    skip_forward_signature_validation = True
    output_type = "string"

    def __init__(self, tool: Tool) -> None:
        self.name = tool.name
        self.description = tool.description
        self.inputs = _inputs_of(tool.schema)
        self._tool = tool
        super().__init__()

    def forward(self, *in_order: Any, **by_name: Any) -> str:
        """Call it; what goes wrong is told to the model."""
        # An agent that writes code need not name its arguments.
        arguments = {**dict(zip(self.inputs, in_order, strict=False)), **by_name}
        given = {key: value for key, value in arguments.items() if value is not None}
        return self._tool.call(given).output


def _inputs_of(schema: dict[str, Any]) -> dict[str, dict[str, Any]]:
    required = schema["required"]
    return {
        name: {"description": name, **about, **({} if name in required else _OPTIONAL)}
        for name, about in schema["properties"].items()
    }


_OPTIONAL = {"nullable": True}
