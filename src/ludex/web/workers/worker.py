"""The code of a worker process: it searches, reports, and ends with the server."""

import json
import os
import re
import signal
import threading
import time
from collections import OrderedDict
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from multiprocessing.connection import Connection
from queue import Empty, SimpleQueue
from typing import TYPE_CHECKING, Any, Final

from ludex.core.errors import AgentFault, LudexError
from ludex.core.log import logger
from ludex.core.system import limit_memory, lower_priority
from ludex.web.memory import give_back_large_blocks, paused_collector
from ludex.web.recent import Recent
from ludex.web.schemas.analyses import Analysis
from ludex.web.workers.task import Failed, Message, Result, ReviewPart, Signal, Task

if TYPE_CHECKING:
    from ludex.arena.entrants import Entrant
    from ludex.core.decision import Decision
    from ludex.core.game import AnyGame
    from ludex.core.match import Match
    from ludex.core.services import Services
    from ludex.kernels.warmup import KernelGroup
    from ludex.web.workers.reviewing import Reviewing

FLAGS: Final = 64
"""The number of stop flags, which tasks use in turn."""
NICENESS: Final = 10
AGENTS_KEPT: Final = 16
MATCHES_KEPT: Final = 8
OUT_OF_MEMORY: Final = re.compile("MemoryError|bad_alloc|[Ff]ailed to allocate memory")
"""What Python and libraries in C++ say of it."""
PUBLIC_SEED: Final = 0
"""Of agents that analyse: the same for every match."""

log = logger("worker")


@dataclass(frozen=True, slots=True)
class Order:
    """A task, the flag that stops it, and the edition of the game's learned values that it must use."""

    task: Task
    flag: int
    edition: int


@dataclass(frozen=True, slots=True)
class Terms:
    """The parameters of every worker of a pool."""

    database: str | None
    report_seconds: float
    search_ms: int
    """The upper limit on the time of a search, whatever a match allows."""
    prepare: Callable[[], None] | None
    """Called first, for instance to set up the log."""
    preload: bool
    """Whether kernels are loaded before a search needs them."""
    memory_mb: int
    """What the operating system lets the process allocate."""


def work(connection: Connection, flags: Any, terms: Terms) -> None:
    """Run a worker until the server closes the pipe."""
    # Ctrl-C reaches the whole process group: only the server handles it.
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    lower_priority(NICENESS)
    give_back_large_blocks()
    limit_memory(terms.memory_mb << 20)
    if terms.prepare is not None:
        terms.prepare()
    tasks: SimpleQueue[Order] = SimpleQueue()
    threading.Thread(target=_receive, args=(connection, tasks), daemon=True).start()
    Worker(connection, flags, terms).run(tasks)


def _receive(connection: Connection, tasks: "SimpleQueue[Order]") -> None:
    """Receive orders; kernels release the GIL, so this thread sees the server's end even during a search."""
    while True:
        try:
            tasks.put(connection.recv())
        except (EOFError, OSError):
            os._exit(0)


