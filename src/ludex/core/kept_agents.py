"""Trained agents that were kept under a name: levels of the home page, and files that friends exchange.

Each is a folder of `agents/` in the data folder: `card.json`, which says what plays it, and the file itself.
"""

import hashlib
import json
import re
import secrets
import shutil
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, Final, Literal

from pydantic import Field

from ludex.core.documents import parse_json, read_text, write_bytes, write_text
from ludex.core.errors import BadNet, BadOption, UnknownAgent
from ludex.core.folders import data_folder, make_folder
from ludex.core.messages import Message
from ludex.core.options import KEPT, StrictModel, validate
from ludex.core.registry import agent_spec
from ludex.core.spec import AgentFormat, AgentSpec, GameSpec, LevelSpec, TrainedAgentSpec

CARD: Final = "card.json"
VERSION: Final = 1
MOST_KEPT: Final = 64
LARGEST_FILE: Final = 32 << 20
"""Bytes of the file of a trained agent; networks of this size play slowly already."""
LONGEST_TITLE: Final = 40
NAMES: Final = re.compile(r"[a-z0-9](-?[a-z0-9])*")


class KeptAgent(StrictModel):
    """The card of a kept agent."""

    version: Literal[1] = VERSION
    name: str = Field(pattern=r"^[a-z0-9](-?[a-z0-9])*$", max_length=48)
    title: str = Field(min_length=1, max_length=LONGEST_TITLE)
    game: str
    board: str
    """The board that it has learned."""
    any_board: bool
    """Whether it plays every board of the game."""
    agent: str
    """The agent of the game that plays it."""
    option: str
    """The option of that agent that names the file."""
    format: AgentFormat
    bytes: int
    sha256: str
    origin: str
    """Where it comes from: `run:NAME@STEP`, or the name of an imported file."""
    created_utc: str

    @property
    def reference(self) -> str:
        """What stands wherever an agent is named."""
        return f"{KEPT}{self.name}"

    @property
    def path(self) -> Path:
        """The file."""
        return _folder() / self.name / f"agent.{self.format}"


def kept_agents() -> tuple[list[KeptAgent], list[BadNet]]:
    """Those that can be read, the oldest first, and the errors of the others: one must not hide the rest."""
    agents, broken = [], []
    for card in sorted(_folder().glob(f"*/{CARD}")):
        try:
            agents.append(_read(card))
        except BadNet as error:
            broken.append(error)
    return sorted(agents, key=lambda agent: (agent.created_utc, agent.name)), broken


def find_kept(name: str) -> KeptAgent:
    """A kept agent by its name. Raises `UnknownAgent`, or `BadNet` if its card is damaged."""
    card = _folder() / name / CARD
    if not NAMES.fullmatch(name) or not card.is_file():
        known = ", ".join(f"{KEPT}{agent.name}" for agent in kept_agents()[0])
        raise UnknownAgent(f"no agent is kept as {name!r}; known: {known or 'none'}")
    return _read(card)


def keep(*, title: str, game: str, board: str, trained: TrainedAgentSpec, data: bytes, origin: str) -> KeptAgent:
    """Keep the file of a trained agent, which must have been checked, under a title."""
    title = clean_title(title)
    if len(data) > LARGEST_FILE:
        raise BadNet(f"{origin}: expected at most {LARGEST_FILE:,} bytes, found {len(data):,}")
    taken = {path.parent.name for path in _folder().glob(f"*/{CARD}")}
    if len(taken) >= MOST_KEPT:
        raise BadOption(f"{len(taken)} agents are kept already, the most there may be: remove one first")
    card = KeptAgent(
        name=_free_name(title, taken),
        title=title,
        game=game,
        board=board,
        any_board=trained.any_board,
        agent=trained.agent,
        option=trained.option,
        format=trained.format,
        bytes=len(data),
        sha256=hashlib.sha256(data).hexdigest(),
        origin=origin,
        created_utc=datetime.now(UTC).isoformat(timespec="seconds"),
    )
    put(card, data)
    return card


def put(card: KeptAgent, data: bytes) -> None:
    """Write the card and the file of an agent."""
    folder = make_folder(card.path.parent, "LUDEX_DATA")
    write_bytes(card.path, data)
    # Last, because it makes the folder an agent.
    write_text(folder / CARD, json.dumps(card.model_dump(), indent=1) + "\n")


def remove(name: str) -> KeptAgent:
    """Forget a kept agent. Raises `UnknownAgent`."""
    card = find_kept(name)
    folder = _folder() / name
    (folder / CARD).unlink()
    shutil.rmtree(folder)
    return card


def clean_title(title: str) -> str:
    """A title without blanks around it. Raises `BadOption` if it is empty, too long or cannot be printed."""
    title = title.strip()
    if not 0 < len(title) <= LONGEST_TITLE or not title.isprintable():
        raise BadOption(f"expected a name of 1 to {LONGEST_TITLE} printable characters, found {title!r}")
    return title


def kept_agent(game_spec: GameSpec, name: str) -> AgentSpec:
    """What `kept:NAME` plays as. Raises `UnknownAgent` if there is none of this game."""
    card = find_kept(name)
    if card.game != game_spec.id:
        raise UnknownAgent(f"{card.reference} plays {card.game}, not {game_spec.id}")
    boards = None if card.any_board else (card.board,)
    return trained_agent(game_spec, card.agent, card.option, card.path, boards, card.title)


def trained_agent(
    game_spec: GameSpec, agent: str, option: str, path: Path, boards: tuple[str, ...] | None, summary: str
) -> AgentSpec:
    """An agent that reads a file of its own. Raises `BadNet` if the file is missing."""
    if not path.is_file():
        raise BadNet(f"{summary}: its file {path.name} is missing")
    base = agent_spec(game_spec, agent)
    defaults: dict[str, Any] = {**base.defaults, option: str(path)}
    return replace(base, summary=summary, defaults=defaults, presets=None, presets_of=None, boards=boards)


def levels_of(game: str) -> dict[str, LevelSpec]:
    """The kept agents of a game as levels, by the names that stand for agents, the oldest first."""
    return {card.reference: level_of(card) for card in kept_agents()[0] if card.game == game}


def level_of(card: KeptAgent) -> LevelSpec:
    """A kept agent as a level."""
    description = Message("ludex.kept_level", {"origin": card.origin})
    return LevelSpec(title=Message.plain(card.title), description=description, agent=card.agent)


def _folder() -> Path:
    return data_folder() / "agents"


def _read(card: Path) -> KeptAgent:
    where = f"agents/{card.parent.name}/{CARD}"
    agent = validate(KeptAgent, parse_json(read_text(card, BadNet), where, BadNet), where, BadNet)
    if agent.name != card.parent.name:
        raise BadNet(f"{where}: it names itself {agent.name!r}")
    return agent


def _free_name(title: str, taken: set[str]) -> str:
    """A name for references, of the title's letters and digits.

    >>> _free_name("My 1st net!", set())
    'my-1st-net'
    """
    plain = "-".join(re.findall(r"[a-z0-9]+", title.lower()))[:40].strip("-") or "agent"
    return plain if plain not in taken else f"{plain}-{secrets.token_hex(3)}"
