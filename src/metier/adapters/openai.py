"""Skills for the OpenAI SDK, in both of its dialogues: chat completions, responses."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from openai.types.chat import (
        ChatCompletionMessage,
        ChatCompletionMessageFunctionToolCall,
        ChatCompletionToolMessageParam,
        ChatCompletionToolUnionParam,
    )
    from openai.types.responses import (
        Response,
        ResponseFunctionToolCall,
        ToolParam,
    )
    from openai.types.responses.response_input_param import FunctionCallOutput

    from metier.runtime.tool import ToolResult
    from metier.runtime.toolbox import Toolbox


def chat_tools(tools: Toolbox) -> list[ChatCompletionToolUnionParam]:
    """What goes into `tools=` of `chat.completions.create`."""
    return tools.definitions("openai")  # pyright: ignore[reportReturnType]


def chat_answers(
    message: ChatCompletionMessage, tools: Toolbox
) -> list[ChatCompletionToolMessageParam]:
    """The messages that follow `message`: one for each call of ours."""
    return [
        _chat_answer(call, tools.call(call.function.name, call.function.arguments))
        for call in _chat_calls(message, tools)
    ]


async def achat_answers(
    message: ChatCompletionMessage, tools: Toolbox
) -> list[ChatCompletionToolMessageParam]:
    """`chat_answers`, for the asynchronous client."""
    return [
        _chat_answer(
            call, await tools.acall(call.function.name, call.function.arguments)
        )
        for call in _chat_calls(message, tools)
    ]


def _chat_answer(
    call: ChatCompletionMessageFunctionToolCall, result: ToolResult
) -> ChatCompletionToolMessageParam:
    return {"role": "tool", "tool_call_id": call.id, "content": result.output}


def _chat_calls(
    message: ChatCompletionMessage, tools: Toolbox
) -> Iterator[ChatCompletionMessageFunctionToolCall]:
    for call in message.tool_calls or ():
        if call.type == "function" and tools.get(call.function.name) is not None:
            yield call


def response_tools(tools: Toolbox) -> list[ToolParam]:
    """What goes into `tools=` of `responses.create`."""
    return tools.definitions("openai-responses")  # pyright: ignore[reportReturnType]


def response_answers(response: Response, tools: Toolbox) -> list[FunctionCallOutput]:
    """The items of the next input: one for each call of ours."""
    return [
        _response_answer(call, tools.call(call.name, call.arguments))
        for call in _response_calls(response, tools)
    ]


async def aresponse_answers(
    response: Response, tools: Toolbox
) -> list[FunctionCallOutput]:
    """`response_answers`, for the asynchronous client."""
    return [
        _response_answer(call, await tools.acall(call.name, call.arguments))
        for call in _response_calls(response, tools)
    ]


def _response_answer(
    call: ResponseFunctionToolCall, result: ToolResult
) -> FunctionCallOutput:
    return {
        "type": "function_call_output",
        "call_id": call.call_id,
        "output": result.output,
    }


def _response_calls(
    response: Response, tools: Toolbox
) -> Iterator[ResponseFunctionToolCall]:
    for item in response.output:
        if item.type == "function_call" and tools.get(item.name) is not None:
            yield item