class Worker:
    """Searches one task after the other."""

    def __init__(self, connection: Connection, flags: Any, terms: Terms) -> None:
        import numpy as np

        from ludex.store.services import lazy_services

        self._connection = connection
        self._sending = threading.Lock()
        self._flags = np.frombuffer(flags, np.uint8)
        self._terms = terms
        self._services: Services = lazy_services(terms.database)
        self._agents: OrderedDict[tuple[str, str, str, int], Entrant] = OrderedDict()
        self._matches = Recent[tuple[str, str, int], "Match[Any, Any]"](MATCHES_KEPT)
        self._reviewing: Reviewing | None = None

    def run(self, tasks: "SimpleQueue[Order]") -> None:
        """Run forever: the process ends when the server closes the pipe, or kills it."""
        self._send(Signal.READY)
        with paused_collector():
            unloaded = prepared_groups() if self._terms.preload else []
        while True:
            try:
                # Load kernels while no task waits.
                order = tasks.get(block=not unloaded)
            except Empty:
                with paused_collector():
                    load_kernels(*unloaded.pop(0))
                continue
            self._send(self._answer(order))

    def _answer(self, order: Order) -> Result | Failed:
        task = order.task
        try:
            if task.review is not None:
                return self._review(order, task.review)
            if task.begins:
                return self._first_position(order)
            if task.about is not None:
                return self._explain(order, task.about)
            return self._facts(order) if task.facts else self._analyse(order)
        except LudexError as error:
            out_of_memory = isinstance(error, AgentFault) and OUT_OF_MEMORY.search(error.message)
            return Failed.of(self._agent_fault(task, error.message) if out_of_memory else error)
        except Exception as error:
            # An agent may fail in any way, and the next task must still be served.
            log.exception("agent failed", game=task.game, agent=task.agent)
            return Failed.of(self._agent_fault(task, f"{type(error).__name__}: {error}"))

    def _agent_fault(self, task: Task, reason: str) -> AgentFault:
        """The fault of an agent, which says so if it is the limit of memory that it met."""
        if OUT_OF_MEMORY.search(reason):
            reason = f"it needs more than the {self._terms.memory_mb:,} MB of a worker, LUDEX_WORKER_MEMORY_MB"
        return AgentFault(f"agent {task.agent!r} of {task.game}: {reason}")

    def _analyse(self, order: Order) -> Analysis:
        from ludex.arena.entrants import kernels_of
        from ludex.core.limit import Limit
        from ludex.core.match import time_decision
        from ludex.core.seeding import ANALYSIS, generator
        from ludex.kernels.warmup import load_prepared
        from ludex.web import boards

        task = order.task
        load_prepared(task.game, kernels_of(task.game, task.agent))
        board = boards.board(task.game, task.preset)
        match = self._match(board, task) if task.draft is None else _draft_match(board, task)
        agent = self._agent(match.game, order)

        def report(decision: "Decision") -> None:
            reports.add(_document(match, task, decision, False, 1000 * (time.perf_counter() - begin)))

        self._send(Signal.STARTED)
        begin = time.perf_counter()
        with Reports(self._send, self._terms.report_seconds) as reports:
            limit = Limit(
                nodes=task.nodes,
                time_ms=None if task.movetime_ms is None else min(task.movetime_ms, self._terms.search_ms),
                clocks=task.clocks,
                stop=self._flags[order.flag : order.flag + 1],
                report=report,
            )
            rng = generator(PUBLIC_SEED, match.ply + 1, ANALYSIS) if task.public_seed else None
            try:
                decision, spent_ms = time_decision(match, agent, limit, rng)
            except Exception:
                self._discard_agent(agent)
                raise
        return _document(match, task, decision, True, spent_ms)

    def _first_position(self, order: Order) -> dict[str, Any]:
        """The board and the dump of the position that a match begins with; what is drawn comes from the task's seed."""
        from ludex.core.match import Match
        from ludex.kernels.warmup import load_prepared
        from ludex.web import boards

        task = order.task
        load_prepared(task.game, "player")
        self._send(Signal.STARTED)
        board = boards.board(task.game, task.preset)
        match = Match(board, task.seed) if task.draft is None else _draft_match(board, task)
        position = match.game.dump(match.state) if task.draft is None else match.position
        return _plain({"preset": match.game.info.preset, "position": position})

    def _explain(self, order: Order, place: str) -> Analysis:
        """What the game says of a place of the board."""
        from ludex.core.registry import resolve, spec
        from ludex.kernels.warmup import load_prepared
        from ludex.web import boards

        task = order.task
        load_prepared(task.game, "player")
        board = boards.board(task.game, task.preset)
        match = self._match(board, task) if task.draft is None else _draft_match(board, task)
        hook = spec(task.game).screen.explain
        assert hook is not None
        self._send(Signal.STARTED)
        begin = time.perf_counter()
        decision = resolve(hook)(match.game, match.game.view(match.state, match.to_move), place)
        return _document(match, task, decision, True, 1000 * (time.perf_counter() - begin))

    def _facts(self, order: Order) -> dict[str, Any]:
        from ludex.core.limit import Limit
        from ludex.core.registry import resolve, spec
        from ludex.kernels.warmup import load_prepared
        from ludex.web import boards

        task = order.task
        load_prepared(task.game, "player")
        match = self._match(boards.board(task.game, task.preset), task)
        hook = spec(task.game).screen.facts
        assert hook is not None
        self._send(Signal.STARTED)
        limit = Limit(time_ms=self._terms.search_ms, stop=self._flags[order.flag : order.flag + 1])
        with limit.watch():
            return _plain(resolve(hook)(match, limit))

    def _review(self, order: Order, part: ReviewPart) -> dict[str, Any]:
        from ludex.coach.analyst import kernels_of_analyst
        from ludex.kernels.warmup import load_prepared
        from ludex.web import boards
        from ludex.web.workers.reviewing import Reviewing

        task = order.task
        board = boards.board(task.game, task.preset)
        load_prepared(task.game, kernels_of_analyst(board))
        if self._reviewing is None:
            self._reviewing = Reviewing(self._services)
        match = self._match(board, task)
        stop = self._flags[order.flag : order.flag + 1]
        begins = partial(self._send, Signal.STARTED)
        return _plain(self._reviewing.compute(match, part, stop, order.edition, begins))

    def _agent(self, board: "AnyGame", order: Order) -> "Entrant":
        from ludex.arena.entrants import make_entrant

        key = (order.task.game, board.info.preset, order.task.agent, order.edition)
        if key not in self._agents:
            self._agents[key] = make_entrant(board, order.task.agent, self._services)
            if len(self._agents) > AGENTS_KEPT:
                self._agents.popitem(last=False)[1].close()
        self._agents.move_to_end(key)
        return self._agents[key]

    def _discard_agent(self, agent: "Entrant") -> None:
        """Close an agent that has failed: what it remembers of the failed search must not reach the next one."""
        self._agents = OrderedDict((key, kept) for key, kept in self._agents.items() if kept is not agent)
        agent.close()

    def _match(self, board: "AnyGame", task: Task) -> "Match[Any, Any]":
        """The match at the task's position, continued from the last search of the same match."""
        from ludex.core.match import Match

        key = (task.game, board.info.preset, task.seed)
        match = self._matches.pop(key, None)
        if match is None or match.position != task.position:
            match = Match(board, task.seed, position=task.position)
        while match.actions != task.actions[: match.ply]:
            match.undo()
        for action in task.actions[match.ply :]:
            match.play(action)
        # Cached only now: a match that could not be replayed is built again.
        self._matches[key] = match
        return match

    def _send(self, message: Message) -> None:
        with self._sending:
            self._connection.send(message)


