"""A comparison of agents as text, Markdown, JSON and as a page."""
