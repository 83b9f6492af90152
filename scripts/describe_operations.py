"""Write src/ludex/operations/description.json, the options of every operation, from their models."""

import json
from dataclasses import asdict
from pathlib import Path

import ludex.operations
from ludex.core.registry import resolve
from ludex.operations.description import DOCUMENT, OPERATIONS

PAGE = Path(ludex.operations.__file__).parent / DOCUMENT


def document() -> str:
    """The whole file, one line per option."""
    operations = []
    for name, reference in OPERATIONS.items():
        described = asdict(resolve(reference).describe())
        fields = ",\n".join(f"  {json.dumps(field, ensure_ascii=False)}" for field in described.pop("fields"))
        head = json.dumps(described, ensure_ascii=False).removesuffix("}")
        operations.append(f'"{name}": {head}, "fields": [\n{fields}\n]}}')
    return "{\n" + ",\n".join(operations) + "\n}\n"


if __name__ == "__main__":
    PAGE.write_text(document(), encoding="utf-8")
