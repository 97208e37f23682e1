"""The pure part: values in, values out; no disk, environment, process or clock."""
