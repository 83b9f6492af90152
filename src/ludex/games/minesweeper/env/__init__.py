"""Boards for learning: lanes side by side, and the original document's and Gymnasium's environments over them."""
