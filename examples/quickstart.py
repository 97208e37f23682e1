"""What an agent has in the workspace that stands beside this file."""

from pathlib import Path

import metier

workspace = Path(__file__).parent / "workspace"
skills = metier.discover(cwd=workspace / "project", home=workspace / "home")
print(skills.catalog())  # what the model sees

tool = skills.tool(permission={"*": "allow", "deploy": "deny"})
print(tool.definition("anthropic")["input_schema"])  # what the model may call
print(tool.call({"name": "commit-message"}))  # what comes back

for account in skills.why("review-change"):
    print(account.status.value, account.path, account.because, sep="\n  ")
