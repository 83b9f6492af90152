"""The battle of Skirmish written down from the rules: plain dictionaries and sets, one text an action, no kernels.

Hexes are (column, row), units are known by id, players are 1 and 2, and a die is asked for where the rules roll it.
"""

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Any

from tests.reference.hexes import Hex, adjacent, distances, sees, walk

Die = Callable[[], int]
FACES = range(1, 7)
NO_SAVE = 7


def beats(die: int, needed: int) -> bool:
    """Hits and wounds: a natural 1 fails, a natural 6 succeeds."""
    return {1: False, 6: True}.get(die, die >= needed)


def wound_needs(strength: int, toughness: int) -> int:
    ratio = Fraction(strength, toughness)
    if ratio >= 2:
        return 2
    if ratio > 1:
        return 3
    if ratio == 1:
        return 4
    return 5 if ratio > Fraction(1, 2) else 6


def save_needs(save: int, ap: int, invulnerable: int | None) -> int | None:
    """What the better save needs; None if no die can make it."""
    best = min([save + ap] if invulnerable is None else [save + ap, invulnerable])
    return best if best <= 6 else None


def odds(good: Callable[[int], bool]) -> Fraction:
    """The probability that one die is good."""
    return Fraction(sum(map(good, FACES)), len(FACES))


def odds_of_damage(weapon: dict[str, Any], toughness: int, save: int, invulnerable: int | None) -> Fraction:
    """The probability that one attack hits, wounds and is not saved."""
    needs = save_needs(save, weapon["ap"], invulnerable)
    unsaved = Fraction(1) if needs is None else 1 - odds(lambda die: die >= needs)
    wounds = odds(lambda die: beats(die, wound_needs(weapon["strength"], toughness)))
    return odds(lambda die: beats(die, weapon["skill"])) * wounds * unsaved


def odds_of_charge(steps: int) -> Fraction:
    """The probability that two dice show at least so many."""
    return Fraction(sum(first + second >= steps for first in FACES for second in FACES), 36)


@dataclass
class Fighter:
    """A unit of the battle."""

    id: str
    player: int
    stats: dict[str, Any]
    ranged: list[dict[str, Any]]
    melee: dict[str, Any]
    hex: Hex | None
    wounds: int
    marks: set[str] = field(default_factory=set)

    @property
    def place(self) -> Hex:
        """The hex of a unit on the board."""
        assert self.hex is not None
        return self.hex


