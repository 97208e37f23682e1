"""Where a catalog says that a skill is: at its path, or at a short one below a root."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import field

from metier.core.record import record
from metier.core.skill import Skill


@record
class AliasRule:
    """Short names for the roots that have skills.

    `name` knows `{index}`, counted in the order of the roots; `item` knows `{name}` and
    `{path}`. The items stand behind the `before` of the catalog, `after` behind them.
    `instead_of` is how a catalog without them would begin: what they take more than
    that counts, also where else only the skills do.
    `home` stands for the home folder of the user.
    """

    name: str = ""
    home: str = ""
    item: str = ""
    after: str = ""
    instead_of: str = ""


@record
class Places:
    """What a scan knows of paths, for an agent that tells them without links.

    `roots` are the folders that were scanned, each with its path without links. `links`
    are, for each of them, the folders that a link led to, and where that link is.
    `homes` are the paths of the user's home folder, the longest one first.
    """

    roots: tuple[tuple[str, str], ...] = ()
    links: Mapping[str, Mapping[str, str]] = field(
        default_factory=dict[str, Mapping[str, str]]
    )
    homes: tuple[str, ...] = ()


class Locations:
    """The locations in one catalog, and the table of the aliases in them."""

    __slots__ = ("aliases", "home", "homes", "links", "table")

    def __init__(
        self, skills: Sequence[Skill], rule: AliasRule, places: Places
    ) -> None:
        self.links = places.links
        self.home = rule.home
        self.homes = places.homes if rule.home else ()
        self.aliases: tuple[tuple[str, str], ...] = ()
        self.table = ""
        if rule.name:
            paths = dict.fromkeys(_root_paths(skills, places))
            names = (rule.name.format(index=index) for index in range(len(paths)))
            self.aliases = tuple(zip(paths, names, strict=True))
            items = (rule.item.format(name=n, path=p) for p, n in self.aliases)
            self.table = "".join(items) + rule.after

    def of(self, skill: Skill) -> str:
        """Where `skill` is, below the longest root that has an alias."""
        if not self.aliases:
            return self._from_home(skill.path)
        path = as_found(skill.path, self.links.get(skill.root.path, {}))
        around = [each for each in self.aliases if path.startswith(f"{each[0]}/")]
        if not around:
            return path
        root, name = max(around, key=lambda each: len(each[0]))
        return f"{name}{path.removeprefix(root)}"

    def _from_home(self, path: str) -> str:
        home = next((each for each in self.homes if path.startswith(f"{each}/")), None)
        return path if home is None else self.home + path.removeprefix(home)


def _root_paths(skills: Sequence[Skill], places: Places) -> Iterator[str]:
    used = {skill.root.path for skill in skills}
    return (real for path, real in places.roots if path in used)


def as_found(path: str, links: Mapping[str, str]) -> str:
    """`path` by way of the links that led there."""
    for _ in links:
        behind = [real for real in links if path.startswith(f"{real}/")]
        if not behind:
            break
        real = max(behind, key=len)
        path = links[real] + path.removeprefix(real)
    return path
