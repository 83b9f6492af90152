"""The phases of a turn: move, shoot, charge and fight, and an attack roll by roll."""

from ludex.games.skirmish.rules.dice import NO_SAVE, SIDES, passes, to_save, to_wound
from ludex.games.skirmish.rules.engine import events, layout
from ludex.games.skirmish.rules.engine.events import add_event
from ludex.games.skirmish.rules.engine.layout import State
from ludex.games.skirmish.rules.engine.records import RANGED, Constants, Scratch
from ludex.games.skirmish.rules.engine.units import (
    bar,
    block,
    engaged,
    has,
    hex_of,
    put,
    put_mark,
    stands,
    take_mark,
    wounds_of,
)
from ludex.games.skirmish.rules.hexes import UNREACHED, reach
from ludex.kernels.jit import draw_below, kernel, share, to_index

share(passes)
share(to_wound)
share(to_save)


@kernel
def roll(work: Scratch) -> int:
    """One die of six sides."""
    return draw_below(work.generator, 0, SIDES) + 1


@kernel
def attack(constants: Constants, state: State, unit: int, target: int, weapon: int, work: Scratch) -> None:
    """Hit, wound, save, damage for every attack of a weapon, until the target is destroyed."""
    add_event(work, events.ATTACKED, unit, target, weapon)
    wound_needs = to_wound(to_index(constants.strength[weapon]), to_index(constants.toughness[target]))
    save_needs = to_save(
        to_index(constants.save[target]), to_index(constants.invulnerable[target]), to_index(constants.ap[weapon])
    )
    skill = to_index(constants.skill[weapon])
    for _ in range(constants.attacks[weapon]):
        if wounds_of(state, target) == 0:
            break
        die = roll(work)
        add_event(work, events.HIT_ROLL, die, skill, passes(die, skill))
        if not passes(die, skill):
            continue
        die = roll(work)
        add_event(work, events.WOUND_ROLL, die, wound_needs, passes(die, wound_needs))
        if not passes(die, wound_needs):
            continue
        if save_needs < NO_SAVE:
            die = roll(work)
            add_event(work, events.SAVE_ROLL, die, save_needs, die >= save_needs)
            if die >= save_needs:
                continue
        _damage(constants, state, target, to_index(constants.damage[weapon]), work)


@kernel
def _damage(constants: Constants, state: State, target: int, damage: int, work: Scratch) -> None:
    """Take wounds from a unit; what it does not have is lost."""
    lost = min(damage, wounds_of(state, target))
    left = wounds_of(state, target) - lost
    state[layout.UNITS + target * layout.UNIT_WORDS + layout.WOUNDS] = left
    add_event(work, events.DAMAGED, target, lost, left)
    if left == 0:
        add_event(work, events.DESTROYED, target, hex_of(state, target), 0)
        put(state, target, layout.NOWHERE)
        take_mark(state, target, layout.READY)
        loser = to_index(constants.owner[target])
        if not _any_left(constants, state, loser):
            state[layout.RESULT] = layout.ANNIHILATION + (layout.WON_BY_SECOND if loser == 0 else 0)


@kernel
def _any_left(constants: Constants, state: State, player: int) -> bool:
    for unit in range(constants.first[player], constants.first[player + 1]):
        if wounds_of(state, unit) > 0:
            return True
    return False


@kernel
def walk(constants: Constants, state: State, unit: int, work: Scratch) -> int:
    """Fill `work.steps` with what the active unit can reach: around walls, units and hexes next to the enemy.

    `work.queue` then begins with the hexes reached, the own first; returns how many.
    """
    steps = to_index(constants.move[unit])
    if state[layout.DOING] == layout.ADVANCING:
        steps += to_index(state[layout.ROLLED])
    block(constants, state, work)
    bar(constants, state, 1 - to_index(constants.owner[unit]), work)
    return reach(hex_of(state, unit), steps, work.blocked, work.barred, constants.neighbours, work.steps, work.queue)


@kernel
def can_advance(constants: Constants, state: State, unit: int) -> bool:
    """A unit next to an enemy can only flee."""
    enemy = 1 - to_index(constants.owner[unit])
    return state[layout.DOING] == layout.NOTHING and not engaged(constants, state, hex_of(state, unit), enemy)


@kernel
def advance(state: State, work: Scratch) -> None:
    """Roll a die for more steps; the unit then shoots with assault weapons only, and does not charge."""
    unit, die = to_index(state[layout.ACTIVE]), roll(work)
    add_event(work, events.ADVANCE_ROLL, unit, die, 0)
    put_mark(state, unit, layout.ADVANCED)
    state[layout.DOING] = layout.ADVANCING
    state[layout.ROLLED] = die


@kernel
def move(constants: Constants, state: State, where: int, work: Scratch) -> None:
    """Walk to a hex. A unit that leaves an enemy's side has fled, and neither shoots nor charges this turn."""
    unit = to_index(state[layout.ACTIVE])
    here = hex_of(state, unit)
    if engaged(constants, state, here, 1 - to_index(constants.owner[unit])):
        put_mark(state, unit, layout.FLED)
        add_event(work, events.FLED, unit, 0, 0)
    put(state, unit, where)
    add_event(work, events.MOVED, unit, here, where)


