"""`carom.impact`: mass matrix and Jacobian of any engine."""
import ctypes
import ctypes.util
import pickle

import numpy as np
import pytest

import carom
from carom import _system
from common import random_contacts


def random_system(n, contacts, seed, dimension=3):
    rng = np.random.default_rng(seed)
    root = rng.normal(size=(n, n))
    J = rng.normal(size=(dimension * contacts, n))
    v = rng.normal(size=n)
    for k in range(contacts):  # every contact approaches
        normal = J[dimension * (k + 1) - 1]
        if normal @ v > 0:
            normal *= -1
    return root @ root.T + np.eye(n), J, v


@pytest.mark.parametrize("law", ["newton", "poisson", "energetic"])
def test_one_contact_is_the_impact_of_its_contact_space(law):
    for seed in range(20):
        M, J, v = random_system(6, 1, seed)
        W = J @ np.linalg.solve(M, J.T)
        found = carom.impact(M, J, v, friction=0.4, restitution=0.6, law=law)
        alone = carom.spatial(0.5 * (W + W.T), J @ v, friction=0.4, restitution=0.6, law=law)
        np.testing.assert_allclose(found.impulse[0], alone.impulse, rtol=1e-9, atol=1e-11)
        np.testing.assert_allclose(
            found.velocity_after, v + np.linalg.solve(M, J.T @ found.impulse[0]), rtol=1e-10, atol=1e-12
        )
        np.testing.assert_allclose(found.contact_velocity_after[0], J @ found.velocity_after, rtol=1e-12, atol=1e-14)
        assert found.energy.before == pytest.approx(0.5 * v @ M @ v, rel=1e-12)
        assert found.energy.after == pytest.approx(0.5 * found.velocity_after @ M @ found.velocity_after, rel=1e-12)
        lost = found.energy.restitution_loss + found.energy.friction_loss + found.energy.residual
        assert found.energy.before - found.energy.after == pytest.approx(lost, abs=1e-10 * found.energy.before)
        assert [event.type for event in found.events] == [event.type for event in alone.events]
        assert found.model == "spatial" and found.verdict == alone.verdict and found.flags == alone.flags
        springs = carom.impact(M, J, v, friction=0.4, restitution=0.6, eta0=1.1)
        alone = carom.compliant(0.5 * (W + W.T), J @ v, friction=0.4, restitution=0.6, eta0=1.1)
        np.testing.assert_allclose(springs.impulse[0], alone.impulse, rtol=1e-8, atol=1e-10)
        assert springs.model == "compliant"


def test_in_the_plane():
    M, J, v = random_system(3, 1, 5, dimension=2)
    W = J @ np.linalg.solve(M, J.T)
    found = carom.impact(M, J, v, friction=0.4, restitution=0.6, dimension=2)
    alone = carom.planar(0.5 * (W + W.T), J @ v, friction=0.4, restitution=0.6)
    np.testing.assert_allclose(found.impulse[0], alone.impulse, rtol=1e-10, atol=1e-12)
    assert found.model == "planar"
    springs = carom.impact(M, J, v, friction=0.4, restitution=0.6, dimension=2, eta0=1.0)
    assert springs.model == "simultaneous" and springs.impulse.shape == (1, 2)


def test_several_contacts_are_those_of_simultaneous_bodies():
    # Three balls in a row as one system: three coordinates along the line each, contacts with t1, t2 across.
    radius, mass = 1.0, 1.0
    bodies = [
        {
            "mass": mass,
            "principal": [0.4] * 3,
            "position": [2.0 * i, 0, 0],
            "velocity": [1.0 if i == 0 else 0.0, 0.1, 0],
        }
        for i in range(3)
    ]
    contacts = [
        {"bodies": [i, i + 1], "point": [2.0 * i + 1, 0, 0], "normal": [-1, 0, 0], "e": 0.9, "mu": 0.3}
        for i in range(2)
    ]
    want = carom.simultaneous(bodies, contacts)
    M = np.diag(([mass] * 3 + [0.4] * 3) * 3)
    t1, t2, n = np.array([0.0, 1, 0]), np.array([0.0, 0, -1]), np.array([-1.0, 0, 0])
    assert np.allclose(np.cross(t1, t2), n)
    J = np.zeros((6, 18))
    for k in range(2):
        for row, axis in enumerate((t1, t2, n)):
            for body, sign, arm in ((k, 1, [radius, 0, 0]), (k + 1, -1, [-radius, 0, 0])):
                J[3 * k + row, 6 * body : 6 * body + 3] = sign * axis
                J[3 * k + row, 6 * body + 3 : 6 * body + 6] = sign * np.cross(arm, axis)
    v = np.concatenate([np.r_[body["velocity"], 0, 0, 0] for body in bodies])
    found = carom.impact(M, J, v, friction=0.3, restitution=0.9)
    assert found.model == "simultaneous"
    for i, body in enumerate(want.bodies):
        np.testing.assert_allclose(found.velocity_after[6 * i : 6 * i + 3], body.velocity, atol=1e-9)
        np.testing.assert_allclose(found.velocity_after[6 * i + 3 : 6 * i + 6], body.angular_velocity, atol=1e-9)
    assert found.energy.after == pytest.approx(want.energy.after, rel=1e-9)
    assert found.events[0].time is not None and {event.contact for event in found.events} == {0, 1}
    stiffer = carom.impact(M, J, v, friction=[0.3, 0.3], restitution=[0.9, 0.9], stiffness=[1, 100])
    assert np.abs(stiffer.velocity_after - found.velocity_after).max() > 1e-3


