"""Letta Code: keys that are paths, descriptions out of the body, whole files."""

from __future__ import annotations

import pytest

from metier.errors import SkillNotFound
from metier.library import Library
from tests.making import library

FILE = "---\nname: {}\ndescription: {}\n---\nDo it.\n"
ROOT = "/proj/.agents/skills"


def found(files: dict[str, str], **options: dict[str, str]) -> Library:
    return library(files, "letta-code", **options)


def only(text: str, folder: str = "web/pdf-forms") -> Library:
    return found({f"{ROOT}/{folder}/SKILL.md": text})


def described(text: str) -> list[tuple[str, str, str | None]]:
    return [(each.key, each.name, each.description) for each in only(text)]


KEY = "web/pdf-forms"


@pytest.mark.parametrize(
    ("text", "key", "name", "description"),
    [
        pytest.param("", KEY, "Pdf Forms", "No description available", id="nothing"),
        pytest.param("# A\nb\n\nc", KEY, "Pdf Forms", "# A\nb", id="no header"),
        pytest.param("---\ntitle: T\n---\nb", KEY, "T", "b", id="a title"),
        pytest.param("---\nname: - a\n---\nb", KEY, "- a", "b", id="a name as it is"),
        pytest.param("---\nname:\n- a\n---\nb", KEY, "Pdf Forms", "b", id="a list"),
        pytest.param("---\nid: x/my-a\n---\nb", "x/my-a", "My A", "b", id="an id"),
        pytest.param("---\nid:\n---\nb", KEY, "Pdf Forms", "b", id="an empty id"),
        pytest.param(
            "---\ndescription: '\n---\nb", KEY, "Pdf Forms", "b", id="a lone quote"
        ),
        pytest.param(
            "---\ndescription: ' '\n---\nb", KEY, "Pdf Forms", "", id="blanks in quotes"
        ),
        pytest.param(
            "---\ndescription: ' d'\nwhen_to_use: \" w \"\n---\nb",
            KEY,
            "Pdf Forms",
            "d\n\nWhen to use: w",
            id="when to use",
        ),
        pytest.param(
            "---\nwhen_to_use: w\n---\nb\r\n\r\nc",
            KEY,
            "Pdf Forms",
            "b\n\nWhen to use: w",
            id="when to use, and no description",
        ),
        pytest.param(
            "---\n---\n\nb\n---\nc", KEY, "Pdf Forms", "c", id="line two closes nothing"
        ),
    ],
)
def test_key_name_and_description(text: str, key: str, name: str, description: str):
    assert described(text) == [(key, name, description)]


def test_the_list_has_keys_and_sources_in_the_order_of_keys():
    text = found(
        {
            f"{ROOT}/web/pdf/SKILL.md": FILE.format("PDF", "one"),
            "/home/.letta/skills/b/SKILL.md": FILE.format("A", "two"),
            "/mem/skills/a/SKILL.md": FILE.format("Z", "three"),
            f"{ROOT}/x/SKILL.md": "---\ndisable-model-invocation: 'TRUE'\n---\n",
        },
        variables={"MEMORY_DIR": "/mem"},
    ).catalog()
    assert text == (
        "<system-reminder>\n"
        "The following skills are available for use with the Skill tool:\n\n"
        "- a (agent): three\n- b (global): two\n- web/pdf (project): one\n"
        "</system-reminder>"
    )


def test_of_one_key_the_nearest_counts_whatever_the_names():
    skills = found(
        {
            "/home/.letta/skills/pdf/SKILL.md": FILE.format("A", "user"),
            "/proj/.skills/pdf/SKILL.md": FILE.format("B", "old"),
            f"{ROOT}/pdf/SKILL.md": FILE.format("C", "new"),
        }
    )
    assert [(each.key, each.description) for each in skills] == [("pdf", "new")]
    assert [each.skill.description for each in skills.shadowed] == ["user", "old"]


def test_the_model_gets_the_file_as_it_is_between_tags():
    text = "\ufeff---\r\nname: x\r\n---\r\nSee <SKILL>.\r\n"
    assert only(text, "pdf").load("pdf").output == f"<pdf>\n{text}\n</pdf>"
    assert only(text).load(KEY).output == f'<skill name="{KEY}">\n{text}\n</skill>'


def test_the_folder_is_named_where_there_is_more_in_it():
    skills = found({f"{ROOT}/a/SKILL.md": "b", f"{ROOT}/a/run.py": ""})
    assert skills.load("a").output == (f"<a>\n# Skill Directory: {ROOT}/a\n\nb\n</a>")


def test_a_person_may_ask_for_what_the_model_may_not():
    skills = only("---\ndisable-model-invocation: true\n---\nb", "x/y")
    result = skills.tool().call({"skill": "x/y"})
    assert result.output == (
        'Skill "x/y" is marked disable-model-invocation and can only be invoked '
        "directly by the user."
    )
    invoked = skills.invoke("/x/y now, please")
    assert invoked is not None
    assert invoked.output == (
        '<skill name="x/y">\n---\ndisable-model-invocation: true\n---\nb\n</skill>'
        "\n\nnow, please"
    )


def test_a_person_may_be_kept_from_a_skill():
    skills = only("---\nuser-invocable: 'false'\n---\nb", "a")
    assert skills.invocable == ()
    assert only("---\nuser-invocable: no\n---\nb", "a").invocable != ()


def test_a_skill_is_looked_for_by_its_path_whatever_its_id():
    files = {
        f"{ROOT}/a/SKILL.md": "---\nid: b\n---\nfirst",
        f"{ROOT}/c/skill.md": "second",
        f"{ROOT}/SKILL.md": "third",
    }
    skills = found(files)
    assert skills.names == ("b", "c", "root")
    assert skills["a"].key == "b"
    for key in skills.names:
        with pytest.raises(SkillNotFound, match=f'Skill "{key}" not found'):
            skills.load(key)
    unreachable = {d.path: d.rule for d in skills.diagnostics if "key" in d.rule}
    assert unreachable == dict.fromkeys(files, "key-unreachable")


def test_what_an_id_shadows_is_found_by_its_path():
    skills = found(
        {
            f"{ROOT}/a/SKILL.md": "---\nid: b\n---\nfirst",
            f"{ROOT}/b/SKILL.md": "second",
        }
    )
    assert [each.path for each in skills] == [f"{ROOT}/b/SKILL.md"]
    assert skills.load("a").body.endswith("first")
    assert skills.get("B") is None


def test_tags_are_words_or_a_list():
    (skill,) = only("---\ntags: \"a  b,c\"\nargument-hint: '[x]'\n---\n")
    assert skill.fields["tags"] == ("a", "b,c")
    assert skill.fields["argument_hint"] == "[x]"
    (skill,) = only('---\ntags: "a" b\n---\n')
    assert skill.fields["tags"] == ('"a"', "b")

    (skill,) = only("---\ntags:\n- 'a'\n-b\n-\ncategory: c\n---\n")
    assert skill.fields["tags"] == ("a", "b")


def test_a_folder_is_read_once_for_each_root():
    files = {f"{ROOT}/a/SKILL.md": "a", f"{ROOT}/b/SKILL.md": "b"}
    assert found(files).names == ("a", "b")


def test_a_skill_of_explicit_folders_is_one_of_the_project():
    skills = library({"/x/a/SKILL.md": "a"}, "letta-code", roots=["/x"])
    assert "- a (project): a" in skills.catalog()
