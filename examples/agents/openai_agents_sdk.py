"""Skills in OpenAI's Agents SDK: `python openai_agents_sdk.py "what to do"`."""

import sys

from agents import Agent, Runner

import metier
from metier.adapters.openai_agents import tools_for

skills = metier.discover()
agent = Agent(name="helper", model="gpt-5", tools=tools_for(skills.tools()))

print(Runner.run_sync(agent, sys.argv[1]).final_output)