@pytest.mark.parametrize("method", ["rodriguez", "lcp"])
def test_rigid_laws_are_those_of_multipoint(method):
    for seed in range(10):
        M, J, v = random_system(6, 2, 100 + seed)
        want = carom.multipoint(
            M, J, v, method=method, dimension=3, restitution=0.3, static_friction=0.4, dynamic_friction=0.4
        )
        found = carom.impact(M, J, v, friction=0.4, restitution=0.3, model=method)
        assert len(found.solutions) == len(want.solutions) and found.exhaustive == want.exhaustive
        if not want.solutions:
            assert found.verdict == "no_solution" and np.isnan(found.velocity_after).all()
            continue
        np.testing.assert_array_equal(found.velocity_after, want.solutions[0].velocity)
        np.testing.assert_array_equal(found.solutions, [each.velocity for each in want.solutions])


def test_separating_contacts():
    M, J, v = random_system(6, 1, 7)
    found = carom.impact(M, J, -v, friction=0.4, restitution=0.6)
    assert found.verdict == "no_impact" and np.array_equal(found.velocity_after, -v) and not found.impulse.any()
    assert "no_impact" in repr(found)


@pytest.mark.parametrize("contacts, model", [(1, "auto"), (3, "auto"), (3, "lcp"), (2, "rodriguez")])
def test_large_sparse_systems_answer_as_dense_ones(contacts, model, monkeypatch):
    sparse = pytest.importorskip("scipy.sparse")
    M, J, v = random_system(12, contacts, 20 + contacts)
    M[np.abs(M) < 0.8] = 0
    M += 20 * np.eye(12)
    want = carom.impact(M, J, v, friction=0.3, restitution=0.5, model=model)
    kept = carom.impact(sparse.csr_matrix(M), sparse.csr_matrix(J), v, friction=0.3, restitution=0.5, model=model)
    assert np.array_equal(kept.velocity_after, want.velocity_after)
    monkeypatch.setattr(_system, "DENSE_UP_TO", 0)
    found = carom.impact(sparse.csr_matrix(M), J, v, friction=0.3, restitution=0.5, model=model)
    np.testing.assert_allclose(found.velocity_after, want.velocity_after, rtol=1e-8, atol=1e-9)
    np.testing.assert_allclose(found.solutions, want.solutions, rtol=1e-8, atol=1e-9)
    np.testing.assert_allclose(found.contact_velocity_after, want.contact_velocity_after, atol=1e-8)
    assert found.energy.after == pytest.approx(want.energy.after, rel=1e-9)
    # Two contacts at one place: W is singular, which several contacts may be.
    if contacts == 3 and model == "auto":
        J[3:6] = J[:3]
        a = carom.impact(sparse.csr_matrix(M), J, v, friction=0.3, restitution=0.5)
        monkeypatch.setattr(_system, "DENSE_UP_TO", 500)
        b = carom.impact(M, J, v, friction=0.3, restitution=0.5)
        np.testing.assert_allclose(a.velocity_after, b.velocity_after, rtol=1e-7, atol=1e-8)
    monkeypatch.setattr(_system, "DENSE_UP_TO", 0)
    for bad, words in (
        (-sparse.eye(12), "positive definite"),
        (sparse.csr_matrix(np.triu(M)), "symmetric"),
        (sparse.csr_matrix(M[:11]), "square"),
    ):
        with pytest.raises(carom.InvalidInput, match=words):
            carom.impact(bad, J, v, friction=0.3, restitution=0.5)


