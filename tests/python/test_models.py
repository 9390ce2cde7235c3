"""A function for each model, a record for each answer."""
import copy
import inspect
import keyword
import pickle

import numpy as np
import pytest

import carom
from common import ROWS, random_contacts

SPOKEN = {"mu": "friction", "e": "restitution", "mu_s": "static_friction", "mu_d": "dynamic_friction"}


def called(row):
    function = getattr(carom, row["model"])
    parameters = inspect.signature(function).parameters
    return function(
        **{name if name in parameters else SPOKEN[name]: value for name, value in row.items() if name != "model"}
    )


@pytest.mark.parametrize("model", ROWS)
def test_function_answers_as_solve(model):
    answer = called(ROWS[model])
    assert answer.to_dict() == carom.solve(ROWS[model])


@pytest.mark.parametrize("model", ROWS)
def test_every_field_of_a_row_is_an_argument_and_every_field_of_an_answer_an_attribute(model):
    schema = carom.schema(rows=True)["$defs"][model]
    parameters = inspect.signature(getattr(carom, model)).parameters
    for field, described in schema["row"]["properties"].items():
        if field in ("model", "id") or "not" in described:
            continue
        assert field in parameters or SPOKEN[field] in parameters, field
    answer = called(ROWS[model])
    for field in answer.to_dict():
        attribute = field + "_" * keyword.iskeyword(field)
        getattr(answer, attribute)
        assert getattr(type(answer), attribute).__doc__


def test_every_model_has_a_function():
    for model in carom.schema(rows=True)["$defs"]:
        assert callable(getattr(carom, model)), model
        assert getattr(carom, model).__doc__.splitlines()[0].endswith(("?", ")")), "the first line is the question"


@pytest.mark.parametrize("model", ROWS)
def test_records_are_read_only_and_travel(model):
    answer = called(ROWS[model])
    field = next(iter(answer.to_dict()))
    with pytest.raises(AttributeError, match="read-only"):
        setattr(answer, field, 1)
    with pytest.raises(AttributeError):
        answer.something_new = 1
    with pytest.raises(AttributeError):
        delattr(answer, field)
    for other in (pickle.loads(pickle.dumps(answer)), copy.copy(answer), copy.deepcopy(answer)):
        assert other == answer and other is not answer and repr(other) == repr(answer)
    taken = answer.to_dict()
    taken[field] = "mine"
    assert answer.to_dict() != taken
    assert answer != 3 and "to_dict" in dir(answer)
    assert "\n" not in repr(answer) and repr(answer).startswith("<")


def test_arrays_of_records_cannot_be_written():
    impact = carom.planar([[1, 0], [0, 1]], [0, -1], friction=0.1, restitution=1)
    assert impact.impulse.dtype == np.float64 and impact.impulse.shape == (2,)
    with pytest.raises(ValueError):
        impact.impulse[0] = 3
    assert impact.impulse is impact.impulse


def test_one_line_shows_the_physics():
    # Wang and Mason 1992, figure 7 (disc and plank aside): W, v, mu, e of docs/solve.md; impulse (.12, .6) by hand.
    impact = carom.planar([[2.5, -1.5], [-1.5, 2.5]], [0.6, -1], friction=0.7, restitution=0.5, law="poisson")
    assert repr(impact) == "<PlanarImpact: C-sticking, impulse (0.12, 0.6) N s, 0.168 J of 0.2 J lost (84 %)>"
    away = carom.planar([[1, 0], [0, 1]], [0, 1], friction=0.1, restitution=1)
    assert repr(away).startswith("<PlanarImpact: no_impact")


def test_closed_forms():
    # A point mass on a frictionless wall: the normal velocity turns over, e times as large.
    for law in ("newton", "poisson", "energetic"):
        impact = carom.spatial(np.eye(3) / 2.0, [1, 0, -3], friction=0, restitution=0.5, law=law)
        np.testing.assert_allclose(impact.impulse, [0, 0, 2 * 3 * 1.5], rtol=1e-12)
        np.testing.assert_allclose(impact.velocity_after, [1, 0, 1.5], rtol=1e-12)
    # A solid ball with much friction sticks: v_t goes to 0, I_t = -v_t / W_tt with W_tt = 7/2 /m.
    ball = carom.collide(
        {"mass": 2.0, "principal": [0.8, 0.8, 0.8], "position": [0, 0, 1], "velocity": [0.3, 0, -2]},
        "immovable",
        {"point": [0, 0, 0], "normal": [0, 0, 1]},
        friction=5,
        restitution=0.5,
    )
    np.testing.assert_allclose(ball.impulse, [-0.3 * 2 / 3.5, 0, 2 * 2 * 1.5], rtol=1e-12)
    assert ball.bodies[1] is None
    np.testing.assert_allclose(ball.bodies[0].velocity, [0.3 - 0.3 / 3.5, 0, 1.0], rtol=1e-12)


