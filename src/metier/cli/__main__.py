"""`python -m metier.cli`."""

from metier.cli import main

main()
