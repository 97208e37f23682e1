"""`python -m metier`."""

from metier.cli import main

main()
