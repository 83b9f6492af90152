"""The hooks of a game, tried as the app uses them along random matches on its own boards."""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from functools import partial
from operator import attrgetter
from typing import Any, Final, TypeAlias

from ludex.core import hooks, registry
from ludex.core.conformance.report import describe_error
from ludex.core.decision import Decision, JudgedMove
from ludex.core.errors import BrokenGame, MoveError
from ludex.core.game import Action, AnyGame, legal_actions
from ludex.core.limit import Limit
from ludex.core.match import Match
from ludex.core.messages import Message
from ludex.core.registry import board_options
from ludex.core.scene import Scene
from ludex.core.seeding import OPENING
from ludex.core.spec import GameSpec

MOST_PLIES: Final = 120
"""In how many first plies of a random match the hooks are tried."""
LATE_PLIES: Final = 12
"""In how many of the last third they are tried, at even distances, besides those that begin a phase."""
MOST_MATCHES: Final = 4
"""Random matches of a board; of all but the first, only the last third and phases that no match has shown yet."""
FACTS_MS: Final = 1000
"""What the facts of a match may take."""


@dataclass(frozen=True, slots=True)
class Ply:
    """A move of a finished match, and the position before it."""

    match: Match[Any, Any]
    ply: int

    @property
    def game(self) -> AnyGame:
        return self.match.game

    @property
    def state(self) -> Any:
        return self.match.positions[self.ply]

    @property
    def view(self) -> Any:
        return self.game.view(self.state, self.game.to_move(self.state))

    def actions(self, count: int) -> set[Action]:
        """Some legal actions of each end of the table, lest a move with many neighbours take all the time."""
        legal = legal_actions(self.game.legal(self.state))
        return {*legal[:count], *legal[-count:]}

    def judged(self, is_mark: Callable[[AnyGame, Action], bool]) -> Iterator[JudgedMove]:
        """The move once as the best one, and as worse than others; nothing of a move that decides nothing."""
        played, after = self.match.moves[self.ply], self.match.positions[self.ply + 1]
        reply = [] if self.game.outcome(after) is not None else legal_actions(self.game.legal(after))[:1]
        for best in {played.action, *self.actions(1)}:
            if not is_mark(self.game, played.action) and not is_mark(self.game, best):
                kept = 0.9 if best == played.action else 0.4
                named = (self.game, self.state, after, played.player, played.action, best, (best,), tuple(reply))
                yield JudgedMove(*named, 0.9, kept)


Try: TypeAlias = Callable[[GameSpec, Any, Ply], Iterator[object]]
"""Calls a hook of a spec at a ply, and raises what is wrong with what it gives."""


def hook_faults(spec: GameSpec) -> Iterator[str]:
    """Yields what is wrong with the hooks of a spec: the first fault of each."""
    # One counterexample is enough of what is tried in random matches.
    sound = {name: registry.resolve(ref) for name in TRIES if (ref := attrgetter(name)(spec)) is not None}
    for where, ply in _random_plies(spec) if sound else ():
        for name, hook in [*sound.items()]:
            try:
                for _ in TRIES[name](spec, hook, ply):
                    pass
            except BrokenGame as error:
                fault = error.message
            except Exception as error:
                # A third-party game may raise anything.
                fault = f"raised {describe_error(error)}"
            else:
                continue
            hooks.silence(spec.id, name)
            yield f"{name} {where}: {fault}"
            del sound[name]


def _terminal(_: GameSpec, hook: Any, at: Ply) -> Iterator[object]:
    drawn = hook(at.game, at.view, None)
    if drawn is None or drawn == "":
        raise BrokenGame(f"expected what rich can print, found {drawn!r}")
    yield drawn


def _coach(spec: GameSpec, hook: Any, at: Ply) -> Iterator[object]:
    yield _on_board(spec, at, hook(at.game, at.view, at.game.legal(at.state)))


def _effects(spec: GameSpec, hook: Any, at: Ply) -> Iterator[object]:
    yield from (_on_board(spec, at, each) for action in at.actions(1) for each in hook(at.game, at.view, action))


def _on_board(spec: GameSpec, at: Ply, given: Any) -> Message:
    """A sentence, which marks only cells of the board that Ludex draws."""
    message = hooks.as_message(given)
    if message.cells and spec.screen.scene is not None:
        scene = registry.resolve(spec.screen.scene)(at.game, at.view, at.game.legal(at.state))
        if isinstance(scene, Scene) and not {*message.cells} <= {*range(len(scene.board.cells))}:
            last = len(scene.board.cells) - 1
            raise BrokenGame(f"message {message.id!r} marks cells {[*message.cells]}, expected those of 0..{last}")
    return message


def _reason(spec: GameSpec, hook: Any, at: Ply) -> Iterator[object]:
    for action in at.actions(1):
        for addressed in (False, True):
            reason = hook(at.game, at.view, Decision(action=action, value=0.5), addressed)
            yield None if reason is None else _on_board(spec, at, reason)


def _words(_: GameSpec, hook: Any, at: Ply) -> Iterator[object]:
    yield from (hooks.as_message(hook(at.game, at.state, action)) for action in at.actions(2))


def _events(_: GameSpec, hook: Any, at: Ply) -> Iterator[object]:
    yield hooks.as_texts(hook(at.game, at.match.positions[at.ply + 1]))


