"""The settings of a server: strict, and safe by default."""

from pathlib import Path

import pytest

from ludex.core.errors import BadOption
from ludex.web.settings import SECRETS, Settings, flag_of, settings_fields, variable_of

SECRET = "m9kq2xvt7rmz4wlc8npy3shd6fgj1eta"


def test_the_defaults_are_for_this_machine_alone() -> None:
    settings = Settings.read(environment={})
    assert (settings.host, settings.port, settings.loopback) == ("127.0.0.1", 8000, True)


def test_flags_win_over_variables() -> None:
    environment = {"LUDEX_PORT": "9000", "LUDEX_WORKERS": "3", "LUDEX_DB": "sqlite:///x.db", "HOME": "/root"}
    settings = Settings.read({"port": "9001", "workers": None}, environment)
    assert (settings.port, settings.workers, settings.database) == (9001, 3, "sqlite:///x.db")


@pytest.mark.parametrize(
    "field", [name for name in Settings.model_fields if name not in ("host", "origins", "agents_from")]
)
def test_every_setting_has_a_variable(field: str) -> None:
    value = {"secret": SECRET, "database": "sqlite://", "proxies": "10.0.0.1", "admin_token": SECRET}
    value["sockets_per_address"] = "200"
    value |= {
        "workers": "50",
        "jobs_at_once": "50",
        "job_niceness": "15",
        "job_workers": "50",
        "engines": "true",
        "network_agents": "true",
    }
    value["preload"] = "false"
    given = value.get(field, "5000")
    settings = Settings.read(environment={variable_of(field): given})
    setting = getattr(settings, field)
    assert str(setting.get_secret_value() if field in SECRETS else setting).lower() == given


@pytest.mark.parametrize(
    ("environment", "message"),
    [
        ({"LUDEX_PROT": "9000"}, "unknown variable LUDEX_PROT; known: LUDEX_ADMIN_TOKEN"),
        ({"LUDEX_PORT": "http"}, "key 'port'"),
        ({"LUDEX_PORT": "70000"}, "less than or equal to 65535, found '70000'"),
        ({"LUDEX_WORKERS": "0"}, "key 'workers'"),
        ({"LUDEX_ORIGINS": "play.example.org"}, "'play.example.org' is no origin"),
        ({"LUDEX_ORIGINS": "https://a.example, https://b.example/path"}, "'https://b.example/path' is no origin"),
        ({"LUDEX_ADMIN_TOKEN": "short"}, "a secret needs 128 bits, and this one has 13 at most"),
        ({"LUDEX_SECRET": "correct-horse-battery-staple-1"}, "a secret needs 128 bits, and this one has 68 at most"),
        (
            {"LUDEX_ADMIN_TOKEN": "MySuperSecretAdminPassword2026!"},
            "a secret needs 128 bits, and this one has 88 at most",
        ),
        ({"LUDEX_SECRET": "correcthorsebatterystaple"}, "a secret needs 128 bits, and this one has 65 at most"),
        ({"LUDEX_AGENTS_FROM": "json,no.such.package"}, "'no.such.package' is neither a file that ends in .py nor"),
        ({"LUDEX_AGENTS_FROM": "missing.py"}, "'missing.py' is neither a file that ends in .py nor"),
        ({"LUDEX_CONNECTIONS": "400", "LUDEX_SOCKETS": "301"}, "of 400 connections at most 300 may be WebSockets"),
        ({"LUDEX_SOCKETS_PER_ADDRESS": "257"}, "one address has 256 connections at most"),
    ],
)
def test_what_is_wrong_is_named(environment: dict[str, str], message: str) -> None:
    with pytest.raises(BadOption) as error:
        Settings.read(environment=environment)
    assert message in error.value.message


def test_an_unknown_flag_is_named() -> None:
    with pytest.raises(BadOption, match="unknown key 'prot'"):
        Settings.read({"prot": 1}, {})


@pytest.mark.parametrize("host", ["0.0.0.0", "::", "192.0.2.1", "play.example.org"])
def test_other_machines_need_a_secret(host: str) -> None:
    with pytest.raises(BadOption, match="set LUDEX_SECRET"):
        Settings.read({"host": host}, {})
    assert Settings.read({"host": host}, {"LUDEX_SECRET": SECRET}).host == host


@pytest.mark.parametrize("host", ["127.0.0.1", "127.1.2.3", "::1", "localhost"])
def test_this_machine_needs_none(host: str) -> None:
    assert Settings.read({"host": host}, {}).loopback


def test_a_short_secret_is_refused_and_not_repeated() -> None:
    with pytest.raises(BadOption, match="needs 128 bits") as error:
        Settings.read(environment={"LUDEX_SECRET": "hunter2"})
    assert "hunter2" not in error.value.message
    assert SECRET not in repr(Settings.read(environment={"LUDEX_SECRET": SECRET}))


def test_origins_come_apart_at_commas() -> None:
    settings = Settings.read(environment={"LUDEX_ORIGINS": "https://a.example, http://b.example:8080"})
    assert settings.origins == ("https://a.example", "http://b.example:8080")


def test_every_setting_is_in_the_manual() -> None:
    manual = (Path(__file__).parents[2] / "docs" / "serving.md").read_text()
    rows = []
    for name, field in settings_fields().items():
        flag = "" if name in SECRETS else f"`{flag_of(name)}`"
        default = "" if field.default in (None, (), "") else f"`{field.default}`"
        rows.append(f"| {flag} | `{variable_of(name)}` | {default} | {field.description} |")
    assert "\n".join(rows) in manual
