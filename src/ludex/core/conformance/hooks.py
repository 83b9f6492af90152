"""The hooks of a game that give messages, tried along random matches on its own boards."""

from collections.abc import Callable, Iterable, Iterator
from functools import partial
from itertools import chain, islice
from typing import Any, Final

from ludex.core import registry
from ludex.core.conformance.report import describe_error, unwritten
from ludex.core.decision import JudgedMove
from ludex.core.game import Action, AnyGame, legal_actions
from ludex.core.match import Match
from ludex.core.messages import Message
from ludex.core.seeding import OPENING
from ludex.core.spec import GameSpec

MOST_PLIES: Final = 120
"""How many first plies of a random match the coach, the effects and the reasons are heard in."""
LATE_PLIES: Final = 12
"""In how many of the last third they are heard, at even distances, besides those that begin a phase."""
MOST_MATCHES: Final = 4
"""Random matches of a board; of all but the first, only the last third and phases that no match has shown yet."""


def hook_faults(spec: GameSpec) -> Iterator[str]:
    """Yields what is wrong with the coach, the effects, the reasons and the moves in words: the first fault of each."""
    # One counterexample is enough of what is heard in random matches.
    return chain.from_iterable(islice(faults(spec), 1) for faults in (_coach, _effects, _reasons, _words))


def _coach(spec: GameSpec) -> Iterator[str]:
    if spec.screen.coach is not None:
        coach = registry.resolve(spec.screen.coach)
        for where, match, ply in _random_positions(spec):
            game, state = match.game, match.positions[ply]
            yield from _unsaid(f"coach {where}", partial(_alone, coach, game, _view(game, state), game.legal(state)))


def _effects(spec: GameSpec) -> Iterator[str]:
    if spec.screen.effects is not None:
        effects = registry.resolve(spec.screen.effects)
        for where, match, ply in _random_positions(spec):
            game, state = match.game, match.positions[ply]
            for action in _some_of(legal_actions(game.legal(state)), 1):
                yield from _unsaid(f"effects {where}", partial(effects, game, _view(game, state), action))


def _reasons(spec: GameSpec) -> Iterator[str]:
    """Of each move, once as the best one and once as worse than others."""
    if spec.review.reasons is not None:
        reasons = registry.resolve(spec.review.reasons)
        is_mark = registry.resolve(spec.review.is_mark) if spec.review.is_mark else lambda game, action: False
        for where, match, ply in _random_positions(spec):
            game, before, after = match.game, match.positions[ply], match.positions[ply + 1]
            played = match.moves[ply]
            reply = [] if game.outcome(after) is not None else legal_actions(game.legal(after))[:1]
            if is_mark(game, played.action):
                continue
            for best in {played.action, *_some_of(legal_actions(game.legal(before)), 1)}:
                if not is_mark(game, best):
                    kept = 0.9 if best == played.action else 0.4
                    judged = JudgedMove(
                        game, before, after, played.player, played.action, best, (best,), tuple(reply), 0.9, kept
                    )
                    yield from _unsaid(f"review.reasons {where}", partial(reasons, judged))


def _words(spec: GameSpec) -> Iterator[str]:
    if spec.screen.describe_move is not None:
        describe = registry.resolve(spec.screen.describe_move)
        for where, match, ply in _random_positions(spec):
            game, state = match.game, match.positions[ply]
            for action in _some_of(legal_actions(game.legal(state)), 2):
                yield from _unsaid(f"describe_move {where}", partial(_alone, describe, game, state, action))


def _alone(hook: Callable[..., Any], *given: Any) -> list[Any]:
    return [hook(*given)]


def _view(game: AnyGame, state: Any) -> Any:
    return game.view(state, game.to_move(state))


def _some_of(actions: list[Action], count: int) -> set[Action]:
    """Some of each end of the table, lest a move with many neighbours take all the time."""
    return {*actions[:count], *actions[-count:]}


def _unsaid(where: str, call: Callable[[], Iterable[Any]]) -> Iterator[str]:
    """What is wrong with the messages that a hook gives."""
    try:
        messages = [*call()]
    except Exception as error:
        # A third-party game may raise anything.
        yield f"{where}: raised {describe_error(error)}"
        return
    for message in messages:
        if isinstance(message, Message):
            yield from unwritten(where, message)
        else:
            yield f"{where}: expected a Message, found {type(message).__name__}"


def _random_positions(spec: GameSpec) -> Iterator[tuple[str, Match[Any, Any], int]]:
    """Finished matches of random moves on every board, with plies before a move, and where they stand."""
    for preset in spec.presets:
        game = registry.make(spec.id, preset)
        unseen = {*game.info.phases}
        for seed in range(1, MOST_MATCHES + 1):
            match = Match(game, seed)
            while not match.over:
                match.play(match.rng(OPENING).choice(legal_actions(match.legal())))
            late = match.ply * 2 // 3
            wanted = {*range(late, match.ply, max(1, (match.ply - late) // LATE_PLIES))}
            wanted |= {*range(MOST_PLIES)} if seed == 1 else set()
            for ply in range(match.ply):
                phase = game.phase(match.positions[ply])
                if ply in wanted or phase in unseen:
                    yield f"at ply {ply} of {preset}, seed {seed}", match, ply
                unseen.discard(phase)
