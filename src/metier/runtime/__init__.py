"""What lives while an agent runs."""
