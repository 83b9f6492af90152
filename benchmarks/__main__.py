"""Every figure of the README and the docs, by one command.

python -m benchmarks run                          measure everything beside its peers, then write the tables
python -m benchmarks run --brief --into FOLDER    try it out in minutes; the figures say nothing
python -m benchmarks run --only quoridor,skirmish
python -m benchmarks page                         only write docs/benchmarks.md, its charts and the tables
"""

import argparse
import sys
from pathlib import Path

from benchmarks import page
from benchmarks.documents import RESULTS, add_into
from benchmarks.plan import ELSEWHERE, MEASUREMENTS, Measurement, measured


def main() -> int:
    """Run the command; 1 if something could not be measured."""
    parser = argparse.ArgumentParser(
        prog="python -m benchmarks", description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    verbs = parser.add_subparsers(dest="verb", required=True)
    run = verbs.add_parser("run", help="measure")
    run.add_argument("--only", default="", help="documents to measure, comma-separated; everything if not given")
    run.add_argument("--brief", action="store_true", help="only show that everything works; needs --into")
    run.add_argument("--jax-python", default=sys.executable, help="the Python that has JAX and its environments")
    add_into(run)
    verbs.add_parser("page", help="write the page, its charts and the tables from the results")
    args = parser.parse_args()
    if args.verb == "page":
        page.write_all()
        return 0
    known = {measurement.name: measurement for measurement in MEASUREMENTS}
    names = [name for name in args.only.split(",") if name] or list(known)
    if strange := [name for name in names if name not in known]:
        parser.error(f"unknown document {strange[0]!r}; known: {', '.join(known)}")
    is_official = args.into.resolve() == RESULTS.resolve()
    if args.brief and is_official:
        parser.error("--brief would write figures that say nothing over the kept ones: name another folder by --into")
    return _run([known[name] for name in names], args.into, args.brief, args.jax_python, is_official)


def _run(wanted: list[Measurement], into: Path, brief: bool, jax_python: str, is_official: bool) -> int:
    failed = 0
    for done in measured(wanted, into, brief=brief, jax_python=jax_python):
        failed += done.error is not None
        print(f"{done.name:24} {done.seconds:8.1f} s  {done.error or 'done'}", flush=True)
    for name, where in ELSEWHERE.items():
        print(f"{name:24} {'':8}    left alone: {where}")
    if is_official:
        page.write_all()
    return int(failed > 0)


if __name__ == "__main__":
    sys.exit(main())
