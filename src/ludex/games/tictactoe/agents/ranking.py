"""The original document's ranking as an agent, with exact values beside its Q where the board is small."""

from ludex.core.decision import Candidate, Decision
from ludex.core.documents import read_text
from ludex.core.errors import BadRankings
from ludex.core.game import Mask
from ludex.core.limit import Limit
from ludex.core.log import logger
from ludex.core.messages import Message
from ludex.core.options import NoOptions
from ludex.core.ranking import MemoryRankings, RankingStore
from ludex.core.seeding import Rng
from ludex.core.services import Services
from ludex.games.tictactoe.agents.policy import Choice, RankingPolicy
from ludex.games.tictactoe.agents.ranking_files import SHIPPED, read_rankings, require_shipped, shipped_rankings
from ludex.games.tictactoe.agents.solver import PerfectAgent, check_perfect, exact_terms, perfect, solvable, solver
from ludex.games.tictactoe.game import TicTacToe
from ludex.games.tictactoe.options import PerfectOptions, RankingOptions
from ludex.games.tictactoe.rules.position import Position

log = logger("tictactoe")


class RankingAgent:
    """Win in one, block in one, else the greatest Q: the original document's runtime policy."""

    def __init__(self, game: TicTacToe, store: RankingStore, name: str = "ranking") -> None:
        self.name = name
        self._game = game
        self._policy = RankingPolicy(game.board, store)
        self._solver = solver(game.board) if solvable(game.board) else None

    def decide(self, view: Position, legal: Mask, *, rng: Rng, limit: Limit) -> Decision:
        choice = self._policy.choose(view)
        log.info("decision", agent=self.name, **choice.telemetry())
        exact = {} if self._solver is None else {move: self._solver.move(view, move) for move in choice.q}
        # The chosen move first, though a tactical rule may have passed over a greater Q.
        order = sorted(choice.q, key=lambda move: (move != choice.move, -choice.q[move], move))
        return Decision(
            action=choice.move,
            value=1.0 if choice.win_in_1 else max(-1.0, min(1.0, choice.q[choice.move])),
            candidates=tuple(
                Candidate(move, score=choice.q[move], line=(move,), terms=exact_terms(exact.get(move)))
                for move in order
            ),
            stats=choice.telemetry(),
            explanation=(_explanation(choice, self._game),),
            overlay={
                "q": tuple(choice.q.get(cell) for cell in range(len(legal))),
                "exact": tuple(float(exact[cell].value) if cell in exact else None for cell in range(len(legal))),
            },
        )


def _explanation(choice: Choice, game: TicTacToe) -> Message:
    move, cells = game.board.names[choice.move], (choice.move,)
    if choice.win_in_1:
        return Message("tictactoe.wins_at_once", {"move": move}, cells)
    if choice.block_in_1:
        return Message("tictactoe.blocks", {"move": move}, cells)
    if choice.double_threat:
        return Message("tictactoe.two_threats", {"move": move}, cells)
    if len(choice.q) > 1 and len(set(choice.q.values())) == 1:
        return Message("tictactoe.same_q", {"move": move}, cells)
    return Message("tictactoe.greatest_q", {"move": move, "q": choice.best_q}, cells)


def ranking(game: TicTacToe, options: RankingOptions, services: Services, name: str) -> RankingAgent:
    """The factory of `ranking`."""
    return RankingAgent(game, _store(game, options, services), name)


def check_ranking(game: TicTacToe, options: RankingOptions) -> None:
    """Raise if `ranking` cannot play the board."""
    if options.file is None and options.ranking == "shipped":
        require_shipped(game)


def flawless(game: TicTacToe, options: NoOptions, services: Services, name: str) -> RankingAgent | PerfectAgent:
    """The factory of `flawless`: the ranking where one ships, the solver on other boards."""
    if game.info.preset in SHIPPED:
        return RankingAgent(game, shipped_rankings(game), name)
    return perfect(game, PerfectOptions(), services, name)


def check_flawless(game: TicTacToe, options: NoOptions) -> None:
    """Raise if neither a ranking nor the solver plays the board."""
    if game.info.preset not in SHIPPED:
        check_perfect(game, PerfectOptions())


def _store(game: TicTacToe, options: RankingOptions, services: Services) -> RankingStore:
    if options.file is not None:
        return MemoryRankings(read_rankings(game, read_text(options.file, BadRankings), str(options.file)))
    if options.ranking == "database":
        # Read once: nine database look-ups per move would cost forty times the move.
        return MemoryRankings(services.rankings(game.info.id, game.info.preset).entries())
    return MemoryRankings() if options.ranking == "empty" else shipped_rankings(game)
