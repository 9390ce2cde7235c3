"""How much of the C++ batch's rate does the Python one reach?

    ./run python bench/python_bench.py build/release/bench/python_twin [rows]

The same million impacts (random bodies, friction and restitution) through `spatial_outcomes` and `carom.spatial_batch`,
in turns, on 1 and 2 threads: the best of each by the clock (for a machine that does nothing else) and by processor time.
"""
import subprocess
import sys
import tempfile
import time

import numpy as np

import carom

ROUNDS = 5


def main() -> None:
    twin, rows = sys.argv[1], int(sys.argv[2]) if len(sys.argv) > 2 else 1_000_000
    rng = np.random.default_rng(1)
    roots = rng.normal(size=(rows, 3, 3))
    W = roots @ np.swapaxes(roots, 1, 2) + 0.3 * np.eye(3)
    v = rng.normal(size=(rows, 3))
    v[:, 2] = -np.abs(v[:, 2])
    friction, restitution = rng.uniform(0, 1, rows), rng.uniform(0, 1, rows)
    with tempfile.NamedTemporaryFile() as file:
        for array in (W, v, friction, restitution):
            array.tofile(file)
        file.flush()
        out = carom.spatial_batch(W, v, friction, restitution)
        for threads in (1, 2):
            ours, theirs = [], []
            for _ in range(ROUNDS):
                told = subprocess.run(
                    [twin, file.name, str(rows), str(threads), "2"], capture_output=True, text=True, check=True
                )
                theirs += [[float(each) for each in line.split()] for line in told.stdout.splitlines()]
                for _ in range(2):
                    start, worked = time.perf_counter(), time.process_time()
                    carom.spatial_batch(W, v, friction, restitution, threads=threads, out=out)
                    ours.append([time.perf_counter() - start, time.process_time() - worked])
            for name, theirs_best, ours_best in zip(
                ("clock", "processor"), np.min(theirs, axis=0), np.min(ours, axis=0)
            ):
                print(
                    f"{threads} thread(s) by {name:9}: C++ {rows / theirs_best:10,.0f} impacts/s, "
                    f"Python {rows / ours_best:10,.0f}: {100 * theirs_best / ours_best:.1f} %"
                )


if __name__ == "__main__":
    main()
