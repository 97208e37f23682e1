"""Every rule name that metier can utter: what it means, and which axis it is about.

`why` finds the source of a decision through the axis; the documentation lists them
from here, and a test fails for a diagnostic whose rule is not in this table.
"""

from __future__ import annotations

from typing import NamedTuple


class RuleInfo(NamedTuple):
    """What a rule is about: the key in the dialect (or trust), and one sentence."""

    axis: str
    summary: str


RULES: dict[str, RuleInfo] = {
    # text
    "text-not-utf8": RuleInfo("text", "the file is not UTF-8"),
    "text-utf16": RuleInfo("text", "the file is UTF-16 and was read as such"),
    "text-byte-order-mark": RuleInfo("text", "a byte order mark at the start"),
    "text-lone-return": RuleInfo("text", "the only line ends are carriage returns"),
    "text-control": RuleInfo("text", "a name or description with control characters"),
    "file-too-large": RuleInfo("text", "the file is larger than metier reads"),
    # fence
    "frontmatter-missing": RuleInfo("fence", "the file does not start with `---`"),
    "frontmatter-unclosed": RuleInfo("fence", "there is no closing `---`"),
    "fence-leading-blank": RuleInfo("fence", "blank lines before the opening `---`"),
    "fence-trailing-blank": RuleInfo("fence", "blanks behind a `---`"),
    # reader
    "frontmatter-too-large": RuleInfo("reader", "the header is larger than is read"),
    "frontmatter-not-a-map": RuleInfo("reader", "the header holds no `key: value`"),
    "frontmatter-language": RuleInfo("reader", "a header in a language not read here"),
    "yaml-invalid": RuleInfo("reader", "the header is not YAML for this agent"),
    "yaml-too-deep": RuleInfo("reader", "the header nests deeper than is read"),
    "yaml-too-large": RuleInfo("reader", "the header grows larger than is read"),
    "yaml-value": RuleInfo("reader", "a date, a number or a flag that is none"),
    "yaml-rewritten": RuleInfo("reader", "read after the agent rewrote the header"),
    "frontmatter-dropped": RuleInfo(
        "reader", "the header is not YAML and counts as empty"
    ),
    "yaml-recovered": RuleInfo("reader", "the header is not YAML, fields were saved"),
    "key-duplicate": RuleInfo("reader", "one key stands twice"),
    "key-not-text": RuleInfo("reader", "a key that is no text"),
    "key-unknown": RuleInfo("fields.unknown", "a key that the agent does not allow"),
    "key-reserved": RuleInfo("reader", "a key on which the agent fails"),
    "field-misfit": RuleInfo("reader", "a field of a type that the agent cannot take"),
    "field-no-choice": RuleInfo(
        "fields.other", "a field that holds none of the values it may"
    ),
    "field-not-a-map": RuleInfo("reader", "a field that has to be a map, and is none"),
    "field-not-text": RuleInfo("reader", "a field that has to be a text, and is none"),
    "field-not-flag": RuleInfo("reader", "a field that has to be true or false"),
    "host-evaluates-code": RuleInfo("reader", "the agent would run this header"),
    "host-panics": RuleInfo("reader", "the agent itself crashes on this file"),
    # fields
    "name-missing": RuleInfo("fields.name", "there is no `name`"),
    "name-empty": RuleInfo("fields.name", "`name` is empty"),
    "name-invalid": RuleInfo("fields.name", "`name` has characters that may not be"),
    "name-too-long": RuleInfo("fields.name", "`name` is longer than allowed"),
    "name-not-text": RuleInfo("fields.name", "`name` is not a text in YAML"),
    "name-rewritten": RuleInfo("fields.name", "`name` was changed before it counted"),
    "name-not-directory": RuleInfo("fields.name", "`name` and its folder differ"),
    "description-missing": RuleInfo("fields.description", "there is no description"),
    "description-empty": RuleInfo("fields.description", "`description` is empty"),
    "description-too-long": RuleInfo(
        "fields.description", "`description` is longer than allowed"
    ),
    "description-not-text": RuleInfo(
        "fields.description", "`description` is not a text in YAML"
    ),
    "compatibility-too-long": RuleInfo(
        "fields.other", "`compatibility` is longer than allowed"
    ),
    "paths-waiting": RuleInfo(
        "fields.other", "a skill that waits until certain files are read"
    ),
    "mode-other": RuleInfo("fields.other", "a skill for other modes of the agent"),
    "body-empty": RuleInfo("fields.body", "there are no instructions"),
    # beside the skill file
    "sidecar-invalid": RuleInfo("sidecar", "the file beside it counts for nothing"),
    "sidecar-hides": RuleInfo("sidecar", "the file beside it hides it from the model"),
    "sidecar-excludes": RuleInfo("sidecar", "the file beside it wants another product"),
    # precedence
    "last-wins": RuleInfo("precedence", "of two with one name, the later counts"),
    "first-wins": RuleInfo("precedence", "of two with one name, the earlier counts"),
    "higher-precedence": RuleInfo("precedence", "the root of higher rank counts"),
    "same-file": RuleInfo("precedence", "the same file, found a second time"),
    "same-content": RuleInfo("precedence", "a copy of a file that counts already"),
    "name-collision": RuleInfo("precedence", "two skills have one name"),
    "name-collision-undefined": RuleInfo(
        "precedence", "two skills have one name, and chance decides"
    ),
    "name-duplicate": RuleInfo("precedence", "one name twice, which is an error"),
    "key-unreachable": RuleInfo(
        "activation", "listed by a key under which the agent does not find it"
    ),
    "name-lost": RuleInfo("precedence", "a name that the agent's registry loses"),
    "host-aborts": RuleInfo("failure", "one bad file, and the agent loads none"),
    # the walk
    "not-a-file": RuleInfo("selections", "a folder with the name of a skill file"),
    "special-file": RuleInfo("selections", "a pipe, socket or device: not opened"),
    "file-unreadable": RuleInfo("selections", "a skill file that cannot be read"),
    "folder-unreadable": RuleInfo("selections", "a folder that cannot be read"),
    "file-repeated": RuleInfo("selections", "a skill file reached by a second path"),
    "folder-repeated": RuleInfo("selections", "a folder reached by a second path"),
    "link-cycle": RuleInfo("selections", "a link to one of its own parents"),
    "link-ignored": RuleInfo("selections", "a link, which the agent passes over"),
    "path-ignored": RuleInfo("selections", "what an ignore file says to pass over"),
    "link-dangling": RuleInfo("selections", "a link that leads nowhere"),
    "scan-limit": RuleInfo("selections", "more files or links than are walked"),
    "scan-depth": RuleInfo("selections", "folders deeper than are walked"),
    # what a skill holds
    "resource-missing": RuleInfo("activation", "no such file in the skill"),
    "resource-outside": RuleInfo("activation", "a path that leads out of the skill"),
    "resource-not-a-file": RuleInfo("activation", "a folder, pipe or device"),
    "resource-too-large": RuleInfo("activation", "a larger file than is handed over"),
    "resource-unreadable": RuleInfo("activation", "a file that cannot be read"),
    # what a skill needs
    "requirement-unmet": RuleInfo("requirements", "the skill needs what is not there"),
    "requirement-unknown": RuleInfo(
        "requirements", "the skill needs something of which nobody has told"
    ),
    # configuration
    "config-invalid": RuleInfo("config", "a configuration file that cannot be used"),
    "permission-invalid": RuleInfo("permission", "a permission that is no action"),
    # trust
    "workspace-untrusted": RuleInfo("trust", "a skill of a folder that nobody trusts"),
    "workspace-changed": RuleInfo("trust", "not the folder any more that was trusted"),
    "skill-unapproved": RuleInfo("trust", "a skill whose content nobody approved"),
    "skill-changed": RuleInfo("trust", "a skill that is not what was approved"),
    "skill-unbound": RuleInfo("trust", "a skill whose content cannot be pinned down"),
    "trust-store-unsafe": RuleInfo("trust", "the store of trust cannot be believed"),
    # what would be run
    "run-untrusted": RuleInfo("run", "a skill that is not trusted runs nothing"),
    "run-out-of-scope": RuleInfo("run", "a skill of a scope that runs nothing"),
    "run-unbound": RuleInfo("run", "a skill that cannot be copied for a run"),
    "run-no-sandbox": RuleInfo("run", "there is no sandbox, and one is required"),
    "run-no-interpreter": RuleInfo("run", "a script that nothing here can run"),
    "run-arguments": RuleInfo("run", "arguments that no script could be given"),
    "run-command-failed": RuleInfo("run", "a command in a body that went wrong"),
    "run-failed": RuleInfo("run", "a program that could not be started"),
    # outcomes
    "loaded": RuleInfo("roots", "found, read and chosen"),
    "hidden": RuleInfo("fields.other", "loaded, but not offered to the model"),
    "skill-disabled": RuleInfo("fields.other", "switched off, for people too"),
    # what agents are compared by
    "name-differs": RuleInfo(
        "fields.name", "a name other than the one that is written"
    ),
    "description-shortened": RuleInfo(
        "reader", "less of the description is read than is written"
    ),
    "description-cut": RuleInfo(
        "catalog.description", "the catalog shows the start of a description only"
    ),
    "description-omitted": RuleInfo(
        "catalog", "the catalog has room for the name only"
    ),
    "skill-omitted": RuleInfo("catalog", "the catalog has no room for the skill"),
    "folder-not-searched": RuleInfo("roots", "no folder of the agent leads there"),
    "file-passed-over": RuleInfo("selections", "the agent looks there for other files"),
}


def axis_of(rule: str) -> str:
    """Which part of a dialect `rule` is about; empty for a rule of a caller's own."""
    info = RULES.get(rule)
    return info.axis if info else ""
