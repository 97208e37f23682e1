"""Skills on the responses API: `python openai_responses.py "what to do"`."""

import sys
from typing import Any

import openai

import metier
from metier.adapters.openai import response_answers, response_tools

skills = metier.discover()
tools = skills.tools()
client = openai.OpenAI()
conversation: list[Any] = [{"role": "user", "content": sys.argv[1]}]

while True:
    response = client.responses.create(
        model="gpt-5", input=conversation, tools=response_tools(tools)
    )
    answers = response_answers(response, tools)
    if not answers:
        break
    conversation += [*response.output, *answers]

print(response.output_text)
