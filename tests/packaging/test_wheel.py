"""What is built is what is installed: the wheel alone, in an environment of its own, plays."""

import json
import os
import signal
import subprocess
import sys
import tarfile
import venv
import zipfile
from pathlib import Path

import httpx
import numpy as np
import pytest

ROOT = Path(__file__).parents[2]


def build(source: Path, kind: str, folder: Path) -> Path:
    subprocess.run(
        [sys.executable, "-m", "hatchling", "build", "-t", kind, "-d", str(folder)],
        cwd=source,
        check=True,
        capture_output=True,
    )
    (archive,) = folder.iterdir()
    return archive


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return build(ROOT, "wheel", tmp_path_factory.mktemp("wheel"))


@pytest.fixture(scope="module")
def ludex(wheel: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The command of a new environment that holds the wheel; its dependencies are lent by this one."""
    home = tmp_path_factory.mktemp("environment")
    venv.create(home, with_pip=False)
    python = home / "bin" / "python"
    command = [sys.executable, "-m", "pip", "--python", str(python), "install", "--quiet", "--no-deps", "--no-index"]
    subprocess.run([*command, "--disable-pip-version-check", str(wheel)], check=True)
    (site,) = home.glob("lib/python*/site-packages")
    # A folder named in a .pth file is searched, but the .pth files in it are not read: no editable Ludex comes along.
    (site / "dependencies.pth").write_text(str(Path(np.__file__).parents[1]) + "\n")
    return home / "bin" / "ludex"


def run_program(program: Path, folder: Path, *arguments: str) -> str:
    environment = {key: value for key, value in os.environ.items() if key != "PYTHONPATH"}
    command = [str(program), *arguments]
    result = subprocess.run(command, env=environment, cwd=folder, capture_output=True, text=True, check=False)
    assert result.returncode == 0, result.stderr
    return result.stdout


def test_the_wheel_alone_plays(ludex: Path, tmp_path: Path) -> None:
    shipped = (
        "import ludex; from ludex.core import registry, web_files; games, _ = registry.available()\n"
        "print(ludex.__file__, *map(web_files.web_folder, games), *(game.id for game in games), sep='\\n')"
    )
    package, *lines = run_program(ludex.with_name("python"), tmp_path, "-c", shipped).splitlines()
    assert Path(package).is_relative_to(ludex.parents[1])
    assert [Path(line).is_dir() for line in lines[:4]] == [True] * 4
    assert {*lines[4:]} == {"tictactoe", "quoridor", "minesweeper", "skirmish"}
    report = json.loads(
        run_program(ludex, tmp_path, "match", "tictactoe", "--agents", "ranking,random", "--games", "4", "--json")
    )
    assert (report["games"], report["wins"][1]) == (4, 0)


def test_the_wheel_alone_serves(ludex: Path, tmp_path: Path) -> None:
    environment = {key: value for key, value in os.environ.items() if key != "PYTHONPATH"}
    command = [str(ludex), "serve", "--port", "0", "--workers", "1"]
    with subprocess.Popen(command, env=environment, cwd=tmp_path, stdout=subprocess.PIPE, text=True) as server:
        assert server.stdout is not None
        try:
            address = server.stdout.readline().removeprefix("Ludex plays at ").partition(";")[0]
            with httpx.Client(base_url=address, verify=False, timeout=60) as visitor:
                assert visitor.get("/api/health").json()["status"] == "ok"
                assert visitor.get("/").text.startswith("<!doctype html>")
                seats = {"game": "tictactoe", "seats": ["you", "you"]}
                while (answer := visitor.post("/api/matches", json=seats)).json().get("code") == "preparing":
                    continue
                match = answer.raise_for_status().json()
                body = {"version": match["version"], "text": "b2"}
                assert visitor.post(f"/api/matches/{match['id']}/moves", json=body).json()["plies"] == 1
        finally:
            server.send_signal(signal.SIGINT)
    assert server.returncode == 0


def test_the_wheel_has_every_file_of_the_package(wheel: Path) -> None:
    names = {name for name in zipfile.ZipFile(wheel).namelist() if name.startswith("ludex/")}
    result = subprocess.run(["git", "ls-files", "src/ludex"], cwd=ROOT, check=True, capture_output=True, text=True)
    assert names == {name.removeprefix("src/") for name in result.stdout.split()}


@pytest.mark.full
def test_the_source_distribution_builds_the_same_wheel(wheel: Path, tmp_path: Path) -> None:
    archive = build(ROOT, "sdist", tmp_path)
    with tarfile.open(archive) as packed:
        packed.extractall(tmp_path / "source", filter="data")
    (source,) = (tmp_path / "source").iterdir()
    again = build(source, "wheel", tmp_path / "wheel")
    first, second = (zipfile.ZipFile(path) for path in (wheel, again))
    assert sorted(first.namelist()) == sorted(second.namelist())
    assert all(first.read(name) == second.read(name) for name in first.namelist())
