"""What joins metier with other libraries: thin, optional, imported by who wants it."""
