"""One match played in the terminal, and how it draws decisions and the events of a ply."""

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from rich.table import Table
from rich.text import Text

from ludex.core.decision import line_texts
from ludex.core.errors import MoveError, NothingToUndo, Unsupported
from ludex.core.explanation import advice, first_reason
from ludex.core.game import legal_actions
from ludex.core.hooks import as_texts, try_hook
from ludex.core.limit import Limit
from ludex.core.match import Match, decide
from ludex.core.record import Record, player_names
from ludex.core.registry import resolve, spec
from ludex.core.rendering import board_picture, ending
from ludex.search.model import expectation

if TYPE_CHECKING:
    from rich.console import Console

    from ludex.core.agent import AnyAgent
    from ludex.core.decision import Candidate, Decision
    from ludex.core.game import AnyGame
    from ludex.store.matches import Matches

KEYS = {
    "h": ("hint", "a hint: what the machine would play for you"),
    "t": ("thinking", "show or hide what the machine thinks of its moves"),
    "u": ("undo", "take back your last move"),
    "r": ("resign", "give the game up"),
    "q": ("quit", "leave; the match is kept and goes on with --resume"),
    "?": ("help", "these keys"),
}
"""Each with its word, which may be typed too, and what it does."""
MOST_TEXTS = 12
"""The number of legal moves that a refusal names."""
SEARCHED = ("depth", "nodes")
"""The statistics of a search, where there was one."""


class PersonLeftError(Exception):
    """The person has left."""


@dataclass
class TerminalMatch:
    """One match between people at this terminal and agents."""

    match: Match[Any, Any]
    agents: tuple[str, ...]
    """The name of each seat's agent; a person is `you`."""
    seated_agents: "dict[int, AnyAgent]"
    """By player; people's seats are not in it."""
    adviser: "AnyAgent"
    """Gives the hints."""
    limit: Limit
    console: "Console"
    matches: "Matches | None"
    """Where every move is stored; None stores nothing."""
    match_id: str | None = None
    version: int = 1
    """Of the match in the database, so that two terminals cannot play one match."""
    _shows_candidates: bool = False
    _last: "Decision | None" = field(default=None)
    _names: tuple[str, ...] = field(init=False)
    """What each player is called."""

    def __post_init__(self) -> None:
        self._names = player_names(self.match.game.info.id, self.agents)

    def play(self) -> None:
        """Play until the match is over or the person leaves."""
        self._keys()
        try:
            while not self.match.over:
                player = self.match.to_move
                if player in self.seated_agents:
                    self._agent_turn(player)
                else:
                    self._person_turn(player)
        except PersonLeftError:
            self.console.print()
        else:
            self._show(None)
        match = self.match
        game = match.game.info.id
        text = ending(game, match.outcome, match.aborted, match.ply, self._names, match.abort_message)
        self.console.print(text, style="bold", markup=False)
        if self.match_id is not None:
            again = f"ludex replay {self.match_id}"
            if not self.match.over:
                again += f"   or go on: ludex play {game} --resume {self.match_id}"
            self.console.print(again, style="dim")

    def _agent_turn(self, player: int) -> None:
        decision = decide(self.match, self.seated_agents[player], self.limit.renew())
        text = self.match.game.action_text(self.match.state, decision.action)
        state = self.match.state
        self.match.carry_out(decision)
        self._keep()
        does = " gives up" if decision.resigns else Text.assemble(" plays ", (text, "bold"))
        why = first_reason(self.match.game, state, decision)
        self.console.print(Text.assemble(self._names[player], does, _because(why)))
        self._show_events()
        if self._shows_candidates:
            self.console.print(candidates_table(self.match.game, state, decision))

    def _person_turn(self, player: int) -> None:
        self._show(self._last)
        self._last = None
        command = self._ask(player)
        actions = {"h": self._hint, "t": self._toggle, "u": self._undo, "?": self._help}
        key = {word: key for key, (word, _) in KEYS.items()}.get(command, command)
        if command in self._legal_texts():
            # Before the keys: a game may have moves of these names.
            self._move(command, player)
        elif key in actions:
            try:
                actions[key]()
            except (MoveError, Unsupported) as error:
                self._refuse(error.message)
        elif key == "r":
            self.match.resign(player)
            self._keep()
        elif key == "q":
            raise PersonLeftError
        elif command:
            self._move(command, player)

    def _move(self, text: str, player: int) -> None:
        try:
            self.match.play_text(text, player=player)
        except MoveError as error:
            texts = self._legal_texts()
            words = " ".join(texts[:MOST_TEXTS])
            more = f" and {len(texts) - MOST_TEXTS} more" if len(texts) > MOST_TEXTS else ""
            self._refuse(f"{error.message}. Legal: {words}{more}. Type ? for the other keys")
            return
        self._keep()
        self._show_events()

    def _show_events(self) -> None:
        """Print the events of the last ply."""
        events = events_text(self.match.game, self.match.state)
        if events:
            self.console.print(events)

    def _ask(self, player: int) -> str:
        try:
            return self.console.input(Text.assemble((self._names[player], "bold"), " > ")).strip()
        except (EOFError, UnicodeDecodeError):
            raise PersonLeftError from None

    def _show(self, decision: "Decision | None") -> None:
        player = next((seat for seat in range(len(self.agents)) if seat not in self.seated_agents), 0)
        self.console.print(board_picture(self.match.game, self.match.state, player, decision))

    def _hint(self) -> None:
        decision = decide(self.match, self.adviser, self.limit.renew())
        decision = advice(self.match.game, self.match.state, decision)
        text = self.match.game.action_text(self.match.state, decision.action)
        instead = " or give up" if decision.resigns else ""
        why = first_reason(self.match.game, self.match.state, decision, addressed=True)
        if not why and decision.value is not None:
            players, count = self.match.game.info.players, int(self.match.legal().sum())
            why = expectation(decision.value, players, count).text()
        self.console.print(Text.assemble(("hint: ", "green"), (text, "bold"), instead, _because(why)))
        self._last = decision

    def _toggle(self) -> None:
        self._shows_candidates = not self._shows_candidates
        if self._shows_candidates:
            self._hint()
        self.console.print(
            f"the machine's candidates are {'shown' if self._shows_candidates else 'hidden'}", style="dim"
        )

    def _undo(self) -> None:
        info = self.match.game.info
        if info.chance != "none" or info.information != "perfect":
            raise Unsupported(f"{info.id} has dice or secrets: a move that showed them cannot be taken back")
        if all(move.player in self.seated_agents for move in self.match.moves):
            raise NothingToUndo("you have not moved yet")
        self.match.undo()
        while self.match.to_move in self.seated_agents:
            self.match.undo()
        self._keep()

    def _keys(self) -> None:
        if self.match.over:
            return
        text = Text.assemble((self._legal_texts()[0], "bold"), " a move", style="dim")
        for key, (word, _) in KEYS.items():
            text.append_text(Text.assemble(" · ", (key, "bold"), f" {word}"))
        self.console.print(text)

    def _help(self) -> None:
        self.console.print(Text.assemble((f"  {self._legal_texts()[0]}", "bold"), "  a move, by its name on the board"))
        for key, (word, meaning) in KEYS.items():
            self.console.print(Text.assemble((f"  {key}", "bold"), f"   {word:<9} ", (meaning, "dim")))

    def _legal_texts(self) -> list[str]:
        game, state = self.match.game, self.match.state
        return [game.action_text(state, action) for action in legal_actions(self.match.legal())]

    def _refuse(self, message: str) -> None:
        self.console.print(message, style="red", markup=False)

    def _keep(self) -> None:
        if self.matches is None:
            return
        record = Record.of(self.match, self.agents)
        if self.match_id is None:
            self.match_id = self.matches.create(record)
        else:
            self.version = self.matches.update(self.match_id, record, self.version)


