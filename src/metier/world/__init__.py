"""The edge: the only part that touches disk, environment, processes and clock."""
