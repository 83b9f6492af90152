"""Writes a lock: every package that an installation needs, with the SHA-256 of the file that pip chose for it.

    python scripts/lock.py deploy/requirements.lock '.[postgres]'

pip resolves under `constraints.txt` and installs nothing; `pip install --require-hashes -r LOCK` then takes these files
and no others. A lock is of the Python and the platform that made it. The project itself is not part of it.
"""

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

ROOT = Path(__file__).parent.parent
RESOLVE = ("-m", "pip", "install", "--dry-run", "--ignore-installed", "--quiet", "--report", "-")


def resolve(requirements: list[str]) -> dict[str, Any]:
    """pip's report of what it would install."""
    command = [sys.executable, *RESOLVE, "--constraint", "constraints.txt", *requirements]
    result = subprocess.run(command, cwd=ROOT, stdout=subprocess.PIPE, text=True, check=True)
    report: dict[str, Any] = json.loads(result.stdout)
    return report


def lock_text(report: dict[str, Any]) -> str:
    """The lock of a report, a package per line; `SystemExit` names one without a hash."""
    lines = []
    for entry in report["install"]:
        name, version, source = entry["metadata"]["name"], entry["metadata"]["version"], entry["download_info"]
        if "dir_info" in source:
            # The project itself, from its folder.
            continue
        digest = source.get("archive_info", {}).get("hashes", {}).get("sha256")
        if digest is None:
            raise SystemExit(f"{name}=={version}: pip reports no SHA-256 of its file")
        lines.append(f"{name}=={version} --hash=sha256:{digest}\n")
    return "".join(sorted(lines, key=str.lower))


def main() -> None:
    """Write the lock that the command line names."""
    if len(sys.argv) < 3:
        raise SystemExit(f"{Path(sys.argv[0]).name}: expected LOCK REQUIREMENT...")
    Path(sys.argv[1]).write_text(lock_text(resolve(sys.argv[2:])), encoding="utf-8")


if __name__ == "__main__":
    main()
