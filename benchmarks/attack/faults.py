"""Attacks by what a server or a command must refuse, or must notice."""

import base64
import subprocess
import sys
import tempfile
import time
import zipfile
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from http.client import CREATED, OK, SERVICE_UNAVAILABLE
from itertools import pairwise
from pathlib import Path
from typing import Final

from benchmarks.attack.floods import LARGE
from benchmarks.attack.registry import Finding, attack
from benchmarks.attack.target import Target
from benchmarks.attack.visitor import ready
from benchmarks.serving import ADMIN_TOKEN, serving
from ludex.games.quoridor.agents.master.network import UNITS

OPTIONS: Final = (
    ("quoridor", "master:effort=999999999999999999999"),
    ("quoridor", "master:effort=1e400"),
    ("quoridor", "master:multipv=-1"),
    ("minesweeper", "expert:nodes=999999999999999999999"),
)
BOMB_BYTES: Final = 1 << 25
"""Of each array of the bomb."""
DISK_BYTES: Final = 1 << 26
BLOCK_BYTES: Final = 1 << 12
"""What a disk is filled with at once."""


@attack(
    "resignation", "a resignation on a 64x64 board was answered with 422 but stored, and the match could not be opened"
)
def resignation(target: Target) -> Finding:
    """Open a cell of the largest board, resign, and open the match again."""
    match, cookie = target.begin(target.attacker, "minesweeper", "you", preset=LARGE)
    path = f"/api/matches/{match['id']}"
    moved = target.ask(target.attacker, "POST", f"{path}/moves", {"version": 1, "action": 0}, cookie).document
    status = target.ask(target.attacker, "POST", f"{path}/resign", {"version": moved["version"]}, cookie).status
    opened = target.ask(target.attacker, "GET", path, cookie=cookie).status
    return Finding((status, opened) == (OK, OK), f"answered with {status}, then opened with {opened}")


@attack("absurd options", "`master:effort=999999999999999999999` was accepted and never moved")
def absurd_options(target: Target) -> Finding:
    """Options beyond every bound, as the agents of new matches."""
    accepted = 0
    for game, agent in OPTIONS:
        seats = [agent] if game == "minesweeper" else [agent, "you"]
        answer = target.ask(target.attacker, "POST", "/api/matches", {"game": game, "seats": seats})
        accepted += answer.status == CREATED
    return Finding(not accepted, f"{accepted} of {len(OPTIONS)} accepted", {"accepted": accepted})


@attack(".npz bomb", "ended in a traceback")
def npz_bomb(target: Target) -> Finding:
    """A network file of kilobytes that unpacks to hundreds of megabytes, given to the command line."""
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "bomb.npz"
        with zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED) as archive:
            for name in UNITS:
                archive.writestr(f"{name}.npy", bytes(BOMB_BYTES))
        size = file.stat().st_size
        command = [sys.executable, "-m", "ludex", "analyse", "quoridor", "--agent", f"master:net={file}"]
        ended = subprocess.run([*command, "--movetime", "100"], capture_output=True, text=True, check=False)
    refused = "expected at most" in ended.stderr and "Traceback" not in ended.stderr
    last = (ended.stderr.strip().splitlines() or ["nothing"])[-1]
    text = f"{size:,} bytes refused by what they announce" if refused else last
    return Finding(refused, f"{text}; exit code {ended.returncode}", {"exit_code": ended.returncode})


@attack("key given twice", 'in an imported ranking `"q": -1, "q": 0.25` was read as 0.25', own=True)
def repeated_key(target: Target) -> Finding:
    """A ranking of the administrator's that gives a key twice."""
    ranking = b'{"version": 1, "createdUtc": "2026-01-01T00:00:00Z", "qValues": [], "qValues": []}'
    body = {"game": "tictactoe", "preset": "3x4x3", "title": "twice", "file_name": "ranking.json"}
    body["content"] = base64.b64encode(ranking).decode()
    bearer = {"Authorization": f"Bearer {ADMIN_TOKEN}"}
    ready(target, "tictactoe")
    answer = target.ask(target.visitor, "POST", "/api/agents/import", body, **bearer)
    return Finding(answer.status not in (OK, CREATED), f"answered with {answer.status}: {answer.document['message']}")


@attack("database mode", "created with mode 0644, for every user of the machine to read", own=True)
def database_mode(target: Target) -> Finding:
    """Who may read the database."""
    assert target.serving is not None
    file = target.serving.data / "ludex.db"
    modes = [path.stat().st_mode & 0o777 for path in (file, file.parent)]
    return Finding(modes == [0o600, 0o700], f"database {modes[0]:04o}, folder {modes[1]:04o}")