@kernel
def can_fire(constants: Constants, state: State, unit: int, weapon: int, target: int) -> bool:
    """Whether a weapon may be fired at an enemy this turn."""
    if has(state, unit, layout.ADVANCED) and not constants.assault[weapon]:
        return False
    return aims(constants, state, unit, weapon, target)


@kernel
def aims(constants: Constants, state: State, unit: int, weapon: int, target: int) -> bool:
    """Whether an enemy is in a weapon's range and sight, and not next to a friend unless it is a pistol."""
    here, there = hex_of(state, unit), hex_of(state, target)
    if constants.distance[here, there] > constants.reaches[weapon] or not constants.sight[here, there]:
        return False
    return constants.pistol[weapon] != 0 or not engaged(constants, state, there, to_index(constants.owner[unit]))


@kernel
def can_shoot(constants: Constants, state: State, unit: int, target: int) -> bool:
    """Whether any weapon of a unit may be fired at an enemy."""
    if has(state, unit, layout.FLED) or not stands(state, target):
        return False
    for i in range(RANGED):
        weapon = to_index(constants.ranged[unit, i])
        if weapon != layout.NONE and can_fire(constants, state, unit, weapon, target):
            return True
    return False


@kernel
def shoot(constants: Constants, state: State, target: int, work: Scratch) -> None:
    """Fire every weapon that may be fired at the target, one after the other."""
    unit = to_index(state[layout.ACTIVE])
    for i in range(RANGED):
        weapon = to_index(constants.ranged[unit, i])
        if weapon != layout.NONE and wounds_of(state, target) > 0 and can_fire(constants, state, unit, weapon, target):
            attack(constants, state, unit, target, weapon, work)


@kernel
def can_charge(constants: Constants, state: State, unit: int, target: int) -> bool:
    """Whether a unit may try to charge an enemy."""
    here = hex_of(state, unit)
    if has(state, unit, layout.ADVANCED) or has(state, unit, layout.FLED) or not stands(state, target):
        return False
    if engaged(constants, state, here, 1 - to_index(constants.owner[unit])):
        return False
    return to_index(constants.distance[here, hex_of(state, target)]) <= constants.charge_range


@kernel
def run_up(constants: Constants, state: State, work: Scratch) -> None:
    """Fill `work.steps` with what the charging unit can reach: around walls and units, past enemies."""
    block(constants, state, work)
    work.barred[: constants.size] = 0
    here, steps = hex_of(state, to_index(state[layout.ACTIVE])), to_index(state[layout.ROLLED])
    reach(here, steps, work.blocked, work.barred, constants.neighbours, work.steps, work.queue)


@kernel
def landing(constants: Constants, state: State, direction: int, work: Scratch) -> int:
    """The hex on one side of the charged unit, if the charger can reach it, else NOWHERE; after `run_up`."""
    there = to_index(constants.neighbours[hex_of(state, to_index(state[layout.TARGET])), direction])
    return there if there != layout.NOWHERE and work.steps[there] != UNREACHED else layout.NOWHERE


@kernel
def charge(constants: Constants, state: State, target: int, work: Scratch) -> bool:
    """Roll for the charge; False if no side of the target can be reached."""
    unit = to_index(state[layout.ACTIVE])
    first, second = roll(work), roll(work)
    add_event(work, events.CHARGE_ROLL, unit, first, second)
    state[layout.DOING] = layout.CHARGING
    state[layout.ROLLED] = first + second
    state[layout.TARGET] = target
    run_up(constants, state, work)
    for direction in range(constants.neighbours.shape[1]):
        if landing(constants, state, direction, work) != layout.NOWHERE:
            return True
    add_event(work, events.CHARGE_FAILED, unit, target, 0)
    return False


@kernel
def land(constants: Constants, state: State, direction: int, work: Scratch) -> None:
    """Put the charger next to its target."""
    unit = to_index(state[layout.ACTIVE])
    here = hex_of(state, unit)
    there = to_index(constants.neighbours[hex_of(state, to_index(state[layout.TARGET])), direction])
    put(state, unit, there)
    put_mark(state, unit, layout.CHARGED)
    add_event(work, events.MOVED, unit, here, there)


@kernel
def can_fight(constants: Constants, state: State, unit: int, target: int) -> bool:
    """Whether two units stand side by side."""
    return stands(state, target) and constants.distance[hex_of(state, unit), hex_of(state, target)] == 1


@kernel
def can_attack(constants: Constants, state: State, unit: int, target: int) -> bool:
    """Whether a unit may shoot, charge or fight an enemy, whichever the phase is for."""
    if state[layout.PHASE] == layout.SHOOT:
        return can_shoot(constants, state, unit, target)
    if state[layout.PHASE] == layout.CHARGE:
        return can_charge(constants, state, unit, target)
    return can_fight(constants, state, unit, target)


@kernel
def can_act(constants: Constants, state: State, unit: int) -> bool:
    """Whether a unit has something to do in the phase."""
    if not stands(state, unit):
        return False
    if state[layout.PHASE] == layout.MOVE:
        return True
    enemy = 1 - to_index(constants.owner[unit])
    for target in range(constants.first[enemy], constants.first[enemy + 1]):
        if can_attack(constants, state, unit, target):
            return True
    return False


@kernel
def fight(constants: Constants, state: State, target: int, work: Scratch) -> None:
    """Strike with the melee weapon."""
    unit = to_index(state[layout.ACTIVE])
    attack(constants, state, unit, target, to_index(constants.melee[unit]), work)
