"""What works print and what was measured, from Python: the same entries as the command line."""
import json
import subprocess

import numpy as np
import pytest

import carom
from common import PROGRAM


def test_an_entry_comes_out_as_on_the_command_line():
    report = carom.reproduce("wang-mason-1992", only="wm.case2.poisson.px")
    table = report.tables["entries"]
    assert table["id"].tolist() == ["wm.case2.poisson.px"]
    assert table["verdict"].tolist() == ["reproduced"] and table["comparison"].tolist() == ["holds"]
    assert table["as_expected"].all() and not report.notes
    assert report.tables["verdicts"]["entries"].sum() == 1


def test_the_same_text_as_the_command_line():
    ids = ["wm.case2.poisson.px", "wm.case2.newton.threshold"]
    only = [word for each in ids for word in ("--only", each)]
    told = subprocess.run([PROGRAM, "reproduce", "wang-mason-1992", "--json", *only], capture_output=True, check=True)
    assert json.loads(told.stdout)[0] == carom.reproduce("wang-mason-1992", only=ids).to_dict()


def test_a_changed_print_is_noticed(tmp_path):
    text = (carom._works._WORKS / "wang-mason-1992.yaml").read_text()
    assert "  printed: 0.8\n" in text
    changed = tmp_path / "changed.yaml"
    changed.write_text(text.replace("  printed: 0.8\n", "  printed: 0.9\n"))
    report = carom.reproduce(changed, only="wm.case2.newton.threshold")
    assert not report.tables["entries"]["as_expected"].any()
    assert len(report.notes) == 1 and "wm.case2.newton.threshold" in report.notes[0]


def test_what_there_is_not():
    with pytest.raises(FileNotFoundError, match="did you mean 'wang-mason-1992'"):
        carom.reproduce("wang-mason-1993")
    with pytest.raises(carom.InvalidInput, match="there is no entry 'wm.fig22'") as raised:
        carom.reproduce("wang-mason-1992", only=["wm.fig22"])
    assert raised.value.field == "only"
    with pytest.raises(FileNotFoundError, match="did you mean 'cradle'"):
        carom.validate("cradel")
    with pytest.raises(carom.InvalidInput, match="is required for planar-impacts") as raised:
        carom.validate("planar-impacts")
    assert raised.value.field == "data"
    with pytest.raises(carom.InvalidInput, match="must be a number, got 'a'") as raised:
        carom.validate("planar-impacts", data=__file__, mass="a", gyration=1)
    assert raised.value.field == "mass"
    with pytest.raises(FileNotFoundError, match="nowhere.csv: there is no such file"):
        carom.validate("planar-impacts", data="nowhere.csv", mass=1, gyration=1)
    with pytest.raises(carom.InvalidInput, match="must be ids of entries, got 3"):
        carom.reproduce("wang-mason-1992", only=3)
    with pytest.raises(carom.InvalidInput, match="goes with planar-impacts"):
        carom.validate("cradle", mass=1.0)


def test_a_measured_set():
    assert "oblique-sphere" in carom.sets() and "wang-mason-1992" in carom.works()
    report = carom.validate("cradle")
    assert report.kind == "validate" and not any("expected" in note for note in report.notes)


def test_a_table_of_planar_impacts(tmp_path):
    """Impacts made by Poisson's law with friction .2 and restitution .6: that law is found, with its parameters."""
    rng = np.random.default_rng(1)
    rows = ["t_vx,t_vy,t_w,n_vx,n_vy,n_w,vx_before,vy_before,w_before,vx_after,vy_after,w_after"]
    inverse_mass = np.diag([1 / 0.5, 1 / 0.5, 1 / (0.5 * 0.04**2)])
    for _ in range(40):
        x, y = rng.uniform(-0.03, 0.03), rng.uniform(-0.06, -0.03)
        J = np.array([[1, 0, -y], [0, 1, x]])
        before = np.array([rng.uniform(-2, 2), rng.uniform(-3, -1), rng.uniform(-5, 5)])
        impact = carom.planar(J @ inverse_mass @ J.T, J @ before, friction=0.2, restitution=0.6, law="poisson")
        after = before + inverse_mass @ J.T @ impact.impulse
        rows.append(",".join(repr(float(each)) for each in [*J[0], *J[1], *before, *after]))
    file = tmp_path / "impacts.csv"
    file.write_text("\n".join(rows) + "\n")
    report = carom.validate("planar-impacts", data=file, mass=0.5, gyration=0.04)
    table = next(iter(report.tables.values()))
    best = int(np.argmin(table["median"]))
    assert "oisson" in str(table["law"][best]) and table["median"][best] < 1e-3
