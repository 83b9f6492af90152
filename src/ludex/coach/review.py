"""A match reviewed: the win probability after every ply, what each move gave away, its class, and why.

An analyst first glances at every position, so that a first picture is there at once, and then searches them one by one,
in any order and in parallel: `compose` makes the review of whatever is known, and `explained` the whole with reasons.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache, lru_cache, partial
from typing import Any, Final

from ludex.coach.accuracy import INACCURACY, ONLY_MOVE, Kept, accuracy, class_of
from ludex.coach.analyst import Analyst, Assessment, Glance, analyst_of, analyst_version, ended, kernels_of_analyst
from ludex.coach.model import Review, ReviewedMove, ReviewReason
from ludex.core.decision import JudgedMove
from ludex.core.documents import digest
from ludex.core.errors import Unsupported
from ludex.core.executor import Executor, InProcess
from ludex.core.explanation import effect_reasons, move_words
from ludex.core.game import AnyGame, Player
from ludex.core.hooks import as_amount, as_message, as_messages, try_hook
from ludex.core.match import Match
from ludex.core.messages import Message, Texts
from ludex.core.record import Record, replay
from ludex.core.registry import make, resolve, spec
from ludex.core.services import Services
from ludex.core.spec import Ref
from ludex.kernels.warmup import load_kernels

KEY_MOMENTS: Final = 3
PLIES: Final = 4
"""Positions of one task: neighbours, so that a search may use what the last one found."""


def positions_of(match: Match[Any, Any]) -> range:
    """The plies of the positions that are assessed: all but a last one in which the game is over."""
    live = match.aborted is None and match.game.outcome(match.state) is None
    return range(match.ply + live)


def fingerprint(match: Match[Any, Any]) -> str:
    """What a review depends on: the moves, the result, and the analyst."""
    outcome = match.outcome
    result = None if outcome is None else [*outcome.scores, outcome.reason]
    return digest({"moves": [*match.actions], "result": result, "analyst": analyst_version(match.game)})


def require_over(match: Match[Any, Any]) -> None:
    """Raise `Unsupported` if a match is live: its review would be advice."""
    if not match.over:
        raise Unsupported("the match is live: it can be reviewed once it is over")


def compose(
    match: Match[Any, Any],
    assessments: Mapping[int, Assessment],
    glances: Mapping[int, Glance] | None = None,
    agents: Sequence[str] = (),
) -> Review:
    """The review of what is known so far; it asks the game for no reasons, and searches nothing."""
    judged = [_judge_move(match, assessments, ply) for ply in range(match.ply)]
    moves = tuple(move for move in judged if move is not None)
    info = match.game.info
    seats = range(info.players)
    chance = info.chance == "sampled" or info.information == "hidden"
    return Review(
        game=info.id,
        preset=info.preset,
        agents=tuple(agents),
        analyst=analyst_of(match.game),
        version=analyst_version(match.game),
        outcome=match.outcome,
        probabilities=tuple(_probability(match, ply, assessments, glances or {}, 0) for ply in range(match.ply + 1)),
        moves=moves,
        accuracies=tuple(_accuracy(moves, seat) for seat in seats),
        luck=net_luck(moves, info.players) if chance else (None,) * info.players,
        luck_notes=(None,) * info.players,
        key_moments=_key_moments(moves),
        done=len(assessments),
        total=len(positions_of(match)),
    )


def explained(match: Match[Any, Any], assessments: Mapping[int, Assessment], agents: Sequence[str] = ()) -> Review:
    """The finished review, with the game's own reasons and luck."""
    review = compose(match, assessments, None, agents)
    game, hooks = match.game.info.id, spec(match.game.info.id).review
    judged = [judged_move(match, assessments, move) for move in review.moves]
    moves, luck = review.moves, review.luck
    if hooks.luck is not None:
        amounts = try_hook(game, "review.luck", partial(_amounts, hooks.luck, judged), None)
        if amounts is None:
            luck = (None,) * len(luck)
        else:
            moves = tuple(replace(move, luck=amount) for move, amount in zip(moves, amounts, strict=True))
    explain = reasons_hook(match.game)
    if explain is not None:
        moves = tuple(
            replace(move, reasons=tuple(map(ReviewReason.of, explain(about)))) if _is_notable(move) else move
            for move, about in zip(moves, judged, strict=True)
        )
    notes = review.luck_notes
    if hooks.dice is not None and hooks.dice_text is not None:
        none: list[float | None] = [None] * len(moves)
        dice = try_hook(game, "review.dice", partial(_amounts, hooks.dice, judged), none)
        rolled = [(move.player, amount) for move, amount in zip(moves, dice, strict=True) if amount is not None]
        if rolled:
            totals = _net(rolled, len(notes))
            notes = try_hook(game, "review.dice_text", partial(_luck_notes, hooks.dice_text, totals), notes)
    luck = luck if None in luck else net_luck(moves, len(luck))
    return review.model_copy(
        update={"moves": moves, "luck": luck, "luck_notes": notes, "key_moments": _key_moments(moves)}
    )


