"""The types are right: mypy believes the module and the examples, and stubtest finds the compiled part as it is told."""
import os
import subprocess
import sys

import pytest

from common import BUILD, SOURCE

pytest.importorskip("mypy")
PACKAGE = BUILD / "python"


def mypy(tmp_path, *arguments, module="mypy"):
    environment = {**os.environ, "MYPYPATH": str(PACKAGE), "PYTHONPATH": str(PACKAGE)}
    cache = ["--cache-dir", str(tmp_path / "cache"), "--strict"] if module == "mypy" else []
    return subprocess.run([sys.executable, "-m", module, *cache, *map(str, arguments)], capture_output=True, text=True,
                          env=environment, cwd=PACKAGE if module == "mypy" else tmp_path, check=False)


def test_module_and_examples_are_strictly_typed(tmp_path):
    checked = mypy(tmp_path, "-p", "carom")
    assert checked.returncode == 0, checked.stdout
    for example in sorted((SOURCE / "examples").glob("*.py")):
        checked = mypy(tmp_path, example)
        assert checked.returncode == 0, checked.stdout


def test_wrong_types_are_found(tmp_path):
    (tmp_path / "wrong.py").write_text(
        "import carom\n"
        "impact = carom.planar([[1, 0], [0, 1]], [0, -1], friction='much', restitution=1)\n"  # 2
        "impact.impulze\n"  # 3
        "impact.energy.before + 'J'\n"  # 4
        "carom.spatial_batch([[1]], [0, 0, -1], 0.1)\n"  # 5
        "carom.run('superball').facts.lower()\n")  # 6
    checked = mypy(tmp_path, tmp_path / "wrong.py")
    assert checked.returncode == 1
    found = {int(line.split(":")[1]) for line in checked.stdout.splitlines() if ": error:" in line}
    assert found == {2, 3, 4, 5, 6}, checked.stdout


def test_the_compiled_part_is_as_its_stub_says(tmp_path):
    checked = mypy(tmp_path, "carom", "--allowlist", SOURCE / "tests/python/stubtest_allowlist.txt",
                   "--ignore-unused-allowlist", module="mypy.stubtest")
    assert checked.returncode == 0, checked.stdout
