"""Scenario files and dictionaries: run, sweep, check, and the report that comes of them."""
from __future__ import annotations

import html
import json
import os
from collections.abc import Callable, Iterator, Mapping, Sequence
from importlib import import_module
from pathlib import Path
from typing import Any, Dict, List, NamedTuple, Optional, TYPE_CHECKING, Tuple, Union

import numpy as np
from numpy.typing import NDArray

from . import _core
from ._answers import rows_schema, text_of
from ._errors import InvalidInput, Mistake
from ._record import plain

Source = Union[str, "os.PathLike[str]", Mapping[str, Any]]
Settings = Mapping[str, Any]
Share = Optional[Callable[[float], object]]

#: the scenarios that come with carom
SCENARIOS = Path(__file__).parent / "scenarios"


class Fact:
    """A key number of a report: `value`, `unit`, `label`."""

    __slots__ = ("value", "unit", "label")

    def __init__(self, value: Any, unit: str, label: str) -> None:
        self.value, self.unit, self.label = value, unit, label

    def __repr__(self) -> str:
        return f"{self.label}: {self.value}{' ' + self.unit if self.unit else ''}"


class Facts(Mapping[str, Any]):
    """The key numbers of a report by name: `facts["impulse"]` is a number, a list of numbers, a text or a truth;
    `facts.fact("impulse")` also knows its unit and label."""

    def __init__(self, facts: Mapping[str, Mapping[str, Any]]) -> None:
        self._facts = facts

    def __getitem__(self, key: str) -> Any:
        return plain(self._facts[key]["value"])

    def fact(self, key: str) -> Fact:
        each = self._facts[key]
        return Fact(plain(each["value"]), each["unit"], each["label"])

    def __iter__(self) -> Iterator[str]:
        return iter(self._facts)

    def __len__(self) -> int:
        return len(self._facts)

    def __repr__(self) -> str:
        return "{" + ", ".join(f"{key}: {self[key]}" for key in self) + "}"


class Table:
    """A table of a report by columns: `table["speed"]` is a numpy array, `np.asarray(table)` a structured one."""

    def __init__(self, name: str, data: Mapping[str, Any]) -> None:
        self.name: str = name
        self.title: str = data["title"]
        self._columns: List[Mapping[str, Any]] = data["columns"]

    @property
    def keys(self) -> Tuple[str, ...]:
        return tuple(column["key"] for column in self._columns)

    @property
    def units(self) -> Dict[str, str]:
        return {column["key"]: column["unit"] for column in self._columns}

    @property
    def labels(self) -> Dict[str, str]:
        return {column["key"]: column["label"] for column in self._columns}

    def __len__(self) -> int:
        return max((len(column["cells"]) for column in self._columns), default=0)

    def __getitem__(self, key: str) -> NDArray[Any]:
        for column in self._columns:
            if column["key"] == key:
                return _cells(column["cells"])
        raise KeyError(f"{key}{_core.suggestion(key, list(self.keys))}")

    def to_numpy(self) -> NDArray[Any]:
        """All columns as one structured array; numbers that do not exist are nan."""
        columns = [self[key] for key in self.keys]
        kinds: List[Any] = [(key, column.dtype, column.shape[1:]) for key, column in zip(self.keys, columns)]
        array = np.empty(len(self), dtype=kinds)
        for key, column in zip(self.keys, columns):
            array[key] = column
        return array

    def __array__(self, dtype: Any = None, copy: Optional[bool] = None) -> NDArray[Any]:
        array = self.to_numpy()
        return array if dtype is None else array.astype(dtype)

    def to_frame(self) -> Any:
        """The table as a pandas DataFrame; vectors are spread over columns key_0, key_1, ..."""
        spread: Dict[str, Any] = {}
        for key in self.keys:
            column = self[key]
            if column.ndim == 1:
                spread[key] = column
            else:
                spread.update((f"{key}_{i}", column[:, i]) for i in range(column.shape[1]))
        return import_module("pandas").DataFrame(spread)  # only here: nothing else needs pandas

    def __repr__(self) -> str:
        return f"<Table {self.name}: {len(self)} rows of {', '.join(self.keys)}>"

    def _repr_html_(self) -> str:
        most = 30
        head = "".join(
            f"<th>{html.escape(label)}{' [' + html.escape(unit) + ']' if unit else ''}</th>"
            for label, unit in zip(self.labels.values(), self.units.values())
        )
        rows = "".join(
            "<tr>"
            + "".join(f"<td>{html.escape(_shown(column['cells'], i))}</td>" for column in self._columns)
            + "</tr>"
            for i in range(min(most, len(self)))
        )
        more = f"<p>and {len(self) - most} more rows</p>" if len(self) > most else ""
        return f"<h4>{html.escape(self.title)}</h4><table><tr>{head}</tr>{rows}</table>{more}"


