"""Batches: the same answers as one by one, from any array, and no harm from wrong ones."""
import ctypes
import pickle
import threading
import time
import tracemalloc

import numpy as np
import pytest

import carom
from common import random_contacts


def planar(W, v, mu, e, **more):
    return carom.planar_batch(np.asanyarray(W)[..., 1:, 1:], v[..., 1:], mu, e, **more)


def compliant(W, v, mu, e, **more):
    return carom.compliant_batch(W, v, mu, e, 1.1, **more)


BATCHES = {"planar": planar, "spatial": carom.spatial_batch, "compliant": compliant}


@pytest.mark.parametrize("law", ["newton", "poisson", "energetic"])
def test_planar_and_compliant_rows_have_the_bits_of_one_call(law):
    W, v, mu, e = random_contacts(200, 1)
    flat = carom.planar_batch(W[:, 1:, 1:], v[:, 1:], mu, e, law)
    springs = carom.compliant_batch(W, v, mu, e, np.linspace(0.3, 3, 200))
    for i in range(200):
        alone = carom.planar(W[i, 1:, 1:], v[i, 1:], friction=mu[i], restitution=e[i], law=law)
        assert np.array_equal(flat.impulse[i], alone.impulse)
        assert np.array_equal(flat.velocity_after[i], alone.velocity_after)
        assert flat.process[i] == alone.mode and flat.verdict[i] == alone.verdict
        assert [flag for flag in carom.FLAGS if flat.has(flag)[i]] == [f for f in alone.flags if f != "energy_gain"]
        alone = carom.compliant(W[i], v[i], friction=mu[i], restitution=e[i], eta0=np.linspace(0.3, 3, 200)[i])
        assert np.array_equal(springs.impulse[i], alone.impulse)


def test_spatial_rows_are_those_of_one_call_to_rounding():
    # Several impacts share the vector unit: spatial.hpp promises 1e-11 or better for ordinary bodies.
    W, v, mu, e = random_contacts(1000, 2)
    many = carom.spatial_batch(W, v, mu, e)
    for i in range(0, 1000, 7):
        alone = carom.spatial(W[i], v[i], friction=mu[i], restitution=e[i])
        scale = np.linalg.norm(alone.impulse)
        assert np.linalg.norm(many.impulse[i] - alone.impulse) < 1e-11 * scale
    assert np.all(many.verdict == "separated") and many.ok.all() and len(many) == 1000


@pytest.mark.parametrize("model", BATCHES)
def test_bits_do_not_depend_on_threads_neighbours_or_layout(model):
    batch = BATCHES[model]
    count = 6000 if model != "compliant" else 700
    W, v, mu, e = random_contacts(count, 3)
    want = batch(W, v, mu, e, threads=1)
    for threads in (2, 3, 0):
        assert np.array_equal(batch(W, v, mu, e, threads=threads).impulse, want.impulse)
    tail = batch(W[-100:], v[-100:], mu[-100:], e[-100:], threads=1)
    assert np.array_equal(tail.impulse, want.impulse[-100:])
    wide = np.zeros((2 * count, 3, 3))
    wide[::2] = W
    for layout in (
        np.asfortranarray(W),
        wide[::2],
        np.ascontiguousarray(W[::-1])[::-1],
        np.swapaxes(np.ascontiguousarray(np.swapaxes(W, 1, 2)), 1, 2),
        W.astype(">f8"),
        W.tolist(),
    ):
        assert np.array_equal(batch(layout, v, mu, e).impulse, want.impulse)
    frozen = W.copy()
    frozen.flags.writeable = False
    assert np.array_equal(batch(frozen, v, mu, e).impulse, want.impulse)
    raw = np.zeros(W.nbytes + 1, dtype=np.uint8)  # doubles where no double should start
    crooked = raw[1:].view(np.float64).reshape(W.shape)
    crooked[...] = W
    assert not crooked.flags.aligned
    assert np.array_equal(batch(crooked, v, mu, e).impulse, want.impulse)


