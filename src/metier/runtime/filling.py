"""A body with what belongs into it: arguments, variables, files, output of commands.

The body is cut into segments before anything is put in, and what was put in is never
looked at again.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from metier.core.filling import prepare_values, render_appendix, render_template
from metier.core.substitution import Variable, substitution_of
from metier.core.templates import parse_template
from metier.diagnostics import Diagnostic, Severity
from metier.runtime.filled import Filled

if TYPE_CHECKING:
    from metier.core.filling import Values, Variables
    from metier.core.skill import Skill
    from metier.core.templates import Template
    from metier.core.tree import Tree
    from metier.library import Library
    from metier.runtime.occasion import Occasion
    from metier.runtime.policy import RunPolicy
    from metier.runtime.runs import Switch


def fill_body(
    library: Library, skill: Skill, body: str, tree: Tree | None, occasion: Occasion
) -> Filled:
    """`body` as the agent fills it in on this occasion."""
    rule = substitution_of(library.dialect)
    template = parse_template(
        body,
        rule,
        caller=occasion.caller,
        names=_argument_names(skill),
        references=library.dialect.references.files,
    )
    variables = _variables(library, skill, occasion)
    values, problem = prepare_values(template, rule, occasion.arguments, variables)
    if problem is not None:
        return Filled("", problem=problem)
    filled = Filled(render_template(template, values))
    policy, switch = occasion.policy, occasion.switch
    if policy is not None and (template.commands or template.files):
        filled = _with_inserts(library, skill, tree, template, values, policy, switch)
    appendix = render_appendix(template, rule, occasion.arguments)
    return filled._replace(text=filled.text + appendix)


def _with_inserts(
    library: Library,
    skill: Skill,
    tree: Tree | None,
    template: Template,
    values: Values,
    policy: RunPolicy,
    switch: Switch | None,
) -> Filled:
    """The body with what commands say and what files hold."""
    from metier.runtime.attachments import read_files
    from metier.runtime.inserts import run_commands

    outputs = run_commands(library, skill, tree, template, values, policy, switch)
    if outputs.problem is not None:
        finding = _command_failed(outputs.problem, skill)
        said = outputs.words or outputs.problem
        return Filled("", outputs.runs, problem=said, diagnostics=(finding,))
    files = read_files(library, skill, tree, template.files, policy)
    contents = files.texts
    text = render_template(template, values, outputs=outputs.texts, contents=contents)
    return Filled(text, outputs.runs, files.attachments)


def _command_failed(message: str, skill: Skill) -> Diagnostic:
    return Diagnostic(
        rule="run-command-failed",
        severity=Severity.ERROR,
        message=message,
        path=skill.path,
    )


# The field in which a skill names its arguments, to those agents that know it.
_NAMES = "arguments"


def _argument_names(skill: Skill) -> tuple[str, ...]:
    stated = skill.fields.get(_NAMES)
    if isinstance(stated, str):
        return tuple(stated.replace(",", " ").split())
    return tuple(map(str, stated)) if isinstance(stated, tuple) else ()


def _variables(library: Library, skill: Skill, occasion: Occasion) -> Variables:
    return {
        Variable.SKILL_DIRECTORY: skill.directory,
        Variable.PROJECT_DIRECTORY: library.environment.cwd,
        **occasion.variables,
    }