def test_errors_speak_of_arguments():
    for call, field in (
        (lambda: carom.planar([[1, 0], [0, 1]], [0, -1], friction=-1, restitution=1), "friction"),
        (lambda: carom.planar([[1, 0], [0, 1]], [0, -1], friction=0, restitution=2), "restitution"),
        (lambda: carom.planar([[1, 0], [0, -1]], [0, -1], friction=0, restitution=1), "W"),
        (lambda: carom.planar([[1, 0], [0, 1]], [0, -1], friction=0, restitution=1, law="newtn"), "law"),
        (lambda: carom.planar([1, 0], [0, -1], friction=0, restitution=1), "W"),
        (lambda: carom.spatial(np.eye(3), [0, np.nan, 1], friction=0, restitution=1), "v[1]"),
        (lambda: carom.spatial(friction=0, restitution=1), "W"),
        (
            lambda: carom.multipoint(
                np.eye(2),
                np.eye(2),
                [0, -1],
                method="lcp",
                dimension=2,
                restitution=0,
                static_friction=-1,
                dynamic_friction=0,
            ),
            "static_friction",
        ),
    ):
        with pytest.raises(carom.InvalidInput) as caught:
            call()
        assert caught.value.field == field, caught.value
        assert caught.value.message and caught.value.index is None
        assert isinstance(caught.value, ValueError)
        assert str(caught.value) == f"{field}: {caught.value.message}"
        again = pickle.loads(pickle.dumps(caught.value))
        assert (again.field, again.message, again.index) == (field, caught.value.message, None)
    with pytest.raises(TypeError):
        carom.planar([[1, 0], [0, 1]], [0, -1])


def test_collide_chooses_the_model():
    body = {
        "mass": 1,
        "principal": [0.4, 0.4, 0.4],
        "position": [0, 0, 1],
        "velocity": [-1, 0, -5],
        "angular_velocity": [0, 2, 0],
    }
    contact = {"point": [0, 0, 0], "normal": [0, 0, 1]}
    rigid = carom.collide(body, "immovable", contact, friction=0.3, restitution=0.5)
    springs = carom.collide(body, "immovable", contact, friction=0.3, restitution=0.5, eta0=(17 / 14) ** 0.5)
    assert type(rigid) is carom.SpatialImpact and type(springs) is carom.CompliantImpact
    # The superball of scenarios/superball.yaml: with springs the tangential velocity turns over.
    assert rigid.bodies[0].velocity[0] < 0 < springs.bodies[0].velocity[0]
    with pytest.raises(carom.InvalidInput, match="law"):
        carom.collide(body, "immovable", contact, friction=0.3, restitution=0.5, law="newton", eta0=1)
    with pytest.raises(carom.InvalidInput, match="reading"):
        carom.collide(body, "immovable", contact, friction=0.3, restitution=0.5, reading="model")


def test_world_builds_the_row():
    world = carom.World(gravity=(0, 0, -10))
    floor = world.add_plane((0, 0, 0), (0, 0, 1))
    ball = world.add_ball(radius=0.5, mass=2, position=(0, 0, 0.5 + 1.25), velocity=(0, 0, 0))
    world.set_material(restitution=0.5)
    run = world.run(0.9, samples=4)
    assert (floor, ball) == ("plane:0", 0)
    # It falls 1.25 m in .5 s, arrives at 5 m/s and leaves at 2.5 m/s.
    assert run.events[0]["time"] == pytest.approx(0.5, rel=1e-12)
    assert run.final[0].velocity[2] == pytest.approx(2.5 - 10 * 0.4, rel=1e-9)
    assert [sample.t for sample in run.samples] == pytest.approx([0, 0.3, 0.6, 0.9])
    assert run.energy.restitution_loss == pytest.approx(0.75 * 25, rel=1e-12)
    assert repr(run).startswith("<WorldRun: time at 0.9 s, ")
    row = world.to_dict(1.0)
    assert "error" not in carom.solve(row)
    with pytest.raises(carom.InvalidInput) as caught:
        carom.World().run(1)
    assert caught.value.field
    with pytest.raises(carom.InvalidInput, match="samples"):
        world.run(1, samples=3, sample_times=[0, 1])
    with pytest.raises(carom.InvalidInput) as caught:
        world.add_ball(radius=-1, mass=1, position=(5, 5, 5))
        world.run(1)
    assert caught.value.field == "bodies[1].shape.radius"


def test_plots():
    pyplot = pytest.importorskip("matplotlib.pyplot")
    pyplot.switch_backend("agg")
    W, v, mu, e = random_contacts(1, 3)
    for answer, pictures in (
        (called(ROWS["planar"]), (None, "routh_diagram", "energy")),
        (carom.spatial(W[0], v[0], friction=mu[0], restitution=e[0]), (None, "hodograph", "friction_cone", "energy")),
        (called(ROWS["compliant"]), (None, "friction_cone", "energy")),
        (called(ROWS["world"]), (None,)),
        (called(ROWS["stick_slip"]), (None,)),
        (called(ROWS["simultaneous"]), (None,)),
    ):
        for picture in pictures:
            axes = answer.plot(picture=picture)
            assert axes.lines or axes.patches or axes.collections
            axes.figure.canvas.draw()
            pyplot.close(axes.figure)
    with pytest.raises(carom.InvalidInput, match="picture"):
        called(ROWS["planar"]).plot(picture="routh")
    with pytest.raises(carom.InvalidInput, match="picture"):
        called(ROWS["rod"]).plot(picture="x")
    report = carom.run("superball")
    for plot in report.plots.values():
        axes = plot.plot()
        axes.figure.canvas.draw()
        pyplot.close(axes.figure)