def test_batches_of_systems():
    systems = [random_system(6, 2, 40 + i) for i in range(30)]
    M, J, v = (np.array([each[i] for each in systems]) for i in range(3))
    friction, restitution = np.linspace(0, 1, 30), np.linspace(0.1, 0.9, 30)
    found = carom.impact_batch(M, J, v, friction, restitution)
    for i in range(30):
        alone = carom.impact(M[i], J[i], v[i], friction=friction[i], restitution=restitution[i])
        assert np.array_equal(found.velocity_after[i], alone.velocity_after)
        assert np.array_equal(found.impulse[i], alone.impulse)
        assert found.energy_after[i] == alone.energy.after and found.energy_before[i] == alone.energy.before
        assert found.verdict[i] == alone.verdict
    assert np.array_equal(carom.impact_batch(M, J, v, friction, restitution, threads=1).impulse, found.impulse)
    assert np.array_equal(
        carom.impact_batch(M[0], J[0], v, [[0.3, 0.4]], 0.5).velocity_after[3],
        carom.impact(M[0], J[0], v[3], friction=[0.3, 0.4], restitution=0.5).velocity_after,
    )
    assert len(carom.impact_batch(M[0], J[0], np.empty((0, 6)), 0.3, 0.5)) == 0
    M[4, 0, 0] = -1
    v[5, 2] = np.nan
    masked = carom.impact_batch(M, J, v, friction, restitution, on_error="mask")
    assert np.flatnonzero(~masked.ok).tolist() == [4, 5] and np.isnan(masked.velocity_after[4:6]).all()
    with pytest.raises(carom.InvalidInput) as caught:
        carom.impact_batch(M, J, v, friction, restitution)
    assert (caught.value.index, caught.value.field) == (4, "M")
    lcp = carom.impact_batch(M[6:], J[6:], v[6:], 0.3, 0.2, model="lcp")
    assert set(lcp.verdict) <= {"separated", "no_solution"} and "lcp" in repr(lcp)
    with pytest.raises(carom.InvalidInput, match="could mean rows or contacts"):
        carom.impact_batch(M, J, v, [0.3, 0.4], restitution)
    room = np.empty((24, 2, 3))
    assert carom.impact_batch(M[6:], J[6:], v[6:], 0.3, 0.2, out={"impulse": room}).impulse is room


@pytest.mark.parametrize(
    "change, field",
    [
        ({"M": np.eye(5)}, "J"),
        ({"M": np.ones((6, 5))}, "M"),
        ({"M": -np.eye(6)}, "M"),
        ({"M": np.triu(np.ones((6, 6)))}, "M"),
        ({"J": np.ones((4, 6))}, "J"),
        ({"J": np.ones((3, 6))}, "J"),
        ({"J": np.empty((0, 6))}, "J"),
        ({"v": np.zeros(5)}, "v"),
        ({"v": np.full(6, np.nan)}, "v"),
        ({"friction": -1}, "friction"),
        ({"restitution": 1.1}, "restitution"),
        ({"friction": [0.1, 0.2]}, "friction"),
        ({"law": "stiff"}, "law"),
        ({"model": "simultanous"}, "model"),
        ({"model": "planar"}, "dimension"),
        ({"dimension": 4}, "dimension"),
        ({"model": "lcp", "law": "poisson"}, "law"),
        ({"model": "compliant"}, "eta0"),
        ({"eta0": -1}, "eta0"),
        ({"model": "lcp", "eta0": 1}, "eta0"),
        ({"tolerance": 1, "model": "simultaneous"}, "tolerance"),
        ({"M": np.broadcast_to(np.eye(6), (2, 6, 6))}, "M"),
    ],
)
def test_wrong_input_is_named(change, field):
    M, J, v = random_system(6, 1, 50)
    given = {"M": M, "J": J, "v": v, "friction": 0.3, "restitution": 0.5, **change}
    with pytest.raises(carom.InvalidInput) as caught:
        carom.impact(given.pop("M"), given.pop("J"), given.pop("v"), **given)
    assert caught.value.field == field, caught.value
    several = random_system(6, 2, 51)
    with pytest.raises(carom.InvalidInput, match="one contact"):
        carom.impact(*several, friction=0.3, restitution=0.5, law="newton")
    with pytest.raises(carom.InvalidInput, match="one contact"):
        carom.impact(*several, friction=0.3, restitution=0.5, model="spatial")


def test_records_travel():
    found = carom.impact(*random_system(6, 2, 60), friction=0.3, restitution=0.5)
    again = pickle.loads(pickle.dumps(found))
    assert again == found and repr(again) == repr(found) and found.to_dict()["verdict"] == found.verdict


