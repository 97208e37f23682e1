"""What a library gives to a model: its tools."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, cast

from metier.script_host import ScriptHost

if TYPE_CHECKING:
    from collections.abc import Mapping

    from metier.core.activation import Names
    from metier.core.permission import Ruleset
    from metier.library import Library
    from metier.runtime.ledger import Ledger
    from metier.runtime.policy import RunPolicy
    from metier.runtime.resources import ResourceTool
    from metier.runtime.tool import Ask, AsyncAsk, SkillTool
    from metier.runtime.toolbox import Tool, Toolbox


class ToolHost(ScriptHost):
    """The part of a library that a model calls."""

    __slots__ = ()

    def tool(
        self,
        *,
        permission: Ruleset | Mapping[str, Any] | None = None,
        ask: Ask | AsyncAsk | None = None,
        ledger: Ledger | None = None,
        schema_names: Names | None = None,
        policy: RunPolicy | None = None,
    ) -> SkillTool:
        """The `skill` tool of this agent, for a model to call.

        `schema_names` says whether its schema lists the names; without it, the agent.
        A `policy` is for what the bodies of skills ask for, as in `load`.
        """
        from metier.runtime.tool import SkillTool

        library = cast("Library", self)
        rules = library.dialect.permission.rules_in(permission)
        return SkillTool(
            library=library,
            rules=rules,
            ask=ask,
            ledger=ledger,
            schema_names=schema_names,
            policy=policy,
        )

    def tools(
        self,
        *,
        permission: Ruleset | Mapping[str, Any] | None = None,
        ask: Ask | AsyncAsk | None = None,
        ledger: Ledger | None = None,
        scripts: RunPolicy | None = None,
        bodies: RunPolicy | None = None,
    ) -> Toolbox:
        """The tools of a conversation, or nothing where there is nothing to offer.

        That is the `skill` tool, and one that reads the files of a skill; under a
        policy for `scripts`, one that runs them where there are any. A policy for
        `bodies` is for what instructions ask for, as in `load`. Skills that the model
        may not load have files for it once the `ledger` knows that a person did.
        """
        from metier.runtime.toolbox import Toolbox

        rules = cast("Library", self).dialect.permission.rules_in(permission)
        skill = self.tool(permission=rules, ask=ask, ledger=ledger, policy=bodies)
        files = self.resource_tool(permission=rules, ask=ask, ledger=ledger)
        # Of a skill that only a person may ask for, there may be files alone.
        made: list[Tool] = [skill] if skill.is_offered else []
        if skill.is_offered or files.is_offered:
            made.append(files)
        if scripts is not None:
            runs = self.script_tool(
                policy=scripts, permission=rules, ask=ask, ledger=ledger
            )
            made += [runs] if runs.is_offered else []
        return Toolbox(made)

    def resource_tool(
        self,
        *,
        permission: Ruleset | Mapping[str, Any] | None = None,
        ask: Ask | AsyncAsk | None = None,
        ledger: Ledger | None = None,
    ) -> ResourceTool:
        """A tool with which a model reads the files of a skill, page by page."""
        from metier.runtime.resources import ResourceTool

        library = cast("Library", self)
        rules = library.dialect.permission.rules_in(permission)
        return ResourceTool(library=library, rules=rules, ask=ask, ledger=ledger)
