"""The examples: each Python one prints what its C++ twin prints, and the notebooks give the pages of docs/tutorials."""
import re
import subprocess
import sys
from xml.dom import minidom

import pytest

from common import BUILD, SOURCE

EXAMPLES = sorted((SOURCE / "examples").glob("[0-9]*.py"))
NOTEBOOKS = SOURCE / "examples/notebooks"


def test_examples_come_in_pairs():
    assert len(EXAMPLES) >= 11
    assert {path.stem for path in EXAMPLES} == {path.stem for path in (SOURCE / "examples").glob("[0-9]*.cpp")}


@pytest.mark.parametrize("example", EXAMPLES, ids=lambda path: path.stem)
def test_a_pair_prints_the_same(example):
    if "to_frame" in example.read_text().replace("(`carom.sweep(..).to_frame()`", ""):
        pytest.importorskip("pandas")
    twin = BUILD / "examples" / f"example_{example.stem}"
    if not twin.exists():
        pytest.skip(f"{twin.name} is not built")
    ours = subprocess.run([sys.executable, str(example)], capture_output=True, text=True, check=False)
    assert ours.returncode == 0, ours.stderr
    theirs = subprocess.run([str(twin)], capture_output=True, text=True, check=True)
    assert ours.stdout == theirs.stdout


def test_notebooks_give_the_pages():
    sys.path.insert(0, str(NOTEBOOKS))
    import render

    notebooks = sorted(NOTEBOOKS.glob("*.ipynb"))
    assert len(notebooks) == 4
    for notebook in notebooks:
        page, figures = render.rendered(notebook)
        assert (SOURCE / "docs/tutorials" / f"{notebook.stem}.md").read_text() == page, notebook.stem
        assert figures, "a tutorial has pictures"
        for name, svg in figures.items():
            minidom.parseString(svg)
            minidom.parseString((SOURCE / "docs/tutorials" / name).read_text())


def test_a_cell_that_fails_is_named(tmp_path):
    import json

    sys.path.insert(0, str(NOTEBOOKS))
    import render

    (tmp_path / "bad.ipynb").write_text(json.dumps({"cells": [{"cell_type": "code", "source": ["1 / 0"]}]}))
    with pytest.raises(RuntimeError, match="bad.ipynb, cell 1: division by zero"):
        render.rendered(tmp_path / "bad.ipynb")


def test_what_pages_say_is_so():
    """The lines of Python in the pages and the README run (those that need nothing from elsewhere)."""
    for page in ("README.md", "docs/python.md"):
        blocks = re.findall(r"```python\n(.*?)```", (SOURCE / page).read_text(), re.S)
        assert blocks, page
        namespace = {}
        for block in blocks:
            exec(compile(block, page, "exec"), namespace)