@pytest.mark.parametrize("model", BATCHES)
def test_one_row_stands_for_all(model):
    batch = BATCHES[model]
    W, v, mu, e = random_contacts(50, 4)
    want = batch(np.broadcast_to(W[0], W.shape), v, np.full(50, 0.3), e)
    for one in (W[0], W[:1]):
        for friction in (0.3, [0.3], np.float32(0.3) * 0 + 0.3, np.array(0.3)):
            assert np.array_equal(batch(one, v, friction, e).impulse, want.impulse)
    single = batch(W[0], v[0], mu[0], e[0])
    assert len(single) == 1 and single.impulse.shape == (1, 2 if model == "planar" else 3)
    assert np.array_equal(
        batch(W[:1].repeat(3, axis=0), v[0], 0, 1).impulse, batch(W[0], v[:1], 0, 1).impulse.repeat(3, axis=0)
    )


def test_whole_numbers_and_floats_of_other_sizes():
    v = [[1, 0, -2], [0, 1, -1]]
    want = carom.spatial_batch(np.eye(3), np.array(v, dtype=float), 0.5, 1.0)
    for kind in (np.int8, np.uint16, np.int64, np.float16, np.float32):
        found = carom.spatial_batch(
            np.eye(3, dtype=kind),
            np.abs(np.array(v)).astype(kind) * np.array([1, 1, -1], dtype=np.float32),
            np.array(0.5, dtype=np.float32),
            np.array(1, dtype=kind),
        )
        assert np.array_equal(found.impulse, want.impulse)


def test_no_rows():
    for batch in BATCHES.values():
        nothing = batch(np.empty((0, 3, 3)), np.empty((0, 3)), 0.3, 0.5)
        assert len(nothing) == 0 and nothing.impulse.shape[0] == 0 and nothing.verdict.shape == (0,)
        assert "0" in repr(nothing)
        assert len(batch(np.eye(3), np.empty((0, 3)), 0.3, 0.5)) == 0


@pytest.mark.parametrize("model", BATCHES)
def test_bad_rows_are_raised_or_masked(model):
    batch = BATCHES[model]
    W, v, mu, e = random_contacts(100, 5)
    want = batch(W, v, mu, e)
    W[10, 1, 1] = np.nan
    W[20, 2, 2] = -1
    v[30, 1] = np.inf
    mu[40] = -0.5
    e[50] = 1.5
    bad = [10, 20, 30, 40, 50]
    masked = batch(W, v, mu, e, on_error="mask")
    assert np.flatnonzero(~masked.ok).tolist() == bad
    assert np.isnan(masked.impulse[bad]).all() and np.isnan(masked.velocity_after[bad]).all()
    assert np.array_equal(masked.impulse[masked.ok], want.impulse[masked.ok])
    for row, field in zip(bad, ("W", "W", "v", "friction", "restitution")):
        with pytest.raises(carom.InvalidInput) as caught:
            batch(W[row - 5 : row + 5], v[row - 5 : row + 5], mu[row - 5 : row + 5], e[row - 5 : row + 5])
        assert (caught.value.index, caught.value.field) == (5, field)
        assert str(caught.value).endswith("(row 5)")
    with pytest.raises(carom.InvalidInput) as caught:
        batch(W, v, mu, e)
    assert caught.value.index == 10
    assert pickle.loads(pickle.dumps(caught.value)).index == 10


