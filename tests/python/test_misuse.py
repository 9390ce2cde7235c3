"""What nobody should do, and somebody will: ends of processes, exits in the middle, leaks."""
import ctypes
import gc
import multiprocessing
import os
import subprocess
import sys
import textwrap

import numpy as np
import pytest

import carom
from common import ROWS, random_contacts


def script(text, timeout=60):
    return subprocess.run(
        [sys.executable, "-c", textwrap.dedent(text)], capture_output=True, text=True, timeout=timeout, check=False
    )


SETUP = """
import threading, time, numpy as np, carom
v = np.broadcast_to(np.array([1.0, 0, -1]), (50_000_000, 3))
def line(width): return np.lib.stride_tricks.as_strided(np.empty(width), (50_000_000, width), (0, 8))
def work(): carom.compliant_batch(np.diag([3.0, 2, 1]), v, 0.4, 0.5, 1.1, threads=%d,
                                  out={"impulse": line(3), "velocity_after": line(3)})
"""


@pytest.mark.parametrize("threads", [1, 2])
def test_the_interpreter_ends_while_a_daemon_works(threads):
    ended = script(
        SETUP % threads + "threading.Thread(target=work, daemon=True).start(); time.sleep(0.3); print('over')"
    )
    assert (ended.returncode, ended.stdout.strip(), ended.stderr) == (0, "over", "")


def test_an_exit_out_of_progress():
    ended = script(
        SETUP % 2
        + "\ndef leave(done, total): raise SystemExit(7)"
        + "\ncarom.compliant_batch(np.eye(3), v[:20000], 0.4, 0.5, 1.1, progress=leave)"
    )
    assert ended.returncode == 7 and ended.stderr == ""


def test_two_interpreters_of_one_machine_give_the_same():
    W, v, mu, e = random_contacts(100, 1)
    want = carom.spatial_batch(W, v, mu, e).impulse.tobytes().hex()
    ended = script(
        f"""
        import sys
        sys.path.insert(0, {os.path.dirname(__file__)!r})
        import carom
        from common import random_contacts
        print(carom.spatial_batch(*random_contacts(100, 1)).impulse.tobytes().hex())"""
    )
    assert ended.stdout.strip() == want, ended.stderr


def work_of_a_child(seed):
    W, v, mu, e = random_contacts(5000, seed)
    swept = carom.sweep("superball", {"material.friction": [0.1, 0.2]})
    return carom.spatial_batch(W, v, mu, e, threads=2).impulse.tobytes(), swept.table["impulse"].tobytes()


def test_children_of_a_process_that_has_used_threads():
    want = [work_of_a_child(seed) for seed in range(3)]
    with multiprocessing.get_context("fork").Pool(2) as pool:
        assert pool.map(work_of_a_child, range(3)) == want


def test_without_numpy_the_message_says_what_to_do(tmp_path):
    (tmp_path / "numpy").mkdir()
    (tmp_path / "numpy" / "__init__.py").write_text("raise ImportError('no numpy here')")
    environment = {**os.environ, "PYTHONPATH": f"{tmp_path}:{os.environ['PYTHONPATH']}"}
    ended = subprocess.run(
        [sys.executable, "-c", "import carom"], capture_output=True, text=True, env=environment, check=False
    )
    assert ended.returncode != 0
    assert "carom needs numpy" in ended.stderr and "apt-get install python3-numpy" in ended.stderr
    assert "During handling" not in ended.stderr


def test_the_compiled_part_refuses_what_the_layer_above_would_have():
    from carom import _core

    good = {"W": np.eye(3)[None], "v": np.array([[0.0, 0, -1]]), "friction": np.zeros(1), "restitution": np.ones(1)}

    def out():
        return {
            "impulse": np.empty((1, 3)),
            "velocity_after": np.empty((1, 3)),
            "verdict": np.empty(1, np.uint8),
            "flags": np.empty(1, np.uint32),
            "process": np.empty(1, np.uint8),
        }

    _core.contact_batch("spatial", "newton", False, 1, good, out(), 1, None)
    for name, wrong in (
        ("W", np.eye(3)),
        ("W", np.eye(3, dtype=np.float32)[None]),
        ("W", np.eye(2)[None]),
        ("v", np.zeros((3, 3))),
        ("v", np.zeros((1, 4))),
        ("friction", np.zeros((1, 1))),
    ):
        with pytest.raises(carom.InvalidInput):
            _core.contact_batch("spatial", "newton", False, 1, {**good, name: wrong}, out(), 1, None)
    for name, wrong in (
        ("impulse", np.empty((2, 3))),
        ("impulse", np.empty((1, 2))),
        ("verdict", np.empty(1, np.int64)),
    ):
        with pytest.raises(carom.InvalidInput):
            _core.contact_batch("spatial", "newton", False, 1, good, {**out(), name: wrong}, 1, None)
    frozen = np.empty((1, 3))
    frozen.flags.writeable = False
    with pytest.raises(ValueError, match="read-only"):
        _core.contact_batch("spatial", "newton", False, 1, good, {**out(), "impulse": frozen}, 1, None)
    for missing in ("W", "v", "friction", "impulse", "flags"):
        with pytest.raises(carom.InvalidInput, match=missing):
            _core.contact_batch(
                "spatial",
                "newton",
                False,
                1,
                {k: a for k, a in good.items() if k != missing},
                {k: a for k, a in out().items() if k != missing},
                1,
                None,
            )


class HeapInUse(ctypes.Structure):
    """struct mallinfo2 of glibc."""

    _fields_ = [
        (name, ctypes.c_size_t)
        for name in ("arena", "free_chunks", "fast", "mapped_blocks", "mapped", "none", "kept", "used", "free", "top")
    ]


@pytest.mark.skipif("CAROM_SANITIZED" in os.environ, reason="the sanitizer keeps what was freed")
def test_nothing_leaks_over_a_hundred_thousand_calls():
    libc = ctypes.CDLL(None)
    if not hasattr(libc, "mallinfo2"):
        pytest.skip("the C library does not tell how much memory is in use")
    libc.mallinfo2.restype = HeapInUse
    W, v, mu, e = random_contacts(4, 2)
    room = carom.spatial_batch(W, v, mu, e)

    def calls(count):
        for _ in range(count):
            carom.spatial_batch(W, v, mu, e, threads=1, out=room)
            carom.planar([[2.5, -1.5], [-1.5, 2.5]], [0.6, -1], friction=0.7, restitution=0.5)
            carom.solve({**ROWS["planar"], "mu": -1})
            try:
                carom.spatial_batch(W, v, -1.0, e, threads=1)
            except carom.InvalidInput:
                pass

    def in_use():
        gc.collect()
        heap = libc.mallinfo2()
        return heap.used + heap.mapped, sys.getallocatedblocks()

    count = 25_000  # of four calls each
    calls(count // 10)
    heap, blocks = in_use()
    calls(count)
    heap_after, blocks_after = in_use()
    assert heap_after - heap < 100_000  # bytes; a double kept per call were 800,000
    assert blocks_after - blocks < 1000  # of Python's own; one kept per call were 100,000
