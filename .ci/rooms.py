"""Draw the rooms of the code and the imports between them in docs/architecture.md.

A room is one package or module with one subject. Its doors are the modules and packages in it that other
rooms import. `python .ci/rooms.py` writes the picture. With `--check`, it writes nothing. It then exits with
status 1 if the picture is out of date, there are too many floors, a room has too many doors, or a module is
in no room.
"""

import re
import sys
import tomllib
from collections import defaultdict
from pathlib import Path

import grimp

ROOT = Path(__file__).parents[1]
PAGE = ROOT / "docs/architecture.md"
PICTURE = re.compile(r"(?<=<!-- rooms -->\n).*?(?=<!-- end of rooms -->)", re.DOTALL)
MOST_FLOORS = 6
MOST_DOORS = 25
# Django wants these at the top of an app.
IN_NO_ROOM = re.compile(r"games(\.apps|\.migrations(\..*)?)?")


def rooms_by_floor() -> list[list[str]]:
    """Return the rooms as the import contract lists them, the top floor first."""
    contracts = tomllib.loads((ROOT / "pyproject.toml").read_text())["tool"]["importlinter"]["contracts"]
    [layers] = [contract["layers"] for contract in contracts if contract["id"] == "rooms"]
    return [[name.strip() for name in layer.split("|")] for layer in layers]


def room_of(module: str, rooms: set[str]) -> str | None:
    """Return the room that a module is in; None for modules that belong to no room."""
    return next((room for room in rooms if module == room or module.startswith(f"{room}.")), None)


def door_of(module: str, room: str) -> str:
    """Return the door of a room for a module, such as `games.views.game` for all modules in that package."""
    return ".".join(module.split(".")[: room.count(".") + 2])


def measure(rooms: set[str]) -> tuple[set[tuple[str, str]], dict[str, set[str]], list[str]]:
    """Return the arrows (importing room, imported room), the doors of each room, and modules in no room."""
    sys.path.insert(0, str(ROOT))
    graph = grimp.build_graph("accounts", "games", "novaluna_site", exclude_type_checking_imports=True)
    arrows: set[tuple[str, str]] = set()
    doors: defaultdict[str, set[str]] = defaultdict(set)
    outside = [module for module in sorted(graph.modules) if not room_of(module, rooms)]
    for module in graph.modules:
        here = room_of(module, rooms)
        for imported in graph.find_modules_directly_imported_by(module):
            there = room_of(imported, rooms)
            if here and there and here != there:
                arrows.add((here, there))
                doors[there].add(door_of(imported, there))
    return arrows, doors, [module for module in outside if not IN_NO_ROOM.fullmatch(module)]


def without_implied(arrows: set[tuple[str, str]]) -> set[tuple[str, str]]:
    """Return the arrows without those that a longer path replaces, so that the picture stays readable."""

    def reach(start: str, without: tuple[str, str]) -> set[str]:
        found, left = set(), [start]
        while left:
            room = left.pop()
            for arrow in arrows - {without}:
                if arrow[0] == room and arrow[1] not in found:
                    found.add(arrow[1])
                    left.append(arrow[1])
        return found

    return {arrow for arrow in arrows if arrow[1] not in reach(arrow[0], arrow)}


def draw(floors: list[list[str]], arrows: set[tuple[str, str]]) -> str:
    """Return the rooms as a Mermaid graph, the top floor first."""
    lines = ["```mermaid", "graph TD"]
    for number, floor in zip(range(len(floors), 0, -1), floors, strict=True):
        rooms = "; ".join(f"{room}[{room.removeprefix('games.')}]" for room in floor)
        lines += [f"  subgraph floor{number}[{number}]", f"    {rooms}", "  end"]
    order = [room for floor in floors for room in floor]
    lines += [
        f"  {importer} --> {imported}"
        for importer, imported in sorted(
            without_implied(arrows), key=lambda arrow: (order.index(arrow[0]), order.index(arrow[1]))
        )
    ]
    return "\n".join([*lines, "```", ""])


def main() -> None:
    """Write the picture, or check it."""
    floors = rooms_by_floor()
    arrows, doors, outside = measure({room for floor in floors for room in floor})
    text = PAGE.read_text()
    drawn = PICTURE.sub(lambda _found: draw(floors, arrows), text)
    if "--check" not in sys.argv:
        PAGE.write_text(drawn)
        return
    problems = [
        f"{room} has {len(found)} doors, more than {MOST_DOORS}: {', '.join(sorted(found))}"
        for room, found in doors.items()
        if len(found) > MOST_DOORS
    ]
    problems += [f"{module} is in no room. Move it into one." for module in outside]
    if len(floors) > MOST_FLOORS:
        problems.append(f"The contract of rooms has {len(floors)} floors, more than {MOST_FLOORS}.")
    if drawn != text:
        problems.append("The picture in docs/architecture.md is out of date. Run `python .ci/rooms.py`.")
    if problems:
        sys.exit("\n".join(problems))


if __name__ == "__main__":
    main()
