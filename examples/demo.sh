#!/bin/sh
# `make demo`: one workspace, the five systems and every other agent. Each heading is the
# command that is run.
# The workspace is copied first: a `.git`, which marks the root of a repository, cannot
# be part of one.
set -eu
cd "$(dirname "$0")"

stage=$(mktemp -d "${TMPDIR:-/tmp}/metier-demo.XXXXXX")
trap 'rm -rf "$stage"' EXIT
trap 'exit 130' INT TERM
cp -R workspace/. "$stage"
mkdir "$stage/project/.git"
cd "$stage/project"
HOME=$stage/home
export HOME
unset XDG_CONFIG_HOME OPENCODE_CONFIG_DIR OPENCODE_DISABLE_CLAUDE_CODE_SKILLS || true

say() {
    printf '\n== %s\n' "$*"
}

# show STATUS ARGUMENT...: run metier under a heading; another status ends the tour.
show() {
    expected=$1
    shift
    printf '\n$ metier'
    for word in "$@"; do
        case $word in
            *' '*) printf " '%s'" "$word" ;;
            *) printf ' %s' "$word" ;;
        esac
    done
    printf '\n'
    status=0
    metier "$@" || status=$?
    [ "$status" -eq "$expected" ] || {
        printf 'demo: metier ended with %s, not with %s\n' "$status" "$expected" >&2
        exit 1
    }
}

say 'agentskills, the default: .agents/skills and .claude/skills, project over user'
show 0 list -q
show 0 why release-notes
show 0 why review-change
show 0 why harbour-data
show 0 catalog
show 0 load release-notes
show 0 refs .agents/skills/release-notes/SKILL.md
show 0 match 'please review this change before the merge'
show 1 match 'what is the weather like?'
show 1 load release-note

say 'opencode-spec: the last root wins, so the copy in the home folder counts'
show 0 list -q --dialect opencode-spec
show 0 why review-change --dialect opencode-spec
show 0 catalog --dialect opencode-spec
echo
show 0 load sql-migration --dialect opencode-spec
echo
show 1 match 'add a column' --dialect opencode-spec

say 'brutus: any SKILL.md below .claude and .opencode'
show 0 list -q --dialect brutus
show 0 why review-change --dialect brutus
show 0 catalog --dialect brutus
echo
show 0 load review-change --dialect brutus
echo
show 1 match 'review it' --dialect brutus

say 'opi: a higher layer wins, and one bad file costs all skills'
show 0 list -q --dialect opi
show 0 why deploy --dialect opi
show 0 catalog --dialect opi
echo
show 0 load tide-check --dialect opi
echo
show 1 match 'check the tides' --dialect opi
show 1 list -q --dialect opi --root .agents/skills

say 'shelley: .skills, then every skill.md of the repository'
show 0 list -q --dialect shelley
show 0 why charts --dialect shelley
show 0 catalog --dialect shelley
echo
show 0 load csv-import --dialect shelley
show 1 match 'draw a curve' --dialect shelley

say 'batuta: files and folders, picked by their when_to_use'
show 0 list -q --dialect batuta
show 0 why flaky-tests --dialect batuta
show 0 catalog --dialect batuta
show 0 load flaky-tests --dialect batuta
echo
show 0 match 'the test is flaky and fails only in CI' --dialect batuta

say 'one skill, all agents'
show 0 why plain-words --dialect all

say 'all skills, all agents'
show 1 matrix --root .agents/skills
show 1 diff --from opencode-spec --to codex