def _shown(cells: Sequence[Any], row: int) -> str:
    value = cells[row] if row < len(cells) else None
    if value is None:
        return ""
    if isinstance(value, float):
        return f"{value:.6g}"
    if isinstance(value, list):
        return ", ".join("-" if each is None else f"{each:.6g}" for each in value)
    return str(value)


def _cells(cells: Sequence[Any]) -> NDArray[Any]:
    there = [each for each in cells if each is not None]
    if any(isinstance(each, str) for each in there):
        return np.array([each or "" for each in cells], dtype=str)
    if any(isinstance(each, list) for each in there):
        width = max(len(each) for each in there if isinstance(each, list))
        return np.array([each if each else [np.nan] * width for each in cells], dtype=np.float64)
    if there and all(isinstance(each, bool) for each in there) and len(there) == len(cells):
        return np.array(cells, dtype=bool)
    return np.array(cells, dtype=np.float64)


class Plot:
    """A picture of a report: `svg` as it is written to files, `data` the numbers it draws."""

    def __init__(self, name: str, data: Mapping[str, Any], document: Any) -> None:
        self.name: str = name
        self.title: str = data["title"]
        self.caption: str = data["caption"]
        self._data = data
        self._document = document

    @property
    def svg(self) -> str:
        return str(self._document.svg(self.name))

    @property
    def data(self) -> Dict[str, Any]:
        """Axes, curves, lines, markers, heat map: docs/report-format.md."""
        copied: Dict[str, Any] = plain(dict(self._data))
        return copied

    def plot(self, ax: Any = None) -> Any:
        """The same drawn by matplotlib; returns its axes."""
        from ._plots import draw

        return draw(self._data, self._document.style(self.name), ax)

    def save(self, file: Union[str, "os.PathLike[str]"]) -> None:
        """Writes the SVG."""
        Path(file).write_text(self.svg, encoding="utf-8")

    def _repr_svg_(self) -> str:
        return self.svg

    def __repr__(self) -> str:
        return f"<Plot {self.name}: {self.title}>"


if TYPE_CHECKING:
    _Tables = Mapping[str, Table]
    _Plots = Mapping[str, Plot]


class _Named(Dict[str, Any]):
    """Parts by name; a wrong name says which there are."""

    def __missing__(self, key: str) -> Any:
        meant = _core.suggestion(str(key), list(self))
        raise KeyError(f"{key}{meant or '; there are: ' + ', '.join(self)}")

    def __repr__(self) -> str:
        return "{" + ", ".join(repr(each) for each in self.values()) + "}"


