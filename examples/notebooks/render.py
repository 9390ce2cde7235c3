"""Runs the notebooks of this folder and writes each as a page with its figures into docs/tutorials.

    ./run python examples/notebooks/render.py             writes them
    ./run python examples/notebooks/render.py --check     says whether what is there is what they give

A notebook is run as Jupyter would: cells in order in one namespace, what is printed and the value of the last line
shown. Pictures are carom's own SVG, so that nothing but carom and numpy is needed.
"""
from __future__ import annotations

import ast
import contextlib
import io
import json
import sys
from pathlib import Path
from typing import Any, Dict, List, Tuple

HERE = Path(__file__).resolve().parent
PAGES = HERE.parents[1] / "docs" / "tutorials"


def run_cell(source: str, namespace: Dict[str, Any], name: str) -> Tuple[str, Any]:
    """What a cell prints, and the value of its last line."""
    tree = ast.parse(source, name)
    last = None
    if tree.body and isinstance(tree.body[-1], ast.Expr) and not source.rstrip().endswith(";"):
        last = ast.Expression(tree.body.pop().value)  # type: ignore[attr-defined]
    printed = io.StringIO()
    with contextlib.redirect_stdout(printed):
        exec(compile(tree, name, "exec"), namespace)
        value = None if last is None else eval(compile(last, name, "eval"), namespace)
    return printed.getvalue(), value


def rendered(notebook: Path) -> Tuple[str, Dict[str, str]]:
    """A notebook as Markdown, and its figures by file name."""
    cells: List[Dict[str, Any]] = json.loads(notebook.read_text(encoding="utf-8"))["cells"]
    namespace: Dict[str, Any] = {"__name__": "__main__"}
    figures: Dict[str, str] = {}
    parts: List[str] = []
    for number, cell in enumerate(cells, 1):
        source = "".join(cell["source"])
        if cell["cell_type"] == "markdown":
            parts.append(source)
            continue
        try:
            printed, value = run_cell(source, namespace, f"{notebook.name}, cell {number}")
        except Exception as error:
            raise RuntimeError(f"{notebook.name}, cell {number}: {error}") from error
        parts.append(f"```python\n{source}\n```")
        if value is not None and hasattr(value, "_repr_svg_"):
            file = f"{notebook.stem}_{len(figures) + 1}.svg"
            figures[file] = value._repr_svg_()
            parts.append(f"![{value.title}]({file})")
            value = None
        text = printed + ("" if value is None else repr(value))
        if text.strip():
            parts.append("```\n" + text.rstrip() + "\n```")
    parts.append(f"*This page is the notebook [{notebook.name}](../../examples/notebooks/{notebook.name}), run.*")
    return "\n\n".join(parts) + "\n", figures


def main(check: bool) -> int:
    stale = []
    for notebook in sorted(HERE.glob("*.ipynb")):
        page, figures = rendered(notebook)
        for file, text in {f"{notebook.stem}.md": page, **figures}.items():
            target = PAGES / file
            if check:
                if not target.exists() or target.read_text(encoding="utf-8") != text:
                    stale.append(file)
            else:
                target.write_text(text, encoding="utf-8")
    if stale:
        print(
            f"not what the notebooks give: {', '.join(stale)}; `./run python examples/notebooks/render.py` writes them"
        )
    return 1 if stale else 0


if __name__ == "__main__":
    sys.exit(main("--check" in sys.argv[1:]))