def _history(_: GameSpec, hook: Any, at: Ply) -> Iterator[object]:
    yield hooks.as_json(hook(at.match, at.ply + 1))


def _explain(_: GameSpec, hook: Any, at: Ply) -> Iterator[object]:
    for action in at.actions(1):
        try:
            decision = hook(at.game, at.view, at.game.action_text(at.state, action))
        except MoveError:
            # It refuses the place.
            continue
        if not isinstance(decision, Decision):
            raise BrokenGame(f"expected a Decision, found {type(decision).__name__}")
        yield hooks.as_messages(decision.explanation)


def _composite(_: GameSpec, hook: Any, at: Ply) -> Iterator[object]:
    for action in at.actions(1):
        text = at.game.action_text(at.state, action)
        parts = hooks.as_texts(hook(at.game, at.view, text))
        if parts and not at.game.legal(at.state)[at.game.parse_action(at.state, parts[0])]:
            raise BrokenGame(f"{text!r} stands for {parts}, and {parts[0]!r} is not legal here")
        yield parts


def _metrics(_: GameSpec, hook: Any, at: Ply) -> Iterator[object]:
    yield hooks.as_counts(hook(at.game, at.state, at.match.moves[at.ply].action, {}))


def _is_mark(_: GameSpec, hook: Any, at: Ply) -> Iterator[object]:
    yield from (hooks.as_flag(hook(at.game, action)) for action in at.actions(1))


def _judge(expect: Callable[[Any], object], spec: GameSpec, hook: Any, at: Ply) -> Iterator[object]:
    is_mark = registry.resolve(spec.review.is_mark) if spec.review.is_mark else lambda game, action: False
    yield from (expect(hook(judged)) for judged in at.judged(is_mark))


def _dice_text(_: GameSpec, hook: Any, at: Ply) -> Iterator[object]:
    yield from (hooks.as_message(hook(amount)) for amount in (0.0, 1.25, -1.25) if at.ply == 0)


def _facts(_: GameSpec, hook: Any, at: Ply) -> Iterator[object]:
    if at.ply == 0:
        limit = Limit(time_ms=FACTS_MS)
        with limit.watch():
            yield hooks.as_json(hook(at.match, limit))


def _timing(spec: GameSpec, hook: Any, at: Ply) -> Iterator[object]:
    for name, value in hooks.as_figures(hook(at.match, 60.0)).items() if at.ply == 0 else ():
        yield hooks.as_message(Message(f"{spec.id}.timing_{name}"))
        yield hooks.as_message(Message(f"{spec.id}.timing_{name}_value", {"value": value}))


def _slow_start(_: GameSpec, hook: Any, at: Ply) -> Iterator[object]:
    yield hooks.as_flag(hook(at.game))


def _board_model(_: GameSpec, hook: Any, at: Ply) -> Iterator[object]:
    if at.ply == 0:
        yield hooks.as_json(hook(at.game))


def _board_title(spec: GameSpec, hook: Any, at: Ply) -> Iterator[object]:
    yield hooks.as_message(hook(*board_options(spec.id, at.game.info.preset)))


def _shelf(_: GameSpec, hook: Any, at: Ply) -> Iterator[object]:
    yield hooks.as_titles(hook)


TRIES: Final[Mapping[str, Try]] = {
    "slow_start": _slow_start,
    "screen.terminal": _terminal,
    "screen.board_title": _board_title,
    "screen.board_model": _board_model,
    "screen.shelf": _shelf,
    "screen.coach": _coach,
    "screen.effects": _effects,
    "screen.reason": _reason,
    "screen.describe_move": _words,
    "screen.describe_ply": _events,
    "screen.history": _history,
    "screen.explain": _explain,
    "screen.composite": _composite,
    "screen.facts": _facts,
    "screen.timing": _timing,
    "tools.metrics": _metrics,
    "review.is_mark": _is_mark,
    "review.reasons": partial(_judge, hooks.as_messages),
    "review.luck": partial(_judge, hooks.as_amount),
    "review.dice": partial(_judge, hooks.as_amount),
    "review.dice_text": _dice_text,
}
"""How each hook is tried, by its field of the spec."""


def _random_plies(spec: GameSpec) -> Iterator[tuple[str, Ply]]:
    """Plies of finished matches of random moves on every board, and where they are."""
    for preset in spec.presets:
        game = registry.make(spec.id, preset)
        unseen = {*game.info.phases}
        for seed in range(1, MOST_MATCHES + 1):
            match = Match(game, seed)
            while not match.over:
                legal = legal_actions(match.legal())
                if not legal:
                    raise BrokenGame(f"live, but no legal action: {preset}, seed {seed}, ply {match.ply}")
                match.play(match.rng(OPENING).choice(legal))
            late = match.ply * 2 // 3
            wanted = {*range(late, match.ply, max(1, (match.ply - late) // LATE_PLIES))}
            wanted |= {*range(MOST_PLIES)} if seed == 1 else set()
            for ply in range(match.ply):
                phase = game.phase(match.positions[ply])
                if ply in wanted or phase in unseen:
                    yield f"at ply {ply} of {preset}, seed {seed}", Ply(match, ply)
                unseen.discard(phase)