class Report:
    """What `carom run` writes: facts, tables, plots and scenes of one scenario."""

    def __init__(self, document: Any) -> None:
        self._document = document
        self._data: Dict[str, Any] = json.loads(document.json())
        self.title: str = self._data["title"]
        self.kind: str = self._data["kind"]
        self.summary: str = self._data["summary"]
        self.notes: Tuple[str, ...] = tuple(self._data["notes"])  #: warnings and remarks worth reading
        self.facts: Facts = Facts(self._data["facts"])
        self.tables: _Tables = _Named((name, Table(name, each)) for name, each in self._data["tables"].items())
        self.plots: _Plots = _Named((name, Plot(name, each, document)) for name, each in self._data["plots"].items())
        self.scenes: Mapping[str, Any] = _Named(self._data.get("scenes", {}))

    @property
    def scene(self) -> Optional[Dict[str, Any]]:
        """The first scene: bodies that move through keyframes (docs/report-format.md); None without one."""
        return next((plain(each) for each in self.scenes.values()), None)

    @property
    def files(self) -> Dict[str, bytes]:
        """Files for other programs, such as meshes for ParaView: their content by name."""
        files: Dict[str, bytes] = self._document.files()
        return files

    def to_dict(self) -> Dict[str, Any]:
        """The report as `carom run --json` prints it."""
        copied: Dict[str, Any] = plain(self._data)
        return copied

    def __str__(self) -> str:
        return str(self._document.terminal(100))

    def __repr__(self) -> str:
        return f"<Report {self.title!r}: {self.summary}>"

    def _repr_html_(self) -> str:
        facts = "".join(
            f"<tr><td>{html.escape(each['label'])}</td><td>{html.escape(_shown([each['value']], 0))} "
            f"{html.escape(each['unit'])}</td></tr>"
            for each in self._data["facts"].values()
        )
        notes = "".join(f"<p><em>{html.escape(note)}</em></p>" for note in self.notes)
        return (
            f"<h3>{html.escape(self.title)}</h3><p>{html.escape(self.summary)}</p><table>{facts}</table>"
            + "".join(plot.svg for plot in self.plots.values())
            + "".join(table._repr_html_() for table in self.tables.values())
            + notes
        )

    def __reduce__(self) -> Tuple[Any, ...]:
        pictures = {name: (plot.svg, self._document.style(name)) for name, plot in self.plots.items()}
        return (_restored, (type(self), json.dumps(self._data), pictures, str(self), self.files))


class Sweep(Report):
    """What `carom sweep` writes."""

    @property
    def table(self) -> Table:
        """A row per run: the values that were varied, every fact, and `error` if a run had one."""
        return next(iter(self.tables.values()))

    def to_frame(self) -> Any:
        """The table as a pandas DataFrame."""
        return self.table.to_frame()


Pictures = Dict[str, Tuple[str, Dict[str, Any]]]


class _Kept:
    """A document that was pickled."""

    def __init__(self, text: str, pictures: Pictures, shown: str, files: Dict[str, bytes]) -> None:
        self._text, self._pictures, self._shown, self._files = text, pictures, shown, files

    def json(self) -> str:
        return self._text

    def svg(self, plot: str) -> str:
        return self._pictures[plot][0]

    def style(self, plot: str) -> Dict[str, Any]:
        return self._pictures[plot][1]

    def terminal(self, width: int) -> str:
        return self._shown

    def files(self) -> Dict[str, bytes]:
        return dict(self._files)


def _restored(kind: Any, text: str, pictures: Pictures, shown: str, files: Dict[str, bytes]) -> Any:
    return kind(_Kept(text, pictures, shown, files))


def _settings(set_: Optional[Settings]) -> List[Tuple[str, str]]:
    """Texts are written as after `--set path=`, everything else as JSON."""
    out = []
    for path, value in (set_ or {}).items():
        if isinstance(value, str):
            out.append((path, value))
        else:
            try:
                out.append((path, text_of({"value": value})[len('{"value":') : -1]))
            except InvalidInput as error:
                raise InvalidInput(f"set[{path!r}]", error.message) from None
    return out


def _file(name: "Union[str, os.PathLike[str]]") -> Path:
    """A file, or a scenario that comes with carom by its name."""
    file = Path(name)
    if file.exists():
        return file
    if file.parent == Path("."):
        shipped = SCENARIOS / (file.name if file.suffix in (".yaml", ".yml", ".json") else file.name + ".yaml")
        if shipped.exists():
            return shipped
        meant = _core.suggestion(str(name), scenarios())
        raise FileNotFoundError(
            f"{name}: there is no such file, nor does a scenario of this name come with carom"
            + (meant or "; carom.scenarios() lists those that do")
        )
    raise FileNotFoundError(f"{name}: there is no such file")


def _opened(source: Source, set_: Optional[Settings]) -> Any:
    if isinstance(source, Mapping):
        try:
            return _core.parse(text_of(source), "scenario", _settings(set_))
        except InvalidInput as error:  # a dictionary has no lines
            mistakes = [(0, each.field, each.message) for each in error.mistakes]
            message = "\n".join(str(Mistake(*each)) for each in mistakes) if len(mistakes) > 1 else error.message
            raise InvalidInput(error.field, message, None, mistakes) from None
    if isinstance(source, str) and "\n" in source:
        return _core.parse(source, "scenario", _settings(set_))
    return _core.load(str(_file(source)), _settings(set_))


