"""Skills as tools of LangChain: `python langchain_tools.py "what to do"`."""

import sys

from langchain.agents import create_agent

import metier
from metier.adapters.langchain import tools_for

skills = metier.discover()
agent = create_agent("openai:gpt-5", tools=tools_for(skills.tools()))

state = agent.invoke({"messages": [{"role": "user", "content": sys.argv[1]}]})
print(state["messages"][-1].text)
