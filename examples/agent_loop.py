"""A whole agent with skills, in a terminal: `python agent_loop.py`."""

from typing import Any

import anthropic

import metier
from metier.adapters.anthropic import answers_to, tools_for
from metier.runtime.policy import RunPolicy
from metier.runtime.tool import Request

LONGEST = 40  # messages, before they are summed up


def ask(request: Request) -> bool:
    return input(f"{request.permission} {request.name}? [y/N] ") == "y"


class Agent:
    def __init__(self) -> None:
        self.client = anthropic.Anthropic()
        skills = metier.discover(trust=metier.Trust.STORED)
        self.ledger = skills.ledger()
        self.tools = skills.tools(ask=ask, ledger=self.ledger, scripts=RunPolicy())
        self.messages: list[Any] = []

    def say(self, text: str) -> str:
        self.messages.append({"role": "user", "content": text})
        if len(self.messages) > LONGEST:
            self.compact()
        while results := answers_to(self.answer(), self.tools):
            self.messages.append({"role": "user", "content": results})
        return self.messages[-1]["content"][-1].text

    def answer(self, **options: Any) -> Any:
        message = self.client.messages.create(
            model="claude-sonnet-5-5",
            max_tokens=4096,
            messages=self.messages,
            tools=tools_for(self.tools),
            **options,
        )
        self.messages.append({"role": "assistant", "content": message.content})
        return message

    def compact(self) -> None:
        self.messages.append({"role": "user", "content": "Sum up what we said so far."})
        summary = self.answer(tool_choice={"type": "none"}).content[-1].text
        skills = self.ledger.reinject().text
        self.messages = [{"role": "user", "content": f"{summary}\n\n{skills}"}]


if __name__ == "__main__":
    agent = Agent()
    while turn := input("> "):
        print(agent.say(turn))