def run(source: Source, *, set: Optional[Settings] = None, progress: Share = None) -> Report:
    """What is the answer to a scenario? As `carom run`.

    Arguments:
        source: a file, the name of a scenario that comes with carom, a dictionary with the keys of a file, or YAML text
        set: values in place of the file's, by path: `{"material.friction": 0.3}`
        progress: called now and then with the share that is done, 0 to 1

    Raises `InvalidInput` with every mistake in `mistakes`, FileNotFoundError, KeyboardInterrupt on Ctrl-C.
    """
    return Report(_opened(source, set).answer(progress))


def sweep(
    source: Source,
    vary: Union[str, Sequence[str], Mapping[str, Any]],
    *,
    show: Union[str, Sequence[str]] = (),
    set: Optional[Settings] = None,
    progress: Share = None,
) -> Sweep:
    """How does the answer change with one or two numbers of the scenario? As `carom sweep`, on all cores.

    Arguments:
        source: as for `run`
        vary: `{"material.friction": np.linspace(0, 1, 101)}`, or texts as after `--vary`: "material.friction=0:1:101"
        show: facts to draw; without, those that change
        set, progress: as for `run`
    """
    texts: List[str] = []
    over: List[Tuple[str, List[float]]] = []
    if isinstance(vary, Mapping):
        for path, values in vary.items():
            if isinstance(values, str):
                texts.append(f"{path}={values}")
            else:
                over.append((path, [float(each) for each in np.atleast_1d(np.asarray(values, dtype=np.float64))]))
    else:
        texts = [vary] if isinstance(vary, str) else list(vary)
    shown = [show] if isinstance(show, str) else list(show)
    return Sweep(_opened(source, set).sweep(texts, over, shown, progress))


class Check(NamedTuple):
    """What `check` found. It is true if there are no mistakes."""

    kind: str
    model: str
    mistakes: Tuple[Mistake, ...]
    warnings: Tuple[str, ...]

    def __bool__(self) -> bool:
        return not self.mistakes


def check(source: Source) -> Check:
    """Is a scenario, or a row, fine? Nothing is run, and nothing raised for what is wrong with it.

    A dictionary with `kind` is a scenario, one with `model` alone a row of `carom.solve`."""
    if isinstance(source, Mapping) and "kind" not in source and "model" in source:
        model = str(source["model"])
        try:
            wrong = _core.check_row(text_of({key: each for key, each in source.items() if key != "id"}).encode())
        except InvalidInput as error:
            return Check("", model, (Mistake(0, error.field, error.message),), ())
        if not wrong:
            return Check("", model, (), ())
        error_row = json.loads(wrong)["error"]
        return Check("", model, (Mistake(0, error_row["field"] or "", error_row["message"]),), ())
    try:
        scenario = _opened(source, None)
    except InvalidInput as error:
        return Check("", "", error.mistakes or (Mistake(0, error.field, error.message),), ())
    return Check(scenario.kind, scenario.model, (), tuple(scenario.warnings))


def schema(rows: bool = False) -> Dict[str, Any]:
    """The JSON Schema of scenario files, or of the rows of `solve` and their answers."""
    copied: Dict[str, Any] = plain(rows_schema()) if rows else json.loads(_core.scenario_schema())
    return copied


def scenarios() -> List[str]:
    """The names of the scenarios that come with carom."""
    return sorted(file.stem for file in SCENARIOS.glob("*.yaml"))


class Term(NamedTuple):
    """A word of an answer and what it means."""

    name: str
    what: str
    where: str
    meaning: str


def explain(word: str) -> Tuple[Term, ...]:
    """What does a word of an answer (a flag, verdict, mode, case) mean?"""
    terms = [Term(*each) for each in _core.glossary()]
    found = tuple(term for term in terms if term.name == word)
    if not found:
        raise InvalidInput(
            "word", f"there is no word '{word}'" + _core.suggestion(word, [term.name for term in terms])
        )
    return found
