"""Skills by a LangChain middleware: `python langchain_middleware.py "what to do"`."""

import sys

from langchain.agents import create_agent

import metier
from metier.adapters.langchain import SkillsMiddleware

skills = metier.discover()
agent = create_agent("openai:gpt-5", middleware=[SkillsMiddleware(skills)])

state = agent.invoke({"messages": [{"role": "user", "content": sys.argv[1]}]})
print(state["messages"][-1].text)
