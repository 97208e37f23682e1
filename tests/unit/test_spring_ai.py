"""Spring AI: folders that a program names, every field shown, all or nothing."""

from __future__ import annotations

from tests.making import library

GOOD = "---\nname: pdf\ndescription: Reads <PDF>\nlicense: 'MIT'\n---\n\n Do it.\n"
ROOTS = ["/skills"]


def test_the_model_sees_every_field_in_the_order_of_a_hash_map():
    found = library({"/skills/a/SKILL.md": GOOD}, "spring-ai", roots=ROOTS)
    item = (
        "<available_skills>\n<skill>\n  <name>pdf</name>\n  <license>MIT</license>\n"
        "  <description>Reads <PDF></description>\n</skill>\n</available_skills>\n"
    )
    assert found.catalog().endswith(item)


def test_a_skill_is_handed_over_with_its_folder():
    found = library({"/skills/a/SKILL.md": GOOD}, "spring-ai", roots=ROOTS)
    told = "Base directory for this skill: /skills/a\n\nDo it."
    assert found.load("pdf").output == told


def test_one_file_without_a_name_and_there_are_no_skills():
    files = {"/skills/a/SKILL.md": GOOD, "/skills/b/SKILL.md": "# No header\n"}
    found = library(files, "spring-ai", roots=ROOTS)
    assert (found.skills, [each.rule for each in found.rejected]) == (
        (),
        ["host-aborts", "frontmatter-missing"],
    )


def test_it_looks_nowhere_by_itself():
    found = library({"/proj/.agents/skills/a/SKILL.md": GOOD}, "spring-ai")
    assert (found.roots, found.skills) == ((), ())
