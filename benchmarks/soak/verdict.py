"""Whether a soak found the server sound."""

from typing import Any


def verdict(document: dict[str, Any]) -> list[str]:
    """What is wrong, in words; nothing if all is well."""
    complaints = [f"{count} x {kind}" for kind, count in document["errors"].items()]
    for part in ("server", "workers"):
        grown = document["memory"][part]["growth"]
        if grown is None:
            complaints.append(f"too few samples of the {part}'s memory: play longer")
        elif grown > document["most_growth"]:
            complaints.append(f"memory of the {part} grew by {grown:.1%}, at most {document['most_growth']:.1%} may be")
    if not document["games_finished"]:
        complaints.append("not one match was finished")
    return complaints
