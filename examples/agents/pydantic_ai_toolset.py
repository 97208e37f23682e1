"""Skills as a toolset of Pydantic AI: `python pydantic_ai_toolset.py "what to do"`."""

import sys

from pydantic_ai import Agent

import metier
from metier.adapters.pydantic_ai import toolset_for

skills = metier.discover()
agent = Agent("openai-chat:gpt-5", toolsets=[toolset_for(skills.tools())])

print(agent.run_sync(sys.argv[1]).output)
