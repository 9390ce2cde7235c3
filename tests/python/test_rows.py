"""`carom.solve` gives what `carom solve` gives, to the bit."""
import json
import math
import os
import struct
import subprocess

import numpy as np
import pytest

import carom
from common import CAMPAIGN, PROGRAM, ROWS

CORPUS = 2000


def bits(value):
    """A value in which 0.0, -0.0 and 0 differ as doubles differ and counts are numbers."""
    if isinstance(value, bool) or value is None or isinstance(value, str):
        return value
    if isinstance(value, (int, float)):
        return struct.pack("<d", float(value))
    if isinstance(value, dict):
        return {key: bits(each) for key, each in value.items()}
    return [bits(each) for each in value]


def by_command_line(lines):
    answered = subprocess.run(
        [PROGRAM, "solve", "-"], input="\n".join(lines) + "\n", capture_output=True, text=True, check=False
    )
    assert answered.returncode in (0, 1), answered.stderr
    return [json.loads(line, parse_int=float) for line in answered.stdout.splitlines()]


def finite(value):
    if isinstance(value, float):
        return math.isfinite(value)
    if isinstance(value, (dict, list)):
        return all(finite(each) for each in (value.values() if isinstance(value, dict) else value))
    return True


def unique(pairs):
    keys = [key for key, _ in pairs]
    if len(set(keys)) < len(keys):
        raise ValueError("a key twice")
    return dict(pairs)


def changed(value, rng):
    """Every tenth number a little different."""
    if isinstance(value, dict):
        return {key: changed(each, rng) for key, each in value.items()}
    if isinstance(value, list):
        return [changed(each, rng) for each in value]
    return value * rng.uniform(0.5, 1.5) if isinstance(value, float) and rng.random() < 0.1 else value


#: models of which the campaign has no row, or whose mutated rows may take a second each
FEW = ("world", "simultaneous", "multipoint", "fit", "stick_slip", "sphere_on_plane")


def corpus():
    """Mutated rows as `tests/campaign` makes them, those that a dictionary can say (not 1e999, nor a key given twice);
    of some models rows of our own, a little changed."""
    printed = subprocess.run(
        [CAMPAIGN, "--rows", "2600", "--seed", "8", "--print"], capture_output=True, text=True, check=True
    ).stdout.splitlines()
    rng = np.random.default_rng(8)
    rows = [changed(row, rng) for row in ROWS.values() for _ in range(100 if row["model"] in FEW else 10)]
    lines = [json.dumps(row) for row in rows]
    for line in printed:
        try:
            row = json.loads(line, object_pairs_hook=unique)
        except ValueError:
            continue
        if finite(row) and row.get("model") not in FEW:
            lines.append(line)
            rows.append(row)
    return lines[:CORPUS], rows[:CORPUS]


@pytest.mark.skipif(not os.path.exists(CAMPAIGN), reason="the campaign that makes the rows is not built")
def test_corpus_over_all_models_has_the_same_bits():
    lines, rows = corpus()
    assert len(rows) == len(lines) == CORPUS
    models = {row["model"] for row in rows if isinstance(row.get("model"), str)}
    assert set(carom.schema(rows=True)["$defs"]) <= models
    expected = by_command_line(lines)
    found = carom.solve(rows)
    assert CORPUS / 10 < sum("error" in answer for answer in found) < CORPUS / 2
    for line, want, have in zip(lines, expected, found):
        if "error" in want:  # a message shows a number as it was written: 1e20 is 100000000000000000000.0 there
            assert have["error"]["field"] == want["error"]["field"], line
            assert have["error"]["message"].split(", got ")[0] == want["error"]["message"].split(", got ")[0], line
        else:
            assert bits(have) == bits(want), line


def test_one_row_has_the_bits_of_many():
    rows = list(ROWS.values())
    together = carom.solve(rows, threads=2)
    for row, answer in zip(rows, together):
        assert "error" not in answer, (row["model"], answer)
        assert bits(carom.solve(row)) == bits(answer)
        assert bits(carom.solve([row], threads=1)[0]) == bits(answer)


