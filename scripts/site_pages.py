"""The documentation site's hooks: pages that lie outside docs/, and links that lead out of it.

A link to a page of the repository leads to that page of the site, one to a document (JSON, notebook, sample of a
configuration) to a copy of it, and one to source code becomes the path of the code, because the site does not know
where the repository is published.
"""

import posixpath
import re
from pathlib import Path
from typing import Any, Final

ROOT: Final = Path(__file__).parents[1]
ROOT_PAGES: Final = ("ARCHITECTURE.md", "CHANGELOG.md", "CONTRIBUTING.md", "SECURITY.md")
CLASSICS: Final = "packages/classics/src/ludex_classics/*/README.md"
DOCUMENTS: Final = {
    *(".json", ".ipynb", ".svg", ".png", ""),
    *(".conf", ".example", ".service", ".sh", ".timer", ".txt", ".yaml"),
}
"""Suffixes of files that are copied into the site."""
LINK: Final = re.compile(r"(!?)\[((?:[^\[\]]|\[[^\]]*\])*)\]\(([^()\s]+)\)")
FILE: Final = re.compile(r"^<!-- file: (\S+) -->\n```(\w+)$", re.MULTILINE)
"""The file of a code block, in a comment before it; the site shows it as the title of the block."""
FENCE: Final = re.compile(r"^( *)(```|~~~)")


def pages() -> dict[str, str]:
    """The pages that lie outside docs/: the path in the repository and the path in the site."""
    sites = {name: name.lower() for name in ROOT_PAGES}
    for readme in [*sorted(ROOT.glob("src/ludex/games/*/README.md")), *sorted(ROOT.glob(CLASSICS))]:
        sites[readme.relative_to(ROOT).as_posix()] = f"games/{readme.parent.name}.md"
    return sites


def site_path(path: str) -> str | None:
    """The path in the site of a file of the repository; None if the site does not have it.

    >>> site_path("docs/web.md"), site_path("CHANGELOG.md"), site_path("src/ludex/core/game.py")
    ('web.md', 'changelog.md', None)
    """
    if path.startswith("docs/"):
        return path.removeprefix("docs/")
    if path == "README.md":
        return "index.md"
    if page := pages().get(path):
        return page
    return f"repository/{path}" if (ROOT / path).is_file() and Path(path).suffix in DOCUMENTS else None


def rewritten(markdown: str, source: str, page: str) -> str:
    """The text of a page whose links lead to pages of the site; `source` is its path in the repository."""

    def replaced(match: re.Match[str]) -> str:
        image, text, target = match.groups()
        path, _, anchor = target.partition("#")
        if not path or "://" in path or path.startswith("mailto:"):
            return match.group()
        repository = posixpath.normpath(posixpath.join(posixpath.dirname(source), path))
        if not (ROOT / repository).exists():
            raise ValueError(f"{source}: {target} leads to no file")
        page_path = site_path(repository)
        if page_path is None:
            return f"{text} (`{repository}`)" if repository not in text else text
        relative = posixpath.relpath(page_path, posixpath.dirname(page) or ".")
        return f"{image}[{text}]({relative}{'#' + anchor if anchor else ''})"

    lines, fence = [], ""
    for line in markdown.split("\n"):
        mark = FENCE.match(line)
        if mark is not None and fence in ("", mark.group(2)):
            fence = "" if fence else mark.group(2)
        lines.append(line if fence or mark else LINK.sub(replaced, line))
    return "\n".join(lines)


def on_config(config: Any) -> Any:
    """Fill the games into the navigation."""
    for entry in config.nav:
        if isinstance(entry, dict) and entry.get("Games") == []:
            entry["Games"] = [path for path in pages().values() if path.startswith("games/")]
    return config


def on_files(files: Any, config: Any) -> Any:
    """Add the pages outside docs/ and the documents that pages link to."""
    from mkdocs.structure.files import File

    sources = {**{f"docs/{file.src_uri}": file.src_uri for file in files.documentation_pages()}, **pages()}
    for path, page in pages().items():
        files.append(File.generated(config, page, abs_src_path=str(ROOT / path)))
    for path in sources:
        for _, _, target in LINK.findall((ROOT / path).read_text(encoding="utf-8")):
            linked = posixpath.normpath(posixpath.join(posixpath.dirname(path), target.partition("#")[0]))
            copy = site_path(linked)
            if copy is not None and copy.startswith("repository/") and files.get_file_from_path(copy) is None:
                files.append(File.generated(config, copy, abs_src_path=str(ROOT / linked)))
    return files


def on_page_markdown(markdown: str, page: Any, config: Any, files: Any) -> str:
    """Rewrite the links of a page, and show of which file a code block is."""
    source = {site: path for path, site in pages().items()}.get(page.file.src_uri, f"docs/{page.file.src_uri}")
    return FILE.sub(r'```\2 title="\1"', rewritten(markdown, source, page.file.src_uri))
