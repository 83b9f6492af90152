"""Trained networks of these games: zero-GAME-PRESET.onnx, each with its card in JSON."""
