"""Trained networks that ship: NAME.onnx or NAME.npz, and NAME.json, the card that says where it comes from."""