def reasons_hook(game: AnyGame) -> Callable[[JudgedMove], Sequence[Message]] | None:
    """What says why a move was worse or better than others; None where a game names neither reasons nor effects.

    Where it fails, the fault is logged and the move has no reasons.
    """
    declared = spec(game.info.id)
    hook = declared.review.reasons
    if hook is None and declared.screen.effects is None:
        return None
    name = "screen.effects" if hook is None else "review.reasons"

    def explain(judged: JudgedMove) -> tuple[Message, ...]:
        return as_messages((effect_reasons if hook is None else resolve(hook))(judged))

    return lambda judged: try_hook(game.info.id, name, partial(explain, judged), ())


def net_luck(moves: Sequence[ReviewedMove], players: int) -> tuple[float, ...]:
    """By player, what chance gave them less what it gave the others."""
    return _net([(move.player, move.luck) for move in moves if move.luck is not None], players)


def _net(amounts: Sequence[tuple[Player, float]], players: int) -> tuple[float, ...]:
    return tuple(sum(amount if player == seat else -amount for player, amount in amounts) for seat in range(players))


def _amounts(hook: Ref, moves: Sequence[JudgedMove]) -> list[float | None]:
    """What chance gave by a hook of the game, move by move."""
    give = resolve(hook)
    return [as_amount(give(move)) for move in moves]


def _luck_notes(hook: Ref, totals: Sequence[float]) -> tuple[Texts | None, ...]:
    """What the game says of what the dice gave each player."""
    say = resolve(hook)
    return tuple(as_message(say(total)).texts() for total in totals)


def judged_move(match: Match[Any, Any], assessments: Mapping[int, Assessment], move: ReviewedMove) -> JudgedMove:
    """A reviewed move as its game sees it."""
    ply = move.ply
    action, assessment, following = match.moves[ply].action, assessments[ply], assessments.get(ply + 1)
    return JudgedMove(
        game=match.game,
        before=match.positions[ply],
        after=match.positions[ply + 1],
        player=move.player,
        action=action,
        best=assessment.best if move.loss > 0.0 else action,
        line=assessment.line if move.loss > 0.0 or assessment.as_good else (action,),
        reply=following.line if following is not None and assessment.loss is None else (),
        expected=move.expected,
        kept=move.kept,
    )


