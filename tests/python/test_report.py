"""Scenarios: run, sweep, check, schema; the same report as `carom run --json`."""
import copy
import json
import pickle
import subprocess
import threading
from xml.dom import minidom

import numpy as np
import pytest

import carom
from common import PROGRAM, SOURCE


@pytest.mark.parametrize(
    "name",
    [
        "falling_rod_case_2",
        "superball",
        "corner_case_3",
        "two_balls",
        "rod_undamped",
        "normal_impact",
        "cantilever",
        "tennis_racket",
        "ball_over_spin",
    ],
)
def test_report_is_that_of_the_command_line(name):
    told = subprocess.run(
        [PROGRAM, "run", name, "--json", "--no-files"], capture_output=True, text=True, check=True
    ).stdout
    report = carom.run(name)
    assert report.to_dict() == json.loads(told)
    assert carom.run(SOURCE / "scenarios" / f"{name}.yaml").to_dict() == report.to_dict()
    for plot in report.plots.values():
        minidom.parseString(plot.svg)
    assert report.title in str(report) and report.title in report._repr_html_() or "&" in report._repr_html_()


def test_facts_tables_plots():
    report = carom.run("falling_rod_case_2")
    # Wang and Mason 1992, section 6, case 2: it sticks during compression.
    assert report.facts["mode"] == "C-sticking"
    np.testing.assert_allclose(report.facts["impulse"], [0.216, 0.76], rtol=1e-12)
    assert report.facts.fact("impulse").unit == "N s"
    assert "impulse" in report.facts and len(report.facts) == len(list(report.facts))
    trace = report.tables["trace"]
    assert trace["event"][0] == "start_slip" and trace["impulse_t"].dtype == np.float64
    array = np.asarray(trace)
    assert array.dtype.names == trace.keys and len(array) == len(trace)
    assert array["impulse_n"].tolist() == trace["impulse_n"].tolist()
    assert trace.units["impulse_n"] == "N s" and "<table>" in trace._repr_html_()
    with pytest.raises(KeyError, match="did you mean"):
        trace["impulse_m"]
    with pytest.raises(KeyError, match="there are|did you mean"):
        report.plots["routh"]
    plot = report.plots["routh_diagram"]
    assert plot.data["curves"] and plot._repr_svg_().startswith("<svg") and plot.caption
    assert report.notes and report.kind == "impact" and report.scene is None
    soft = carom.run("cantilever")
    assert all(isinstance(content, bytes) and content for content in soft.files.values()) and soft.files
    assert carom.run("tennis_racket").scene["bodies"][0]["times"][0] == 0
    assert repr(report).startswith("<Report 'Falling rod")


def test_frames():
    pandas = pytest.importorskip("pandas")
    frame = carom.run("falling_rod_case_2").tables["bodies"].to_frame()
    assert isinstance(frame, pandas.DataFrame) and len(frame) == 2
    assert any(name.endswith("_0") for name in frame.columns)


def test_settings_and_dictionaries():
    scenario = {
        "kind": "impact",
        "model": "planar",
        "material": {"friction": 0.7, "restitution": 0.5},
        "law": "poisson",
        "contact_space": {"inverse_inertia": np.array([[2.5, -1.5], [-1.5, 2.5]]), "velocity": (0.6, -1)},
    }
    assert (
        carom.run(scenario).facts["impulse"]
        == carom.planar([[2.5, -1.5], [-1.5, 2.5]], [0.6, -1], friction=0.7, restitution=0.5, law="poisson").to_dict()[
            "impulse"
        ]
    )
    other = carom.run(
        scenario, set={"material.friction": np.float64(0), "law": "newton", "contact_space.velocity": [0, -2]}
    )
    assert other.facts["velocity_after"][1] == pytest.approx(1.0, rel=1e-12)
    text = (
        "kind: impact\nmodel: planar\nmaterial: {friction: 0.7, restitution: 0.5}\nlaw: poisson\n"
        "contact_space: {inverse_inertia: [[2.5, -1.5], [-1.5, 2.5]], velocity: [0.6, -1]}\n"
    )
    assert carom.run(text).facts["impulse"] == carom.run(scenario).facts["impulse"]
    assert (
        carom.run("falling_rod_case_2", set={"bodies[0].angle": "45.2 deg", "bodies[0].velocity[0]": 0.5}).facts
        != carom.run("falling_rod_case_2").facts
    )
    with pytest.raises(carom.InvalidInput) as caught:
        carom.run("superball", set={"material.friction": float("nan")})
    assert "set['material.friction']" in str(caught.value)