def _draft_match(board: "AnyGame", task: Task) -> "Match[Any, Any]":
    """The match that begins with an edited position."""
    from ludex.core.editing import begin_match, editor_of

    assert task.draft is not None
    return begin_match(editor_of(task.game).read(board, task.draft), task.seed)


def _plain(document: Any) -> dict[str, Any]:
    """A document through JSON, so that an invalid value raises here and not in the server."""
    plain: dict[str, Any] = json.loads(json.dumps(document, allow_nan=False))
    return plain


class Reports:
    """Passes on the newest report, at most one in so many seconds, and none too late to matter."""

    def __init__(self, send: Callable[[Message], None], seconds: float) -> None:
        self._send = send
        self._seconds = seconds
        self._lock = threading.Lock()
        self._newest: Analysis | None = None
        self._sent = float("-inf")
        self._timer: threading.Timer | None = None
        self._open = True

    def __enter__(self) -> "Reports":
        return self

    def __exit__(self, *_: object) -> None:
        """Nothing is sent after this: the decision is on its way."""
        with self._lock:
            self._open = False
            if self._timer is not None:
                self._timer.cancel()

    def add(self, analysis: Analysis) -> None:
        with self._lock:
            self._newest = analysis
            # A timer that is late passes it on as well; both would be two reports at once.
            if self._timer is None:
                self._pass_on()

    def _later(self) -> None:
        with self._lock:
            self._timer = None
            if self._open:
                self._pass_on()

    def _pass_on(self) -> None:
        """Send the newest report, now or when it is time."""
        assert self._newest is not None
        wait = self._sent + self._seconds - time.monotonic()
        if wait > 0:
            self._timer = threading.Timer(wait, self._later)
            self._timer.daemon = True
            self._timer.start()
            return
        self._send(self._newest)
        self._newest, self._sent = None, time.monotonic()


def prepared_groups() -> "list[tuple[str, KernelGroup]]":
    """The kernels that can be loaded, the most urgent first; others are compiled elsewhere, loaded when needed."""
    from ludex.core.registry import available
    from ludex.kernels.warmup import PLAYED, is_prepared

    try:
        games = [spec.id for spec in available()[0]]
        return [(game, group) for group in PLAYED for game in games if is_prepared(game, group)]
    except LudexError as error:
        log.error("no kernels can be loaded", code=error.code, message=error.message)
        return []


def load_kernels(game: str, group: "KernelGroup") -> None:
    """Load the kernels of a group; what fails is logged."""
    from ludex.kernels.warmup import load_group

    try:
        load_group(game, group)
    except Exception:
        # Third-party kernels may fail in any way; a search of that game reports the error.
        log.exception("kernels failed", game=game)


def _document(match: "Match[Any, Any]", task: Task, decision: "Decision", final: bool, ms: float) -> Analysis:
    """A decision as a document. It goes through JSON, so that an invalid value raises here and not in the server."""
    from ludex.core.explanation import advice, explain, move_words
    from ludex.web.boards import figure_titles

    named = {*decision.stats, *(value for value in decision.stats.values() if isinstance(value, str))}
    named |= {term for candidate in decision.candidates for term in candidate.terms}
    titles = figure_titles(match.game.info.id, sorted(named))
    about = {"player": match.to_move, "ply": match.ply, "agent": task.agent, "final": final, "ms": ms, "titles": titles}
    if task.addressed:
        decision = advice(match.game, match.state, decision)
    reasoned = explain(match.game, match.state, decision, addressed=task.addressed)
    analysis = Analysis.model_validate_json(json.dumps({**about, **reasoned}))
    worded = [
        entry.model_copy(update={"words": move_words(match.game, match.state, entry.action)})
        for entry in analysis.candidates
    ]
    return analysis.model_copy(update={"candidates": worded})
