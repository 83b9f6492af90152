"""Which boards have a network of the agent `zero`. It loads neither NumPy nor a network."""

from importlib.resources import files

from ludex.core.spec import GameSpec


def net_name(game: str, preset: str) -> str:
    """The file of a board's network among those that ship."""
    return f"zero-{game}-{preset}.onnx"


def shipped_presets(spec: GameSpec) -> tuple[str, ...]:
    """The presets of a game whose network ships, in `LearningSpec.nets`."""
    if spec.learning.nets is None:
        return ()
    folder = files(spec.learning.nets)
    return tuple(preset for preset in spec.presets if folder.joinpath(net_name(spec.id, preset)).is_file())