@pytest.mark.parametrize(
    "arguments, field, words",
    [
        ((np.eye(2), np.zeros((4, 3)), 0, 1), "W", "must have shape (N, 3, 3) or (3, 3), got (2, 2)"),
        ((np.zeros((4, 3, 2)), np.zeros((4, 3)), 0, 1), "W", "got (4, 3, 2)"),
        ((np.zeros((1, 4, 3, 3)), np.zeros((4, 3)), 0, 1), "W", "got (1, 4, 3, 3)"),
        ((np.eye(3), np.zeros(4), 0, 1), "v", "must have shape (N, 3) or (3,), got (4,)"),
        ((np.eye(3), np.zeros((4, 3)), np.zeros(5), 1), "friction", "must have 4 rows, as v, or one for all, got 5"),
        (
            (np.eye(3), np.zeros((4, 3)), np.zeros((4, 1)), 1),
            "friction",
            "must have shape (N,) or a number, got (4, 1)",
        ),
        ((np.eye(3), np.zeros((4, 3)), "much", 1), "friction", "must hold real numbers"),
        ((np.eye(3) * 1j, np.zeros((4, 3)), 0, 1), "W", "must hold real numbers, got complex128"),
        ((np.eye(3), np.zeros((4, 3), dtype=bool), 0, 1), "v", "must hold real numbers, got bool"),
        ((np.eye(3), np.zeros((4, 3), dtype=object), 0, 1), "v", "must hold real numbers, got object"),
        ((np.eye(3), [[0, 0, -1], [0, 0]], 0, 1), "v", "must"),
        ((None, np.zeros((4, 3)), 0, 1), "W", "must"),
        ((np.eye(3), np.ma.array(np.zeros((4, 3)), mask=True), 0, 1), "v", "must not be masked"),
        ((np.eye(3), np.array(["2020-01-01"] * 3, dtype="M8[D]"), 0, 1), "v", "must hold real numbers"),
    ],
)
def test_wrong_arrays_are_named(arguments, field, words):
    with pytest.raises(carom.InvalidInput) as caught:
        carom.spatial_batch(*arguments)
    assert caught.value.field == field and words in caught.value.message, caught.value


def test_wrong_settings_are_named():
    W, v, mu, e = random_contacts(4, 6)
    for more, field in (
        ({"law": "newtn"}, "law"),
        ({"threads": -1}, "threads"),
        ({"threads": 1.5}, "threads"),
        ({"on_error": "ignore"}, "on_error"),
        ({"out": 3}, "out"),
        ({"out": {"impuls": v}}, "out['impuls']"),
        ({"out": {"impulse": np.empty((4, 2))}}, "out['impulse']"),
        ({"out": {"impulse": np.empty((4, 3), dtype=np.float32)}}, "out['impulse']"),
        ({"out": {"impulse": v}}, "out['impulse']"),
        ({"out": {"impulse": v[::-1]}}, "out['impulse']"),
        ({"out": {"impulse": [[0.0] * 3] * 4}}, "out['impulse']"),
    ):
        with pytest.raises(carom.InvalidInput) as caught:
            carom.spatial_batch(W, v, mu, e, **more)
        assert caught.value.field == field, caught.value
    frozen = np.empty((4, 3))
    frozen.flags.writeable = False
    shared = np.empty((4, 3))
    for out in ({"impulse": frozen}, {"impulse": shared, "velocity_after": shared}):
        with pytest.raises(carom.InvalidInput, match="out"):
            carom.spatial_batch(W, v, mu, e, out=out)
    with pytest.raises(carom.InvalidInput, match="reading"):
        carom.compliant_batch(W, v, mu, e, 1, reading="x")
    with pytest.raises(carom.InvalidInput, match="eta0"):
        carom.compliant_batch(W, v, mu, e, -1)
    with pytest.raises(carom.InvalidInput, match="did you mean 'jamb'"):
        carom.spatial_batch(W, v, mu, e).has("jam")
    with pytest.raises(AttributeError):
        compliant(W, v, mu, e).process


def test_results_go_where_they_are_told():
    W, v, mu, e = random_contacts(300, 7)
    want = carom.spatial_batch(W, v, mu, e)
    room = np.full((600, 6), 7.0)
    found = carom.spatial_batch(W, v, mu, e, out={"impulse": room[::-2, ::2]})
    assert np.shares_memory(found.impulse, room)
    assert np.array_equal(room[::-2, ::2], want.impulse)
    assert (room[::2] == 7.0).all() and (room[:, 1::2] == 7.0).all()
    again = carom.spatial_batch(W, v, 0.0, e, out=found)
    assert again.impulse is found.impulse and not np.array_equal(again.impulse, want.impulse)
    assert again.to_dict()["verdict"] is found.to_dict()["verdict"]


