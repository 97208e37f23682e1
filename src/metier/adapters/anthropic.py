"""Skills for the Anthropic SDK: tools for `messages.create`, answers to its message."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from anthropic.types import Message, ToolParam, ToolResultBlockParam, ToolUseBlock

    from metier.runtime.tool import ToolResult
    from metier.runtime.toolbox import Toolbox


def tools_for(tools: Toolbox) -> list[ToolParam]:
    """What goes into `tools=` of `messages.create`."""
    return tools.definitions("anthropic")  # pyright: ignore[reportReturnType]


def answers_to(message: Message, tools: Toolbox) -> list[ToolResultBlockParam]:
    """The content of the next user message: a result for each call of ours."""
    return [
        _result(block, tools.call(block.name, block.input))
        for block in _calls_in(message, tools)
    ]


async def aanswers_to(message: Message, tools: Toolbox) -> list[ToolResultBlockParam]:
    """`answers_to`, for the asynchronous client."""
    return [
        _result(block, await tools.acall(block.name, block.input))
        for block in _calls_in(message, tools)
    ]


def _calls_in(message: Message, tools: Toolbox) -> Iterator[ToolUseBlock]:
    for block in message.content:
        if block.type == "tool_use" and tools.get(block.name) is not None:
            yield block


def _result(block: ToolUseBlock, result: ToolResult) -> ToolResultBlockParam:
    return {
        "type": "tool_result",
        "tool_use_id": block.id,
        "content": result.output,
        "is_error": result.is_error,
    }
