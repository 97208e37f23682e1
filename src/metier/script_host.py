"""What a library can run: the scripts of its skills."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, cast

if TYPE_CHECKING:
    from collections.abc import Mapping

    from metier.core.permission import Ruleset
    from metier.core.script_results import ScriptResult
    from metier.core.skill import Skill
    from metier.library import Library
    from metier.runtime.ledger import Ledger
    from metier.runtime.policy import RunPolicy
    from metier.runtime.scripts import Arguments, ScriptRun, ScriptTool
    from metier.runtime.tool import Ask, AsyncAsk


class ScriptHost:
    """The part of a library that runs something."""

    __slots__ = ()

    def prepare_script(
        self,
        skill: str | Skill,
        script: str,
        arguments: Arguments = (),
        *,
        stdin: str | bytes = b"",
        policy: RunPolicy | None = None,
    ) -> ScriptRun:
        """A script that is ready to run, for its `plan`; `run` and `arun` run it.

        What was read now is what will be run.
        """
        from metier.runtime.policy import RunPolicy
        from metier.runtime.scripts import prepare_script

        library = cast("Library", self)
        asked = library[skill] if isinstance(skill, str) else skill
        rules = policy or RunPolicy()
        return prepare_script(
            library, asked, script, arguments, stdin=stdin, policy=rules
        )

    def run_script(
        self,
        skill: str | Skill,
        script: str,
        arguments: Arguments = (),
        *,
        stdin: str | bytes = b"",
        policy: RunPolicy | None = None,
    ) -> ScriptResult:
        """Run a script below the folder of a trusted skill, in a sandbox.

        A list of `arguments` is what the script gets, a mapping becomes options.
        `RunRefused` for what is not run, `ResourceError` for what is no file of the
        skill; how the script ended is in the result.
        """
        prepare = self.prepare_script
        return prepare(skill, script, arguments, stdin=stdin, policy=policy).run()

    def script_tool(
        self,
        *,
        policy: RunPolicy | None = None,
        permission: Ruleset | Mapping[str, Any] | None = None,
        ask: Ask | AsyncAsk | None = None,
        ledger: Ledger | None = None,
    ) -> ScriptTool:
        """A tool with which a model runs scripts; a person is asked for each."""
        from metier.runtime.policy import RunPolicy
        from metier.runtime.scripts import ScriptTool

        library = cast("Library", self)
        rules = library.dialect.permission.rules_in(permission)
        return ScriptTool(
            library=library,
            rules=rules,
            policy=policy or RunPolicy(),
            ask=ask,
            ledger=ledger,
        )