def test_bodies_of_shapes():
    # Moments of inertia of uniform solids, as in every textbook.
    assert carom.body("sphere", 2, radius=3)["principal"] == pytest.approx([7.2] * 3, rel=1e-14)
    assert carom.body("shell", 2, radius=3)["principal"] == pytest.approx([12.0] * 3, rel=1e-14)
    assert carom.body("box", 12, size=(1, 2, 3))["principal"] == pytest.approx([13, 10, 5], rel=1e-14)
    assert carom.body("cylinder", 12, radius=1, height=2)["principal"] == pytest.approx([7, 7, 6], rel=1e-14)
    cone = carom.body("cone", 10, radius=1, height=4)
    assert cone["position"] == pytest.approx([0, 0, 3], rel=1e-14) and cone["principal"][2] == pytest.approx(
        3, rel=1e-14
    )
    # A cylinder from the lathe; a ball with a hole that takes nothing away; the football of Wang 2017, figure 2.3.
    turned = carom.body("revolution", 12, profile=[[1, -1], [1, 1]])
    assert turned["principal"] == pytest.approx([7, 7, 6], rel=1e-13)
    hole = {"radius": 1e-6, "bottom": [0, 0, 2.9], "direction": [0, 0, 1]}
    drilled = carom.body("drilled_ball", 2, radius=3, holes=[hole])
    np.testing.assert_allclose(drilled["inertia"], 7.2 * np.eye(3), atol=1e-8)
    football = carom.body("truncated_icosahedron", 3, edge=0.1)
    np.testing.assert_allclose(football["inertia"], 0.06716735531838 * np.eye(3), atol=1e-13)
    # A box as a polyhedron, turned about z: as the box itself, turned.
    corners = np.array([[x, y, z] for x in (-1, 1) for y in (-2, 2) for z in (-3, 3)]) / 2
    faces = [[0, 1, 3, 2], [4, 6, 7, 5], [0, 4, 5, 1], [2, 3, 7, 6], [0, 2, 6, 4], [1, 5, 7, 3]]
    c, s = np.cos(0.3), np.sin(0.3)
    turn = np.array([[c, -s, 0], [s, c, 0], [0, 0, 1]])
    box = carom.body("box", 12, size=np.array([1, 2, 3]), orientation=[np.cos(0.15), 0, 0, np.sin(0.15)])
    np.testing.assert_allclose(box["orientation"], turn, atol=1e-15)
    contact = {"point": [0.2, 0.3, -1.5], "normal": [0, 0, 1]}
    moving = {"velocity": (1, 0.2, -3), "angular_velocity": (0.1, 0.2, 0.3)}
    a = carom.collide({**box, **moving}, "immovable", contact, friction=0.3, restitution=0.5)
    skew = corners @ turn.T  # the same solid given by where its corners are: the inertia is not diagonal
    solid = carom.body("polyhedron", 12, vertices=skew, faces=faces, **moving)
    assert "inertia" in solid
    b = carom.collide(solid, "immovable", contact, friction=0.3, restitution=0.5)
    np.testing.assert_allclose(b.impulse, a.impulse, rtol=1e-12)
    for call, field in (
        (lambda: carom.body("spere", 1, radius=1), "shape"),
        (lambda: carom.body("sphere", 1), "radius"),
        (lambda: carom.body("sphere", 1, radus=1), "radus"),
        (lambda: carom.body("sphere", -1, radius=1), "mass"),
        (lambda: carom.body("sphere", 1, radius=-1), "radius"),
        (lambda: carom.body("box", 1, size=1), "size"),
        (lambda: carom.body("box", 1, size=(1, 2, -3)), "size[2]"),
        (lambda: carom.body("revolution", 1, profile=[[1, 0], [-1, 1]]), "profile[1]"),
        (lambda: carom.body("revolution", 1, profile=[1, 2]), "profile"),
        (lambda: carom.body("drilled_ball", 1, radius=1, holes=[{"radius": 0.1}]), "radius, holes"),
        (lambda: carom.body("sphere", 1, radius=1, orientation=[2, 0, 0, 0]), "orientation"),
        (lambda: carom.body("sphere", 1, radius=1, orientation=np.ones((3, 3))), "orientation"),
    ):
        with pytest.raises(carom.InvalidInput) as caught:
            call()
        assert caught.value.field == field, caught.value
