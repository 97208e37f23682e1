"""Skills on the Anthropic SDK: `python anthropic_sdk.py "what to do"`."""

import sys
from typing import Any

import anthropic

import metier
from metier.adapters.anthropic import answers_to, tools_for

skills = metier.discover()
tools = skills.tools()
client = anthropic.Anthropic()
messages: list[Any] = [{"role": "user", "content": sys.argv[1]}]

while True:
    message = client.messages.create(
        model="claude-sonnet-5-5",
        max_tokens=4096,
        messages=messages,
        tools=tools_for(tools),
    )
    answers = answers_to(message, tools)
    if not answers:
        break
    messages.append({"role": "assistant", "content": message.content})
    messages.append({"role": "user", "content": answers})

print("".join(block.text for block in message.content if block.type == "text"))