# --- M and J from MuJoCo itself ---

ARM = """<mujoco><option gravity="0 0 0"/><worldbody>
<body pos="0 0 1"><joint type="hinge" axis="0 1 0"/><geom type="capsule" fromto="0 0 0 .5 0 0" size=".05" mass="2"/>
<body pos=".5 0 0"><joint type="hinge" axis="0 0 1"/><geom type="capsule" fromto="0 0 0 0 .4 0" size=".04" mass="1"/>
<body pos="0 .4 0"><joint type="hinge" axis="1 0 0"/><geom type="capsule" fromto="0 0 0 .3 0 -.2" size=".03" mass=".5"/>
<body pos=".3 0 -.2"><joint type="slide" axis="0 0 1"/><geom type="sphere" size=".05" mass=".3"/></body>
</body></body></body></worldbody><keyframe><key qvel="0.7 -1.1 0.9 -2.0"/></keyframe></mujoco>"""


def test_with_mass_matrix_and_jacobian_of_mujoco(tmp_path):
    found = ctypes.util.find_library("mujoco")
    if not found:
        pytest.skip("MuJoCo (libmujoco-dev) is not installed")
    mujoco = ctypes.CDLL(found)
    mujoco.mj_loadXML.restype = mujoco.mj_makeData.restype = ctypes.c_void_p
    mujoco.mj_loadXML.argtypes = [ctypes.c_char_p, ctypes.c_void_p, ctypes.c_char_p, ctypes.c_int]
    doubles = np.ctypeslib.ndpointer(np.float64, flags="C_CONTIGUOUS")
    mujoco.mj_mulM.argtypes = [ctypes.c_void_p, ctypes.c_void_p, doubles, doubles]
    mujoco.mj_jac.argtypes = [ctypes.c_void_p, ctypes.c_void_p, doubles, ctypes.c_void_p, doubles, ctypes.c_int]
    for name, types in (("mj_makeData", 1), ("mj_forward", 2), ("mj_deleteData", 1), ("mj_deleteModel", 1)):
        getattr(mujoco, name).argtypes = [ctypes.c_void_p] * types
    mujoco.mj_resetDataKeyframe.argtypes = [ctypes.c_void_p, ctypes.c_void_p, ctypes.c_int]
    (tmp_path / "arm.xml").write_text(ARM)
    error = ctypes.create_string_buffer(500)
    model = mujoco.mj_loadXML(str(tmp_path / "arm.xml").encode(), None, error, 500)
    assert model, error.value
    data = mujoco.mj_makeData(model)
    mujoco.mj_resetDataKeyframe(model, data, 0)
    mujoco.mj_forward(model, data)
    n = 4
    M = np.zeros((n, n))
    for i in range(n):  # mj_fullM, without the layout of mjData
        mujoco.mj_mulM(model, data, M[i], np.eye(n)[i].copy())
    J = np.zeros((3, n))
    tip = np.array([0.8, 0.4, 0.8 - 0.05])  # the lowest point of the ball at the end; body 4
    mujoco.mj_jac(model, data, J, None, tip, 4)
    mujoco.mj_deleteData(data)
    mujoco.mj_deleteModel(model)
    v = np.array([0.7, -1.1, 0.9, -2.0])
    # The slide moves the ball and nothing else along z: its entry of M is its mass, its column of J the z axis.
    assert M[3, 3] == pytest.approx(0.3, rel=1e-12) and np.allclose(J[:, 3], [0, 0, 1])
    # The first hinge turns about y through (0, 0, 1): the tip moves with omega x r.
    assert np.allclose(J[:, 0], np.cross([0, 1, 0], tip - [0, 0, 1]))
    assert (J @ v)[2] < 0
    # A floor below: the axes (x, y, z) are (t1, t2, n), the normal up, into the arm.
    impact = carom.impact(M, J, v, friction=0.5, restitution=0.7, law="newton")
    assert impact.verdict == "separated"
    assert impact.contact_velocity_after[0, 2] == pytest.approx(-0.7 * (J @ v)[2], rel=1e-10)
    assert np.hypot(*impact.impulse[0, :2]) <= 0.5 * impact.impulse[0, 2] * (1 + 1e-12)
    assert np.allclose(M @ (impact.velocity_after - v), J.T @ impact.impulse[0], atol=1e-12)
    W = J @ np.linalg.solve(M, J.T)
    alone = carom.spatial(0.5 * (W + W.T), J @ v, friction=0.5, restitution=0.7, law="newton")
    assert np.allclose(impact.impulse[0], alone.impulse, rtol=1e-10)
