"""Prints what a dialect makes of texts on stdin; `pure` does so without libyaml."""

from __future__ import annotations

import json
import sys

import yaml

if sys.argv[2:] == ["pure"] and hasattr(yaml, "CSafeLoader"):
    del yaml.CSafeLoader

from metier.core.document import DocumentReader
from metier.world.dialects import load_dialect

reader = DocumentReader(load_dialect(sys.argv[1]))
for text in json.load(sys.stdin):
    found = reader.read(text.encode(), directory="x")
    sys.stdout.write(json.dumps([found.name, found.description, found.error]) + "\n")
