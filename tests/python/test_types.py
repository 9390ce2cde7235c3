"""The types are right: mypy believes the module and the examples, and the compiled part is as its stub says."""
import os
import shutil
import subprocess
import sys

import pytest

from common import BUILD, SOURCE

pytest.importorskip("mypy")
PACKAGE = BUILD / "python"


@pytest.fixture(scope="module")
def cache(tmp_path_factory):
    return tmp_path_factory.mktemp("cache")


def mypy(tmp_path, cache, *arguments, module="mypy"):
    environment = {**os.environ, "MYPYPATH": str(PACKAGE), "PYTHONPATH": str(PACKAGE)}
    cache = ["--cache-dir", str(cache), "--strict"] if module == "mypy" else []
    return subprocess.run(
        [sys.executable, "-m", module, *cache, *map(str, arguments)],
        capture_output=True,
        text=True,
        env=environment,
        cwd=PACKAGE if module == "mypy" else tmp_path,
        check=False,
    )


def test_module_and_examples_are_strictly_typed(tmp_path, cache):
    checked = mypy(tmp_path, cache, "-p", "carom")
    assert checked.returncode == 0, checked.stdout
    examples = list((SOURCE / "examples").glob("*.py"))
    for example in examples:  # modules cannot begin with a number: all at once by other names
        shutil.copy(example, tmp_path / f"example_{example.name}")
    checked = mypy(tmp_path, cache, *tmp_path.glob("*.py"))
    assert checked.returncode == 0 and f"{len(examples)} source files" in checked.stdout, checked.stdout


def test_wrong_types_are_found(tmp_path, cache):
    (tmp_path / "wrong.py").write_text(
        "import carom\n"
        "impact = carom.planar([[1, 0], [0, 1]], [0, -1], friction='much', restitution=1)\n"  # 2
        "impact.impulze\n"  # 3
        "impact.energy.before + 'J'\n"  # 4
        "carom.spatial_batch([[1]], [0, 0, -1], 0.1)\n"  # 5
        "carom.run('superball').facts.lower()\n"
    )  # 6
    checked = mypy(tmp_path, cache, tmp_path / "wrong.py")
    assert checked.returncode == 1
    found = {int(line.split(":")[1]) for line in checked.stdout.splitlines() if ": error:" in line}
    assert found == {2, 3, 4, 5, 6}, checked.stdout


def test_the_compiled_part_is_as_its_stub_says(tmp_path, cache):
    checked = mypy(
        tmp_path,
        cache,
        "carom",
        "--allowlist",
        SOURCE / "tests/python/stubtest_allowlist.txt",
        "--ignore-unused-allowlist",
        module="mypy.stubtest",
    )
    assert checked.returncode == 0, checked.stdout
