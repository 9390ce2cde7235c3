"""Builds the compiled part of the Python module with CMake; everything else is in pyproject.toml.

CAROM_BUILD names a folder that CMake has configured already (build/release, say): what is built there is used.
"""
import os
import re
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

from setuptools import Extension, setup
from setuptools.command.build_ext import build_ext

SOURCE = Path(__file__).resolve().parent


def cmake(*arguments: object) -> None:
    subprocess.run(["cmake", *map(str, arguments)], check=True)


class WithCMake(build_ext):
    def run(self) -> None:
        given = os.environ.get("CAROM_BUILD")
        build = Path(given).resolve() if given else SOURCE / "build" / "wheel"
        if not given:
            options = ["-DCMAKE_BUILD_TYPE=Release", "-DCAROM_PYTHON=ON", f"-DPython_EXECUTABLE={sys.executable}"]
            options += [f"-DCAROM_{part}=OFF" for part in ("TESTS", "BENCHMARKS", "PROGRAM", "WARNINGS_AS_ERRORS")]
            if shutil.which("ninja"):
                options += ["-G", "Ninja"]
            cmake("-S", SOURCE, "-B", build, *options)
        cmake("--build", build, "--target", "carom_python_package")
        package = Path(self.build_lib) / "carom"
        package.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryDirectory() as prefix:
            cmake("--install", build, "--prefix", prefix, "--component", "python", "--strip")
            (installed,) = Path(prefix).rglob("_rows.py")
            shutil.copytree(installed.parent, package, dirs_exist_ok=True)

    def get_outputs(self):  # what `pip install` notes down is what stands in the folder
        return [str(file) for file in (Path(self.build_lib) / "carom").rglob("*") if file.is_file()]


version = re.search(r"^project\(carom VERSION ([0-9.]+)", (SOURCE / "CMakeLists.txt").read_text(), re.M)
setup(version=version.group(1), ext_modules=[Extension("carom._core", sources=[])], cmdclass={"build_ext": WithCMake})