def test_every_mistake_is_told():
    with pytest.raises(carom.InvalidInput) as caught:
        carom.run({"kind": "impact", "model": "planar", "material": {"friction": -1, "restitution": 2}, "lwa": 1})
    fields = [mistake.field for mistake in caught.value.mistakes]
    assert {"material.friction", "material.restitution", "lwa"} <= set(fields)
    assert all(mistake.line == 0 for mistake in caught.value.mistakes)
    assert "material.friction: must be >= 0, got -1" in str(caught.value)
    again = pickle.loads(pickle.dumps(caught.value))
    assert again.mistakes == caught.value.mistakes and str(again) == str(caught.value)
    with pytest.raises(carom.InvalidInput) as caught:
        carom.run("kind: impact\nmodel: planar\nmaterial: {friction: -1, restitution: 0}\n")
    assert caught.value.mistakes[0].line == 3 or any(mistake.line == 3 for mistake in caught.value.mistakes)
    with pytest.raises(FileNotFoundError, match="did you mean 'superball'"):
        carom.run("superbal")
    with pytest.raises(FileNotFoundError, match="there is no such file"):
        carom.run("nowhere/superball.yaml")
    with pytest.raises(carom.InvalidInput):
        carom.run({"kind": {1, 2}})


def test_sweeps():
    friction = np.linspace(0, 1, 11)
    swept = carom.sweep("superball", {"material.friction": friction})
    assert np.array_equal(swept.table["material.friction"], friction)
    one = carom.run("superball", set={"material.friction": friction[3]})
    assert swept.table["velocity_after"][3].tolist() == one.facts["velocity_after"]
    for vary in ("material.friction=0:1:11", ["material.friction=0:1:11"], {"material.friction": "0:1:11"}):
        assert np.allclose(carom.sweep("superball", vary).table["impulse"], swept.table["impulse"], atol=1e-14)
    two = carom.sweep(
        "superball", {"material.friction": [0.1, 0.2], "material.restitution": [0.3, 0.4, 0.5]}, show="impulse[2]"
    )
    assert len(two.table) == 6 and two.plots
    for vary, words in (("material.friction", "vary"), ({"material.frction": [1]}, "frction"), ({}, "field")):
        with pytest.raises(carom.InvalidInput, match=words):
            carom.sweep("superball", vary)
    with pytest.raises(carom.InvalidInput, match="with material.friction = -1: material.friction: must be >= 0"):
        carom.sweep("superball", {"material.friction": [0.1, -1.0]})


def test_check():
    fine = carom.check("superball")
    assert fine and (fine.kind, fine.model, fine.mistakes) == ("impact", "compliant", ())
    wrong = carom.check({"kind": "impact", "model": "planar", "lwa": 1})
    assert not wrong and "lwa" in [mistake.field for mistake in wrong.mistakes]
    row = {"model": "planar", "law": "poisson", "W": [[2.5, -1.5], [-1.5, 2.5]], "v": [0.6, -1], "mu": 0.7, "e": 0.5}
    assert carom.check(row) and carom.check(row).model == "planar"
    assert carom.check({**row, "mu": -1}).mistakes[0] == (0, "mu", "must be >= 0, got -1")
    assert carom.check({**row, "mu": float("inf")}).mistakes[0].field == "mu"


def test_schemas_are_those_of_the_command_line():
    assert carom.schema() == json.loads((SOURCE / "schema/scenario.schema.json").read_text())
    assert carom.schema(rows=True) == json.loads((SOURCE / "schema/solve.schema.json").read_text())
    taken = carom.schema(rows=True)
    taken["$defs"].clear()
    assert carom.schema(rows=True)["$defs"]


def test_words_are_explained():
    assert carom.explain("jamb")[0].what == "flag"
    with pytest.raises(carom.InvalidInput, match="did you mean 'jamb'"):
        carom.explain("jam")
    assert "superball" in carom.scenarios()


def test_reports_travel():
    report = carom.run("superball")
    for other in (pickle.loads(pickle.dumps(report)), copy.copy(report), copy.deepcopy(report)):
        assert other.to_dict() == report.to_dict() and str(other) == str(report)
        assert {name: plot.svg for name, plot in other.plots.items()} == {
            name: plot.svg for name, plot in report.plots.items()
        }
    swept = carom.sweep("superball", {"material.friction": [0.1, 0.2]})
    assert type(pickle.loads(pickle.dumps(swept))) is carom.Sweep


def test_progress_and_ctrl_c():
    import ctypes

    shares = []
    carom.sweep("superball", {"material.friction": np.linspace(0, 1, 3000)}, progress=shares.append)
    assert shares[-1] == 1.0 and all(0 <= share <= 1 for share in shares) and shares == sorted(shares)

    def tired(share):
        raise RuntimeError("enough")

    with pytest.raises(RuntimeError, match="enough"):
        carom.sweep("superball", {"material.friction": np.linspace(0, 1, 20000)}, progress=tired)
    timer = threading.Timer(0.2, ctypes.pythonapi.PyErr_SetInterrupt)
    timer.start()
    with pytest.raises(KeyboardInterrupt):
        carom.sweep("superball", {"material.friction": np.linspace(0, 1, 300000)})
    timer.join()
