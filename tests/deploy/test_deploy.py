"""What `deploy/` names exists: settings, commands, files. Formats are linted by hand (docs/deploy.md)."""

import re
import shlex
from pathlib import Path
from secrets import token_hex
from typing import Any

import pytest
import yaml

from ludex.web.routes.health import router
from ludex.web.settings import _OTHERS, Settings, variable_of
from tests.cli.parsing import assert_parses

DEPLOY = Path(__file__).parents[2] / "deploy"
ROOT = DEPLOY.parent
SECRET = token_hex(32)
LOCKS = ("deploy/build.lock", "deploy/requirements.lock")
FILES = sorted(path for path in DEPLOY.iterdir() if path.is_file())


@pytest.fixture(scope="module")
def compose() -> dict[str, Any]:
    document = yaml.safe_load((DEPLOY / "compose.yaml").read_text())
    assert isinstance(document, dict)
    return document


def unit(name: str) -> dict[str, str]:
    """The values of a unit by key; those of a key that is given more than once are joined."""
    values: dict[str, list[str]] = {}
    for line in (DEPLOY / name).read_text().splitlines():
        key, separator, value = line.partition("=")
        if separator and not line.startswith("#"):
            values.setdefault(key, []).append(value)
    return {key: " ".join(words) for key, words in values.items()}


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.name)
def test_every_setting_exists(path: Path) -> None:
    known = {variable_of(name) for name in Settings.model_fields} | _OTHERS
    named = set(re.findall(r"LUDEX_[A-Z_]+", path.read_text()))
    assert named <= known, named - known


def test_compose_starts_what_it_names(compose: dict[str, Any]) -> None:
    services = compose["services"]
    assert set(services) == {"database", "ludex", "proxy"}
    build = services["ludex"]["build"]
    assert (DEPLOY / build["context"] / build["dockerfile"]).is_file()
    for name, service in services.items():
        for depended, how in service.get("depends_on", {}).items():
            assert how == {"condition": "service_healthy"}
            image = (DEPLOY / "Dockerfile").read_text() if depended == "ludex" else ""
            assert "healthcheck" in services[depended] or "\nHEALTHCHECK" in image
        assert set(service["networks"]) <= set(compose["networks"]), name
        assert service["logging"]["options"]["max-file"], name
        for volume in service["volumes"]:
            source = volume.partition(":")[0]
            assert source in compose["volumes"] or source == "./backups" or (DEPLOY / source).is_file(), source
    (network,) = compose["networks"]["inner"]["ipam"]["config"]
    assert services["ludex"]["environment"]["LUDEX_PROXIES"] == network["subnet"]


def test_compose_is_filled_by_the_sample_of_variables(compose: dict[str, Any]) -> None:
    text = (DEPLOY / "compose.yaml").read_text()
    used = set(re.findall(r"\$\{(\w+)", text))
    offered = set(re.findall(r"^(\w+)=", (DEPLOY / "compose.env.example").read_text(), re.MULTILINE))
    assert used == offered
    environment = compose["services"]["ludex"]["environment"]
    filled = {
        name: re.sub(
            r"\$\{SITE[^}]*\}", "play.example.org", re.sub(r"\$\{(?!SITE)\w+(?::-(\w*))?[^}]*\}", r"\1", value)
        )
        for name, value in environment.items()
    }
    read = Settings.read({}, {**filled, "LUDEX_SECRET": SECRET})
    assert (read.workers, read.origins) == (2, ("https://play.example.org",))


def test_the_image_runs_as_nobody_and_is_watched() -> None:
    lines = (DEPLOY / "Dockerfile").read_text()
    stages = lines.split("\nFROM ")
    (user,) = re.findall(r"^USER (\d+)$", stages[-1], re.MULTILINE)
    assert int(user) > 0
    assert stages[-1].index("USER") < stages[-1].index("RUN ludex warmup") < stages[-1].index("\nCMD")
    (path,) = re.findall(r"http://127\.0\.0\.1:8000(/[\w/]+)", lines)
    assert path in {route.path for route in router.routes}  # type: ignore[attr-defined]
    for copied in re.findall(r"^COPY (?!--from)(.*) \S+$", lines, re.MULTILINE):
        for name in copied.split():
            # Locks are made by `make lock`, for the platform of the image.
            assert (ROOT / name).exists() or name in LOCKS, name
            assert f"!{name}" in (DEPLOY / "Dockerfile.dockerignore").read_text(), name
    (started,) = re.findall(r"^CMD \[(.*)\]$", stages[-1], re.MULTILINE)
    program, *arguments = [part.strip().strip('"') for part in started.split(",")]
    assert program == "ludex"
    assert_parses(arguments)


def test_what_the_image_installs_has_hashes() -> None:
    dockerfile, makefile = (DEPLOY / "Dockerfile").read_text(), (ROOT / "Makefile").read_text()
    installs = re.findall(r"pip install ([^\\&\n]*)", dockerfile)
    assert len(installs) == 3
    assert all("--require-hashes" in install or "--no-index" in install for install in installs)
    assert all(f"scripts/lock.py {lock}" in makefile for lock in LOCKS)


def test_actions_are_pinned_by_commits() -> None:
    used = [use for path in (ROOT / ".github").rglob("*.yml") for use in re.findall(r"uses: (.*)", path.read_text())]
    assert used
    assert [use for use in used if not re.fullmatch(r"[\w./-]+@[0-9a-f]{40} # v[\d.]+", use)] == []


@pytest.mark.parametrize("name", ["ludex.service", "ludex-backup.service"])
def test_units_start_commands_that_exist(name: str) -> None:
    options = unit(name)
    assert options["User"] == "ludex"
    assert (DEPLOY / f"{Path(options['EnvironmentFile']).name}.example").is_file()
    started = shlex.split(options["ExecStart"])
    if started[0] == "/bin/sh":
        started = started[2].removeprefix("exec ").replace("$$(date +%%F)", "today").split()
    assert started[0] == "/opt/ludex/bin/ludex"
    assert_parses(started[1:])


def test_the_samples_of_variables_make_a_server() -> None:
    lines = (DEPLOY / "ludex.env.example").read_text().splitlines()
    values = dict(line.split("=", 1) for line in lines if line and not line.startswith("#"))
    read = Settings.read({}, {**values, "LUDEX_SECRET": SECRET, "LUDEX_ADMIN_TOKEN": SECRET})
    assert (read.loopback, read.proxies) == (True, "127.0.0.1,::1")


@pytest.mark.parametrize("name", ["nginx.conf", "Caddyfile"])
def test_proxies_pass_everything_on(name: str) -> None:
    text = (DEPLOY / name).read_text()
    assert text.count("{") == text.count("}")
    assert "127.0.0.1:8000" in text
    if name == "nginx.conf":
        for header in ("Upgrade", "X-Forwarded-For", "X-Forwarded-Proto", "Host"):
            assert re.search(rf"proxy_set_header {header} +\$", text), header
        assert f"client_max_body_size {Settings().body_bytes // 1024**2}m;" in text