class Battle:
    """A battle after deployment. `legal()` are the texts that may be played, `play` plays one."""

    def __init__(self, board: dict[str, Any], game: dict[str, Any], fighters: list[Fighter]) -> None:
        self.cols, self.rows = board["cols"], board["rows"]
        self.walls = frozenset(map(tuple, board["walls"]))
        self.objectives = [tuple(place) for place in board["objectives"]]
        self.game = game
        self.units = {fighter.id: fighter for fighter in fighters}
        self.points = {1: 0, 2: 0}
        self.turn, self.player, self.mover = 1, 1, 1
        self.active: Fighter | None = None
        self.extra = 0
        self.rolled = 0
        self.quarry: Fighter | None = None
        self.striking_back = False
        self.result: tuple[str, int | None] | None = None
        self.phase = game["start"]
        self._enter(self.phase)
        self._go_on()

    # What stands where.

    def _side(self, player: int) -> list[Fighter]:
        return [unit for unit in self.units.values() if unit.player == player and unit.hex is not None]

    def _apart(self, a: Hex, b: Hex) -> int:
        return distances(self.cols, self.rows)[a, b]

    def _beside(self, place: Hex, player: int) -> bool:
        return any(unit.hex in adjacent(self.cols, self.rows)[place] for unit in self._side(player))

    def _taken(self) -> set[Hex]:
        return {unit.hex for unit in self.units.values() if unit.hex is not None}

    # What a unit may do.

    def _walks(self, unit: Fighter) -> Iterator[Hex]:
        shunned = {
            place for enemy in self._side(3 - unit.player) for place in adjacent(self.cols, self.rows)[enemy.place]
        }
        closed = self.walls | self._taken() | shunned
        return (
            place
            for place in walk(self.cols, self.rows, unit.place, unit.stats["move"] + self.extra, closed)
            if place != unit.hex
        )

    def _fires(self, unit: Fighter, weapon: dict[str, Any], target: Fighter) -> bool:
        if "fled" in unit.marks or ("advanced" in unit.marks and "assault" not in weapon["keywords"]):
            return False
        if self._beside(target.place, unit.player) and "pistol" not in weapon["keywords"]:
            return False
        in_range = self._apart(unit.place, target.place) <= weapon["range"]
        return in_range and sees(self.cols, self.rows, self.walls, unit.place, target.place)

    def _targets(self, unit: Fighter) -> list[Fighter]:
        enemies = self._side(3 - unit.player)
        if self.phase == "shoot":
            return [enemy for enemy in enemies if any(self._fires(unit, weapon, enemy) for weapon in unit.ranged)]
        if self.phase == "fight":
            return [enemy for enemy in enemies if self._apart(unit.place, enemy.place) == 1]
        if unit.marks & {"advanced", "fled"} or self._beside(unit.place, 3 - unit.player):
            return []
        return [enemy for enemy in enemies if self._apart(unit.place, enemy.place) <= self.game["charge_range"]]

    def _landings(self, unit: Fighter, quarry: Fighter) -> list[Hex]:
        reached = walk(self.cols, self.rows, unit.place, self.rolled, self.walls | self._taken())
        return [place for place in adjacent(self.cols, self.rows)[quarry.place] if place in reached]

    def _can_act(self, unit: Fighter) -> bool:
        return unit.hex is not None and (self.phase == "move" or bool(self._targets(unit)))

    def legal(self) -> set[str]:
        if self.result is not None:
            return set()
        if self.active is None:
            return {f"activate/{unit.id}" for unit in self._side(self.mover) if "ready" in unit.marks}
        if self.quarry is not None:
            return {"land/{}.{}".format(*place) for place in self._landings(self.active, self.quarry)}
        if self.phase != "move":
            return {"wait", *(f"{self.phase}/{target.id}" for target in self._targets(self.active))}
        moves = {"move/{}.{}".format(*place) for place in self._walks(self.active)}
        fresh = self.extra == 0 and not self._beside(self.active.place, 3 - self.active.player)
        return moves | {"wait"} | ({"advance"} if fresh else set())

    # What happens.

    def play(self, text: str, die: Die) -> None:
        word, *rest = text.split("/")
        if word == "activate":
            self.active = self.units[rest[0]]
            self.active.marks.discard("ready")
            return
        unit = self.active
        assert unit is not None
        done = True
        if word == "advance":
            self.extra = die()
            unit.marks.add("advanced")
            done = False
        elif word == "move":
            if self._beside(unit.place, 3 - unit.player):
                unit.marks.add("fled")
            unit.hex = _hex(rest[0])
        elif word == "shoot":
            target = self.units[rest[0]]
            for weapon in unit.ranged:
                if target.hex is not None and self._fires(unit, weapon, target):
                    self._strike(weapon, target, die)
        elif word == "charge":
            self.rolled, self.quarry = die() + die(), self.units[rest[0]]
            done = not self._landings(unit, self.quarry)
        elif word == "land":
            unit.hex = _hex(rest[0])
            unit.marks.add("charged")
        elif word == "fight":
            self._strike(unit.melee, self.units[rest[0]], die)
        if done:
            self.active, self.quarry, self.extra, self.rolled = None, None, 0, 0
            if self.phase == "fight" and self.striking_back:
                self.mover = 3 - self.mover
            self._go_on()

    def _strike(self, weapon: dict[str, Any], target: Fighter, die: Die) -> None:
        saved_on = save_needs(target.stats["save"], weapon["ap"], target.stats["invulnerable_save"])
        wounded_on = wound_needs(weapon["strength"], target.stats["toughness"])
        for _ in range(weapon["attacks"]):
            if target.wounds == 0:
                return
            if not beats(die(), weapon["skill"]) or not beats(die(), wounded_on):
                continue
            if saved_on is not None and die() >= saved_on:
                continue
            target.wounds = max(0, target.wounds - weapon["damage"])
            if target.wounds == 0:
                target.hex = None
                target.marks.discard("ready")
                if not self._side(target.player):
                    self.result = "annihilation", 3 - target.player

    # The order of things.

    def _go_on(self) -> None:
        """From phase to phase, until a player can choose."""
        while self.result is None:
            ready = [unit for unit in self.units.values() if "ready" in unit.marks]
            for unit in ready:
                if not self._can_act(unit):
                    unit.marks.discard("ready")
            players = {unit.player for unit in ready if "ready" in unit.marks}
            if players:
                if self.mover not in players:
                    self.mover = 3 - self.mover
                return
            self._next()
        self.phase, self.active = "over", None

    def _next(self) -> None:
        order = ("command", "move", "shoot", "charge", "fight")
        if self.phase == "fight" and not self.striking_back:
            self.striking_back, self.mover = True, 3 - self.player
            for unit in self.units.values():
                charger = unit.player == self.player and "charged" in unit.marks
                if not charger and self._can_act(unit):
                    unit.marks.add("ready")
        elif self.phase != "fight":
            self._enter(order[order.index(self.phase) + 1])
        elif self.player == 2 and self.turn == self.game["turns"]:
            self.result = self._judge()
        else:
            self.turn += self.player == 2
            self.player = 3 - self.player
            for unit in self.units.values():
                if unit.player == self.player:
                    unit.marks -= {"advanced", "fled", "charged"}
            self._enter("command")

    def _enter(self, phase: str) -> None:
        self.phase, self.mover, self.striking_back = phase, self.player, False
        if phase == "command":
            self._score()
            return
        for unit in self._side(self.player):
            if self._can_act(unit) and (phase != "fight" or "charged" in unit.marks):
                unit.marks.add("ready")

    def _score(self) -> None:
        rules = self.game["scoring"]
        if self.turn < rules["first_turn"]:
            return
        held = {1: 0, 2: 0}
        radius = self.game["objective_radius"]
        for place in self.objectives:
            near = {
                player: sum(self._apart(place, unit.place) <= radius for unit in self._side(player))
                for player in (1, 2)
            }
            for player in (1, 2):
                held[player] += near[player] > near[3 - player]
        mine = held[self.player]
        earned = [(mine >= 1, "one"), (mine >= 2, "two"), (mine > held[3 - self.player], "more")]
        self.points[self.player] += min(rules["most_per_turn"], sum(rules[key] for true, key in earned if true))

    def _judge(self) -> tuple[str, int | None]:
        value = {player: sum(unit.stats["value"] for unit in self._side(player)) for player in (1, 2)}
        for reason, count in (("points", self.points), ("surviving value", value)):
            if count[1] != count[2]:
                return reason, 1 if count[1] > count[2] else 2
        return "equal points and value", None


def _hex(text: str) -> Hex:
    col, row = text.split(".")
    return int(col), int(row)