def test_counts_are_ints_and_quantities_floats():
    answer = carom.solve(ROWS["simultaneous"])
    assert type(answer["contacts"][0]["compressions"]) is int
    assert type(answer["events"][0]["contact"]) is int
    assert all(type(each) is float for each in answer["contacts"][0]["impulse"])
    assert type(carom.solve(ROWS["sphere_on_plane"])["contacts"]) is int
    assert type(carom.solve(ROWS["rest_shape"])["iterations"]) is int
    assert type(carom.solve(ROWS["fem"])["strain_energy"]) is float


def test_ids_come_back_as_the_objects_they_were():
    tag = object()
    for given in (tag, 0, -0.0, None, "a", float("nan"), {"x": [1]}):
        answer = carom.solve({"id": given, **ROWS["planar"]})
        assert answer["id"] is given and list(answer)[0] == "id"
        assert carom.solve([{"id": given, "model": "nothing"}])[0]["id"] is given
    assert "id" not in carom.solve(ROWS["planar"])


@pytest.mark.parametrize(
    "change, field, message",
    [
        ({"mu": -1}, "mu", "must be >= 0, got -1"),
        ({"model": "planr"}, "model", "did you mean 'planar'?"),
        ({"frictoin": 1}, "frictoin", "unknown key"),
        ({"v": [0.6, float("nan")]}, "v[1]", "must be a finite number, got nan"),
        ({"W": np.array([[1, np.inf], [np.inf, 1]])}, "W[0][1]", "must be a finite number, got inf"),
        ({"W": {1, 2}}, "W", "holds a set"),
        ({"W": np.array([1j])}, "W", "holds complex128"),
        ({"law": None}, "law", "is required"),
    ],
)
def test_a_bad_row_is_an_error_row(change, field, message):
    answer = carom.solve({**ROWS["planar"], **change})
    assert list(answer) == ["error"]
    assert answer["error"]["field"] == field
    assert message in answer["error"]["message"]
    assert carom.solve([ROWS["planar"], {**ROWS["planar"], **change}])[1] == answer


def test_what_is_no_row():
    answers = carom.solve([3, None, ROWS["planar"], []])
    assert ["error" in answer for answer in answers] == [True, True, False, True]
    assert "got a int" in answers[0]["error"]["message"] or "got an int" in answers[0]["error"]["message"]
    with pytest.raises(carom.InvalidInput, match="rows"):
        carom.solve("{}")
    with pytest.raises(TypeError):
        carom.solve(3)
    assert carom.solve([]) == []
    circle = {}
    circle["model"] = circle
    assert "error" in carom.solve(circle)
    deep = []
    for _ in range(200):
        deep = [deep]
    assert "error" in carom.solve({"model": "planar", "W": deep})


def test_numpy_goes_in_as_lists_do():
    row = {
        **ROWS["spatial"],
        "W": np.array(ROWS["spatial"]["W"]),
        "v": np.array(ROWS["spatial"]["v"], dtype=np.float32),
        "mu": np.float64(0.4),
        "e": np.float64(0.6),
    }
    assert carom.solve(row) == carom.solve(ROWS["spatial"])
    fortran = {**ROWS["spatial"], "W": np.asfortranarray(ROWS["spatial"]["W"])}
    assert carom.solve(fortran) == carom.solve(ROWS["spatial"])


def test_progress_counts_up_to_all_rows():
    seen = []
    carom.solve([ROWS["planar"]] * 100, progress=lambda done, total: seen.append((done, total)))
    assert seen[-1] == (100, 100)
    assert [done for done, _ in seen] == sorted(done for done, _ in seen)


def test_threads_must_make_sense():
    with pytest.raises(carom.InvalidInput, match="threads"):
        carom.solve([ROWS["planar"]], threads=-1)
