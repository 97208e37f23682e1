"""Skills on chat completions: `python openai_chat.py "what to do"`."""

import sys
from typing import Any

import openai

import metier
from metier.adapters.openai import chat_answers, chat_tools

skills = metier.discover()
tools = skills.tools()
client = openai.OpenAI()
messages: list[Any] = [{"role": "user", "content": sys.argv[1]}]

while True:
    completion = client.chat.completions.create(
        model="gpt-5", messages=messages, tools=chat_tools(tools)
    )
    message = completion.choices[0].message
    answers = chat_answers(message, tools)
    if not answers:
        break
    messages += [message, *answers]

print(message.content)