def _because(why: str) -> tuple[str, str]:
    """A reason behind a move; nothing where there is none."""
    return f"  {why}" if why else "", "dim"


def events_text(board: "AnyGame", state: Any) -> Text:
    """The events of the last ply, one line each; empty for games without events."""
    describe = spec(board.info.id).screen.describe_ply
    if describe is None:
        return Text()
    lines = try_hook(board.info.id, "screen.describe_ply", lambda: as_texts(resolve(describe)(board, state)), None)
    return Text("\n", "dim").join(Text(line, "dim") for line in lines or ())


def candidates_table(board: "AnyGame", state: Any, decision: "Decision", most: int = 9) -> Table:
    """The moves an agent considered, best first."""
    rows = [(board.action_text(state, candidate.action), _figures(candidate)) for candidate in decision.candidates]
    names = list(dict.fromkeys(name for _, figures in rows for name in figures))
    lines = [line_texts(board, state, candidate.line) for candidate in decision.candidates[:most]]
    table = Table("move", *names, box=None, padding=(0, 2, 0, 0), header_style="bold")
    long = any(len(line) > 1 for line in lines)
    if long:
        table.add_column("line", overflow="fold")
    for (text, figures), line in zip(rows, lines, strict=False):
        table.add_row(text, *(figures.get(name, "") for name in names), *([" ".join(line)] if long else []))
    hidden = len(decision.candidates) - most
    searched = [f"{name} {decision.stats[name]:,}" for name in SEARCHED if isinstance(decision.stats.get(name), int)]
    table.caption = ", ".join([*([f"and {hidden} more"] if hidden > 0 else []), *searched]) or None
    return table


def _figures(candidate: "Candidate") -> dict[str, str]:
    """The figures of a candidate, by name."""
    known = {} if candidate.score is None else {"score": _number(candidate.score, "+")}
    if candidate.prob is not None:
        known["chance"] = f"{candidate.prob:.1%}"
    return known | {name: _number(value) for name, value in candidate.terms.items()}


def _number(value: float, sign: str = "") -> str:
    """With at most three decimals, and never as -0."""
    return f"{round(value, 3) + 0.0:{sign}.3f}".rstrip("0").rstrip(".")
