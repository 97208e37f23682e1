#!/bin/sh
# `make demo`: what metier says about the skills that stand beside this file.
set -eu
cd "$(dirname "$0")"

metier list
