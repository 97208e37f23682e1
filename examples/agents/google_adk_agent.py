"""Skills in Google's ADK: `python google_adk_agent.py "what to do"`."""

import asyncio
import sys

from google.adk.agents import Agent
from google.adk.runners import InMemoryRunner

import metier
from metier.adapters.google_adk import tools_for

skills = metier.discover()
agent = Agent(name="helper", model="gemini-2.5-flash", tools=tools_for(skills.tools()))

events = asyncio.run(InMemoryRunner(agent).run_debug(sys.argv[1], quiet=True))
content = events[-1].content
print(content.parts[0].text if content and content.parts else "")