def _judge_move(match: Match[Any, Any], assessments: Mapping[int, Assessment], ply: int) -> ReviewedMove | None:
    """A move, if all that its judgement needs is known."""
    assessment = assessments.get(ply)
    if assessment is None:
        return None
    move = match.moves[ply]
    loss = assessment.loss
    if loss is None and assessment.after_best is None:
        loss = 0.0
    elif loss is None:
        assert assessment.after_best is not None
        after = _probability(match, ply + 1, assessments, {}, move.player)
        if after is None:
            return None
        # Two searches may disagree with a third: no more can be lost than there was.
        loss = min(assessment.probability, max(0.0, assessment.after_best - after))
    only = assessment.second is not None and assessment.probability - assessment.second >= ONLY_MOVE
    following = assessments.get(ply + 1)
    return ReviewedMove(
        ply=ply,
        player=move.player,
        text=move.text,
        move_class=class_of(loss, only=only, hidden=assessment.glance != move.action),
        expected=assessment.probability,
        kept=max(0.0, assessment.probability - loss),
        loss=loss,
        luck=assessment.luck,
        forced=assessment.forced,
        best=assessment.best_text if loss > 0.0 else move.text,
        line=assessment.line_texts if loss > 0.0 or assessment.as_good else (move.text,),
        reply=following.line_texts if following is not None and assessment.loss is None else (),
        reasons=(),
        best_words=move_words(match.game, match.positions[ply], assessment.best if loss > 0.0 else move.action),
    )


def _is_notable(move: ReviewedMove) -> bool:
    return max(move.loss, abs(move.luck or 0.0)) >= INACCURACY or move.move_class == "brilliant"


def _accuracy(moves: Sequence[ReviewedMove], seat: Player) -> float | None:
    return accuracy(Kept(move.expected, move.loss) for move in moves if move.player == seat and not move.forced)


def _key_moments(moves: Sequence[ReviewedMove]) -> tuple[int, ...]:
    """The moves that decided most: by what they gave away, by what chance gave, or because only they kept the game."""
    weights = {move.ply: max(move.loss, abs(move.luck or 0.0)) for move in moves}
    weights |= {move.ply: max(weights[move.ply], ONLY_MOVE) for move in moves if move.move_class == "brilliant"}
    moments = sorted((ply for ply in weights if weights[ply] >= INACCURACY), key=lambda ply: (-weights[ply], ply))
    return tuple(sorted(moments[:KEY_MOMENTS]))


def _probability(
    match: Match[Any, Any],
    ply: int,
    assessments: Mapping[int, Assessment],
    glances: Mapping[int, Glance],
    player: Player,
) -> float | None:
    """The probability that a player wins from the position of a ply; None if it is not known yet."""
    if ply == match.ply:
        result = ended(match.game, match.state, player)
        if result is not None:
            return result
    assessment = assessments.get(ply) or glances.get(ply)
    if assessment is None:
        return None
    return assessment.probability if assessment.player == player else 1.0 - assessment.probability


@dataclass(frozen=True, slots=True)
class AssessTask:
    """Some positions of a match."""

    record: Record
    plies: tuple[int, ...]
    services: Callable[[], Services] = Services
    """Makes what agents may need."""


def review_of(
    match: Match[Any, Any],
    agents: Sequence[str] = (),
    *,
    executor: Executor | None = None,
    services: Callable[[], Services] = Services,
    advance: Callable[[int], None] = lambda _: None,
) -> Review:
    """The review of a match; `advance` hears of assessed positions."""
    record = Record.of(match, tuple(agents) or ("",) * match.game.info.players)
    plies = [*positions_of(match)]
    tasks = [AssessTask(record, tuple(plies[begin : begin + PLIES]), services) for begin in range(0, len(plies), PLIES)]
    assessments: dict[int, Assessment] = {}
    for _, batch in (executor or InProcess()).run(assess_task, tasks):
        assessments |= {assessment.ply: assessment for assessment in batch}
        advance(len(batch))
    return explained(match, assessments, agents)


def assess_task(task: AssessTask) -> list[Assessment]:
    """The assessments of a task."""
    match, analyst = _match(task.record), _analyst(task.record.game, task.record.preset, task.services)
    return [analyst.assess(match, ply) for ply in task.plies]


@lru_cache(maxsize=4)
def _match(record: Record) -> Match[Any, Any]:
    return replay(make(record.game, record.preset), record)


@cache
def _analyst(game: str, preset: str, services: Callable[[], Services]) -> Analyst:
    board = make(game, preset)
    load_kernels(game, through=kernels_of_analyst(board))
    return Analyst(board, services())
