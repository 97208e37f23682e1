"""`agents/openai.yaml` beside a skill: what Codex 0.169.0 made of each of these."""

from __future__ import annotations

from pathlib import Path

import pytest

from metier.api import discover
from metier.core.sidecar import read_sidecar, sidecar_of
from metier.core.skill import Status
from metier.testing import make_skill
from tests.making import SKILLS, dialect, library
from tests.trusting import set_scene, store_in

RULE = sidecar_of(dialect("codex"))
NO = "policy:\n  allow_implicit_invocation: false\n"


def outcome(text: str | bytes) -> str | None:
    data = text if isinstance(text, bytes) else text.encode()
    is_hidden, is_excluded, finding = read_sidecar(data, RULE)
    assert is_hidden == (finding is not None and finding.rule == "sidecar-hides")
    assert is_excluded == (finding is not None and finding.rule == "sidecar-excludes")
    return finding and finding.rule


@pytest.mark.parametrize(
    "text",
    [
        NO,
        "\ufeff" + NO,
        "policy: {allow_implicit_invocation: FALSE}",
        "policy:\n  allow_implicit_invocation: !!bool false\n",
        f"interface:\n  display_name: 3\n{NO}",
        f"dependencies:\nunknown: [1]\n? [a]\n: b\n{NO}",
        "policy: {products: [codex], allow_implicit_invocation: false}",
        "policy: {products: [], allow_implicit_invocation: false}",
    ],
)
def test_a_flag_that_is_false_hides_the_skill_from_the_model(text: str):
    assert outcome(text) == "sidecar-hides"


@pytest.mark.parametrize(
    "text",
    [
        "",
        "# nothing\n",
        "policy: null\n",
        "policy: {allow_implicit_invocation: true}",
        "policy: {allow_implicit_invocation: null}",
        "policy: {products: [codex]}",
    ],
)
def test_a_file_that_forbids_nothing_changes_nothing(text: str):
    assert outcome(text) is None


@pytest.mark.parametrize("product", ["chatgpt", "atlas"])
def test_a_skill_for_other_products_is_none_here(product: str):
    assert outcome(f"policy: {{products: [{product}]}}") == "sidecar-excludes"


@pytest.mark.parametrize(
    ("text", "why"),
    [
        (b"\xff", "it is not YAML"),
        ("policy: [", "it is not YAML"),
        (f"{NO}---\nmore: 1\n", "it is not YAML"),
        ("- policy\n", "it holds no `key: value`"),
        (f"interface: 3\n{NO}", "`interface` is no map"),
        ("policy: []", "`policy` is no map"),
        (f"interface: {{icon_small: [a]}}\n{NO}", "`interface.icon_small` is no text"),
        (f"dependencies: {{tools: 3}}\n{NO}", "`dependencies.tools` is no list"),
        (
            "policy: {allow_implicit_invocation: 0}",
            "`policy.allow_implicit_invocation` is no flag",
        ),
        (
            f"{NO}  allow_implicit_invocation: true\n",
            "`policy.allow_implicit_invocation` stands twice",
        ),
        ("policy: {products: null}", "`policy.products` is no products"),
        ("policy: {products: [Codex]}", "`policy.products` is no products"),
        ("policy: {products: [[codex]]}", "`policy.products` is no products"),
    ],
)
def test_what_does_not_fit_its_type_makes_the_file_count_for_nothing(
    text: str | bytes, why: str
):
    assert outcome(text) == "sidecar-invalid"
    data = text if isinstance(text, bytes) else text.encode()
    finding = read_sidecar(data, RULE).finding
    assert finding
    assert finding.message == f"`agents/openai.yaml` counts for nothing: {why}"


FILES = {
    f"{SKILLS}/plain/SKILL.md": make_skill("plain", "Does it"),
    f"{SKILLS}/shy/SKILL.md": make_skill("shy", "Does it"),
    f"{SKILLS}/shy/agents/openai.yaml": NO,
    f"{SKILLS}/other/SKILL.md": make_skill("other", "Does it"),
    f"{SKILLS}/other/agents/openai.yaml": "policy: {products: [atlas]}",
}


def test_a_library_has_what_the_files_beside_the_skills_say():
    found = library(FILES, "codex")
    assert {a.name: (a.status, a.rule) for a in found.accounts()} == {
        "plain": (Status.LOADED, "loaded"),
        "shy": (Status.HIDDEN, "hidden"),
        "other": (Status.REJECTED, "sidecar-excludes"),
    }
    assert [d.rule for d in found["shy"].diagnostics] == ["sidecar-hides"]
    assert "shy" not in found.catalog()


def test_an_agent_that_reads_no_such_file_has_them_all():
    found = library(FILES)
    assert {skill.name for skill in found.offered} == {"plain", "shy", "other"}


def test_behind_a_gate_it_is_read_out_of_what_was_approved(tmp_path: Path):
    scene = set_scene(tmp_path, dialect="codex")
    (scene.skill / "agents").mkdir()
    (scene.skill / "agents" / "openai.yaml").write_text(NO)
    assert scene.look().skills == ()
    assert scene.trust_all().offered == ()
    assert [skill.name for skill in scene.look()] == ["pdf"]


def test_of_a_person_s_own_skills_it_is_read_from_the_disk(tmp_path: Path):
    own = tmp_path / "home/.agents/skills/own"
    (own / "agents").mkdir(parents=True)
    (own / "SKILL.md").write_text(make_skill("own", "Mine"))
    (own / "agents" / "openai.yaml").write_text(NO)
    (tmp_path / "empty").mkdir()
    found = discover(
        dialect="codex",
        cwd=tmp_path / "empty",
        home=tmp_path / "home",
        variables={},
        trust=store_in(tmp_path),
    )
    assert [(skill.name, skill.is_hidden) for skill in found] == [("own", True)]