def test_batches_are_read_only_and_travel():
    W, v, mu, e = random_contacts(5, 8)
    found = carom.spatial_batch(W, v, mu, e)
    with pytest.raises(AttributeError):
        found.impulse = 3
    again = pickle.loads(pickle.dumps(found))
    assert np.array_equal(again.impulse, found.impulse) and repr(again) == repr(found)
    assert repr(found) == "<Batch: 5 spatial impacts, 5 separated>"


def test_arrays_are_not_copied():
    W, v, mu, e = random_contacts(100_000, 9)
    tracemalloc.start()
    carom.planar_batch(W[:, 1:, 1:], v[:, 1:], mu, e)
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    results = 100_000 * (2 * 2 * 8 + 1 + 1 + 4)  # impulse and velocity, verdict and process, flags
    assert peak < results + 200_000  # and a mask of who was refused


def test_progress_and_an_exception_in_the_middle():
    W, v, mu, e = random_contacts(2000, 10)
    seen = []
    compliant(W, v, mu, e, progress=lambda done, total: seen.append((done, total)))
    assert seen[-1] == (2000, 2000) and len(seen) > 2
    assert all(a < b for (a, _), (b, _) in zip(seen, seen[1:]))

    def tired(done, total):
        raise RuntimeError("enough")

    with pytest.raises(RuntimeError, match="enough"):
        compliant(W, v, mu, e, progress=tired)
    with pytest.raises(TypeError):
        compliant(W, v, mu, e, progress=3)


def test_ctrl_c_ends_a_batch_and_other_threads_run_on():
    W, v, mu, e = random_contacts(1, 11)
    v = np.broadcast_to(v, (100_000_000, 3))  # two minutes of work that must not be done
    count = 0
    done = threading.Event()

    def others():
        nonlocal count
        start = time.monotonic()
        while time.monotonic() - start < 0.3:
            count += 1
            time.sleep(0.001)
        ctypes.pythonapi.PyErr_SetInterrupt()  # what the handler of SIGINT does
        done.set()

    out = {
        "impulse": np.lib.stride_tricks.as_strided(np.empty(3), (100_000_000, 3), (0, 8)),
        "velocity_after": np.lib.stride_tricks.as_strided(np.empty(3), (100_000_000, 3), (0, 8)),
    }
    thread = threading.Thread(target=others)
    thread.start()
    with pytest.raises(KeyboardInterrupt):
        carom.spatial_batch(W[0], v, mu[0], e[0], threads=1, out=out)
    thread.join()
    assert done.is_set() and count > 20  # a thread that waits for the lock all the time would not come so far


