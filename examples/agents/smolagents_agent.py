"""Skills in smolagents: `python smolagents_agent.py "what to do"`."""

import sys

from smolagents import OpenAIServerModel, ToolCallingAgent

import metier
from metier.adapters.smolagents import tools_for

skills = metier.discover()
model = OpenAIServerModel("gpt-5")
agent = ToolCallingAgent(tools_for(skills.tools()), model, verbosity_level=0)

print(agent.run(sys.argv[1]))
