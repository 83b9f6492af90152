"""Where a scenario's files lie."""

from dataclasses import dataclass
from importlib.resources import files
from pathlib import Path

from ludex.games.skirmish.errors import BadScenario

PACKAGE = "ludex.games.skirmish.scenarios"
SCENARIO = "scenario.json"
CONFIG = "config"


@dataclass(frozen=True)
class Folder:
    """A scenario's folder. Those that ship share a config folder for what they do not have themselves."""

    path: Path
    shared: Path | None

    @property
    def scenario(self) -> Path:
        return self.path / SCENARIO

    def config(self, name: str) -> Path:
        """Where a file of the config folder lies; if it is missing, where it should."""
        return next((path for path in self._config(name) if path.is_file()), self._config(name)[0])

    def deployments(self) -> list[str]:
        """The names of the deployments there are."""
        return sorted({file.stem for path in self._config("deployment") for file in path.glob("*.json")})

    def _config(self, name: str) -> list[Path]:
        parents = [self.path / CONFIG] + ([] if self.shared is None else [self.shared])
        return [parent / name for parent in parents]


def scenario_names() -> list[str]:
    """The scenarios that ship."""
    return sorted(path.parent.name for path in _shipped().glob(f"*/{SCENARIO}"))


def find_folder(name_or_path: str | Path) -> Folder:
    """The folder of a scenario that ships, by its name, or any other by its path."""
    if isinstance(name_or_path, str) and name_or_path in scenario_names():
        return Folder(_shipped() / name_or_path, _shipped() / CONFIG)
    path = Path(name_or_path)
    if not path.is_dir():
        raise BadScenario(
            f"unknown scenario {str(name_or_path)!r}; expected {', '.join(scenario_names())}, or a path to a folder"
        )
    return Folder(path, None)


def _shipped() -> Path:
    return Path(str(files(PACKAGE)))