@attack("deleted database", "went unnoticed while moves were acknowledged", own=True)
def deleted_database(target: Target) -> Finding:
    """The file of the database is deleted under a server of its own, in the middle of a match."""
    with serving() as server:
        own = Target.of(server.address, server)
        ready(own, "tictactoe")
        match, cookie = own.begin(own.visitor, "tictactoe", "you", "open")
        (server.data / "ludex.db").unlink()
        move = {"version": match["version"], "text": "b2"}
        moved = own.ask(own.visitor, "POST", f"/api/matches/{match['id']}/moves", move, cookie)
        state = own.ask(own.visitor, "GET", "/api/health/ready").status
        alive = own.ask(own.visitor, "GET", "/api/health/live").status
    text = f"the next move is answered with {moved.status} `{moved.document.get('code')}`, readiness with {state}"
    return Finding(OK not in (moved.status, state) and alive == OK, text)


@contextmanager
def _small_disk(folder: str) -> Iterator["subprocess.Popen[bytes]"]:
    """A process in whose namespaces, and nowhere else, the folder is a disk of its own."""
    script = f"mount -t tmpfs -o size={DISK_BYTES} tmpfs {folder} && echo ready && exec sleep infinity"
    command = ["unshare", "--user", "--map-root-user", "--mount", "sh", "-c", script]
    with subprocess.Popen(command, stdout=subprocess.PIPE) as holder:
        try:
            assert holder.stdout is not None
            if holder.stdout.readline() != b"ready\n":
                raise RuntimeError("expected a system on which `unshare --user --mount` may mount a tmpfs")
            yield holder
        finally:
            holder.kill()


@attack(
    "full disk", "readiness stayed at 200, and the server did not start again although its secret existed", own=True
)
def full_disk(target: Target) -> Finding:
    """The disk of a server of its own is filled in the middle of a match, and the server is started again."""
    with tempfile.TemporaryDirectory() as folder, _small_disk(folder) as holder:
        within = ("nsenter", "--target", str(holder.pid), "--user", "--mount", sys.executable, "-m", "ludex")
        with serving(program=within, LUDEX_DATA=folder) as server:
            own = Target.of(server.address, server)
            ready(own, "tictactoe")
            match, cookie = own.begin(own.visitor, "tictactoe", "you", "you")
            with suppress(OSError), Path(f"/proc/{holder.pid}/root{folder}/rest").open("wb", buffering=0) as rest:
                while rest.write(bytes(BLOCK_BYTES)):
                    pass
            state = own.ask(own.visitor, "GET", "/api/health/ready").status
        with serving(program=within, LUDEX_DATA=folder) as server:
            own = Target.of(server.address, server)
            opened = own.ask(own.visitor, "GET", f"/api/matches/{match['id']}", cookie=cookie)
    text = f"readiness is answered with {state}; after a restart the match is opened with {opened.status}"
    return Finding(state == SERVICE_UNAVAILABLE and opened.status == OK and opened.document == match, text)


@attack("aliases", "a configuration of 306 bytes of YAML aliases took a minute and 1 GiB")
def aliases(target: Target) -> Finding:
    """Lists of aliases of lists of aliases, as the configuration of a training on the command line."""
    lines = ["a: &a [x]", *(f"{b}: &{b} [{', '.join(9 * [f'*{a}'])}]" for a, b in pairwise("abcdefgh"))]
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "bomb.yaml"
        file.write_text("\n".join(lines))
        command = [sys.executable, "-m", "ludex", "train", "tictactoe", "--config", str(file)]
        ended = subprocess.run(command, capture_output=True, text=True, check=False)
    refused = "aliases, each of one value" in ended.stderr and "Traceback" not in ended.stderr
    return Finding(refused, f"{'refused' if refused else 'accepted'} with exit code {ended.returncode}")


@attack("damaged progress", "`progress.json` with a wrong type made `/api/jobs` fail for everybody", own=True)
def damaged_progress(target: Target) -> Finding:
    """The progress of a finished job is overwritten, and the list of jobs is read."""
    assert target.serving is not None
    body = {"kind": "duel", "game": "tictactoe", "agents": ["random", "random"], "games": 2}
    bearer = {"Authorization": f"Bearer {ADMIN_TOKEN}"}
    job = target.ask(target.visitor, "POST", "/api/jobs", body, **bearer).document["id"]
    deadline = time.monotonic() + target.patience
    while target.ask(target.visitor, "GET", f"/api/jobs/{job}").document["state"] in ("queued", "running"):
        if time.monotonic() > deadline:
            raise RuntimeError("the job did not end")
        time.sleep(1.0)
    progress = target.serving.data.parent / "jobs" / job / "progress.json"
    progress.write_text('{"done": "many", "total": []}')
    answer = target.ask(target.visitor, "GET", "/api/jobs")
    progress.unlink()
    return Finding(answer.status == OK, f"the list of jobs is answered with {answer.status}")