def test_several_threads_call_at_once():
    W, v, mu, e = random_contacts(3000, 12)
    want = carom.spatial_batch(W, v, mu, e, threads=1).impulse
    results = [None] * 6

    def work(i):
        results[i] = carom.spatial_batch(W, v, mu, e, threads=2).impulse

    threads = [threading.Thread(target=work, args=(i,)) for i in range(6)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert all(np.array_equal(result, want) for result in results)


# --- derivatives ---


@pytest.mark.parametrize("law", ["newton", "poisson", "energetic"])
@pytest.mark.parametrize("eta0", [None, 1.2])
def test_derivatives_are_those_of_differences(law, eta0):
    W, v, mu, e = random_contacts(300, 13)
    found = carom.derivatives_batch(W, v, mu, e, law, eta0=eta0)

    def impulse(v=v, mu=mu, e=e):
        return (
            carom.spatial_batch(W, v, mu, e, law) if eta0 is None else carom.compliant_batch(W, v, mu, e, eta0)
        ).impulse

    h = 1e-5
    for name, slope, difference in (
        ("v", found.by_velocity[:, :, 0], (impulse(v=v + [h, 0, 0]) - impulse(v=v - [h, 0, 0])) / (2 * h)),
        ("vn", found.by_velocity[:, :, 2], (impulse(v=v + [0, 0, h]) - impulse(v=v - [0, 0, h])) / (2 * h)),
        ("mu", found.by_friction, (impulse(mu=mu + h) - impulse(mu=np.abs(mu - h))) / (2 * h)),
        (
            "e",
            found.by_restitution,
            (impulse(e=np.minimum(e, 1 - h) + h) - impulse(e=np.minimum(e, 1 - h) - h)) / (2 * h),
        ),
    ):
        error = np.abs(slope - difference).max(axis=1)
        # Differences are good to some 1e-6 (h^2, and rounding over h), but for rows where the order of events changes.
        assert np.quantile(error, 0.9) < 1e-5, (name, np.quantile(error, 0.9))
    assert found.exact.all() or eta0 is not None
    alone = carom.derivatives(W[7], v[7], friction=mu[7], restitution=e[7], law=law, eta0=eta0)
    assert np.array_equal(alone.by_velocity, found.by_velocity[7]) and alone.by_velocity.shape == (3, 3)
    assert np.array_equal(alone.impulse, found.impulse[7]) and alone.verdict == "separated"
    if eta0 is not None:
        assert np.array_equal(alone.by_eta0, found.by_eta0[7])
        assert "by_eta0" in repr(alone)
    else:
        with pytest.raises(AttributeError, match="eta0"):
            alone.by_eta0


@pytest.mark.parametrize("axes, eta0", [(2, None), (3, None), (3, 1.2)])
def test_derivatives_by_inverse_inertia(axes, eta0):
    # I(s W, v) = I(W, v) / s: along W itself the derivative is -I (Euler). And a small step of W in any direction.
    W, v, mu, e = random_contacts(300, 14, axes)
    found = carom.derivatives_batch(W, v, mu, e, eta0=eta0, by_W=True)
    scale = np.linalg.norm(found.impulse, axis=1)
    euler = np.linalg.norm(np.einsum("nijk,njk->ni", found.by_W, W) + found.impulse, axis=1) / scale
    assert np.quantile(euler, 0.9) < 1e-7
    assert np.array_equal(found.by_W, np.swapaxes(found.by_W, 2, 3))
    good = found.by_W_error < 1e-6
    assert good.mean() > 0.8
    rng = np.random.default_rng(15)
    step = rng.normal(size=W.shape) * 1e-6
    step = step + np.swapaxes(step, 1, 2)

    def impulse(W):
        return (
            carom.planar_batch(W, v, mu, e)
            if axes == 2
            else carom.spatial_batch(W, v, mu, e)
            if eta0 is None
            else carom.compliant_batch(W, v, mu, e, eta0)
        ).impulse

    moved = (impulse(W + step) - impulse(W - step)) / 2
    error = np.linalg.norm(np.einsum("nijk,njk->ni", found.by_W, step) - moved, axis=1)
    assert np.quantile(error[good], 0.9) < 1e-5 * np.abs(step).max() * np.median(scale) * 100
    with pytest.raises(AttributeError, match="by_W"):
        carom.derivatives_batch(W, v, mu, e).by_W


def test_derivatives_of_bad_and_idle_rows():
    W, v, mu, e = random_contacts(6, 16)
    W[2, 0, 0] = np.nan
    v[3, 2] = 1.0
    masked = carom.derivatives_batch(W, v, mu, e, by_W=True, on_error="mask")
    assert np.isnan(masked.by_velocity[2]).all() and np.isnan(masked.by_W[2]).all()
    assert masked.verdict.tolist() == ["separated", "separated", "invalid", "no_impact", "separated", "separated"]
    assert (masked.by_velocity[3] == 0).all() and (masked.by_W[3] == 0).all()
    with pytest.raises(carom.InvalidInput) as caught:
        carom.derivatives_batch(W, v, mu, e)
    assert caught.value.index == 2
    for arguments, field in (
        (dict(W=W, v=v[0]), "W"),
        (dict(W=W[0], v=v), "v"),
        (dict(W=np.eye(2), v=[0, -1], eta0=1.0), "eta0"),
    ):
        with pytest.raises(carom.InvalidInput) as caught:
            carom.derivatives(friction=0.1, restitution=1, **arguments)
        assert caught.value.field == field
    with pytest.raises(TypeError):
        len(carom.derivatives(W[0], v[0], friction=0.1, restitution=1))
