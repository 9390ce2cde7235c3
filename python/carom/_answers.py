"""Rows in, answers out: `carom.solve`, and what the functions of the models go through."""
from __future__ import annotations

import gc
import json
import math
from collections.abc import Callable, Iterable, Mapping
from typing import Any, Dict, List, Optional, Tuple, Type, TypeVar, Union, cast, overload

import numpy as np

from . import _core
from ._errors import InvalidInput
from ._record import Record

R = TypeVar("R", bound=Record)
Progress = Optional[Callable[[int, int], object]]

#: models whose rows are answered before anyone could press Ctrl-C
_QUICK = ("planar", "spatial", "compliant", "normal_impact", "contact_parameters")


def may_be_long(model: Any) -> bool:
    return not (isinstance(model, str) and model in _QUICK)


def _plainly(value: Any) -> Any:
    """What the JSON writer does not know: numpy's arrays and numbers, records, and what can be listed."""
    if isinstance(value, (np.ndarray, np.generic)):
        if value.dtype.kind not in "biufUO":
            raise InvalidInput(None, f"holds {value.dtype}, which is neither numbers nor text")
        return value.tolist()
    if isinstance(value, Record):
        return value.to_dict()
    if isinstance(value, (tuple, range)):
        return list(value)
    if hasattr(value, "__array__"):
        return np.asarray(value).tolist()
    raise InvalidInput(
        None, f"holds a {type(value).__name__}, which is neither a number, text, a list nor a dictionary"
    )


def _not_finite(value: Any, path: str) -> Optional[Tuple[str, float]]:
    """The first number that is none."""
    if isinstance(value, float) and not math.isfinite(value):
        return path, value
    if isinstance(value, (np.ndarray, np.generic, tuple)):
        value = value.tolist() if not isinstance(value, tuple) else list(value)
        return _not_finite(value, path)
    if isinstance(value, Mapping):
        found = (_not_finite(each, f"{path}.{key}" if path else str(key)) for key, each in value.items())
    elif isinstance(value, list):
        found = (_not_finite(each, f"{path}[{i}]") for i, each in enumerate(value))
    else:
        return None
    return next((each for each in found if each is not None), None)


def text_of(value: Mapping[str, Any]) -> str:
    """A dictionary as JSON, every digit of its numbers kept.

    Raises InvalidInput naming what cannot be written."""
    try:
        return json.dumps(value, default=_plainly, allow_nan=False, ensure_ascii=False, separators=(",", ":"))
    except (ValueError, RecursionError, TypeError) as error:
        if isinstance(error, InvalidInput):
            for key, each in value.items():  # which field?
                try:
                    json.dumps(each, default=_plainly)
                except InvalidInput as found:
                    raise InvalidInput(str(key), found.message) from None
                except (ValueError, TypeError, RecursionError):
                    pass
            raise
        try:
            found_number = _not_finite(value, "")
        except RecursionError:  # it holds itself, or is very deep
            found_number = None
        if found_number is not None:
            raise InvalidInput(found_number[0], f"must be a finite number, got {found_number[1]}") from None
        raise InvalidInput(None, f"cannot be written as JSON: {error}") from None


# --- which numbers of an answer are whole ---

Whole = Union[bool, Dict[str, Any]]  # True: the number itself; a dictionary: members, or "[]" for items
_whole: Dict[str, Dict[str, Any]] = {}
_schema: Dict[str, Any] = {}


def rows_schema() -> Dict[str, Any]:
    if not _schema:
        _schema.update(json.loads(_core.rows_schema()))
    return _schema


def _whole_in(schema: Mapping[str, Any]) -> Whole:
    kinds = schema.get("type")
    if kinds == "integer" or (isinstance(kinds, list) and "integer" in kinds):
        return True
    members: Dict[str, Any] = {}
    for each in schema.get("anyOf", ()):
        inner = _whole_in(each)
        if inner is True:
            return True
        members.update(cast(Dict[str, Any], inner))
    for name, each in schema.get("properties", {}).items():
        if inner := _whole_in(each):
            members[name] = inner
    if isinstance(schema.get("items"), Mapping):
        if inner := _whole_in(schema["items"]):
            members["[]"] = inner
    return members


def _made_whole(value: Any, whole: Whole) -> Any:
    if whole is True:
        return int(value) if isinstance(value, float) else value
    if isinstance(value, dict):
        for name, inner in cast(Dict[str, Any], whole).items():
            if name in value:
                value[name] = _made_whole(value[name], inner)
    elif isinstance(value, list) and "[]" in cast(Dict[str, Any], whole):
        return [_made_whole(each, cast(Dict[str, Any], whole)["[]"]) for each in value]
    return value


def answer_of_text(text: str, model: Any) -> Dict[str, Any]:
    """An answer as a dictionary: floats, also where they happen to be whole; ints where things are counted."""
    answer: Dict[str, Any] = json.loads(text, parse_int=float)
    if isinstance(model, str) and "error" not in answer:
        if model not in _whole:
            schema = rows_schema()["$defs"].get(model)
            _whole[model] = cast(Dict[str, Any], _whole_in(schema["answer"])) if schema else {}
        if _whole[model]:
            _made_whole(answer, _whole[model])
    return answer


def _error(field: Optional[str], message: str) -> Dict[str, Any]:
    return {"error": {"field": field, "message": message}}


_NO_ID = object()


def _written(row: Any) -> Union[str, Dict[str, Any]]:
    """The row as text without its id, or the error row that answers it."""
    if not isinstance(row, Mapping):
        return _error(None, f"must be a dictionary, got a {type(row).__name__}")
    try:
        return text_of({key: value for key, value in row.items() if key != "id"})
    except InvalidInput as error:
        return _error(error.field or None, error.message)


def _with_id(row: Any, answer: Dict[str, Any]) -> Dict[str, Any]:
    given = row.get("id", _NO_ID) if isinstance(row, Mapping) else _NO_ID
    return answer if given is _NO_ID else {"id": given, **answer}


@overload
def solve(rows: Mapping[str, Any], *, threads: int = 0, progress: Progress = None) -> Dict[str, Any]:
    ...


@overload
def solve(rows: Iterable[Mapping[str, Any]], *, threads: int = 0, progress: Progress = None) -> List[Dict[str, Any]]:
    ...


def solve(
    rows: Union[Mapping[str, Any], Iterable[Mapping[str, Any]]], *, threads: int = 0, progress: Progress = None
) -> Union[Dict[str, Any], List[Dict[str, Any]]]:
    """Answers rows as `carom solve` does, the same numbers to the bit.

    Arguments:
        rows: a dictionary with `model` and that model's fields (docs/solve.md), or many; numpy arrays are welcome
        threads: at most this many; 0: one per core
        progress: called with (done, total) now and then

    Returns a dictionary for a dictionary, else a list in the order of the rows. A row that is refused is answered with
    `{"error": {"field": .., "message": ..}}`; nothing is raised for it.
    """
    if isinstance(rows, Mapping):
        written = _written(rows)
        if isinstance(written, str):
            text = _core.solve_row(written.encode("utf-8", "surrogatepass"), may_be_long(rows.get("model")))
            written = answer_of_text(text, rows.get("model"))
        return _with_id(rows, written)
    if isinstance(rows, (str, bytes)):
        raise InvalidInput("rows", "must be a dictionary or a list of them, got text")
    given = list(rows)
    texts = [_written(row) for row in given]
    answers = iter(
        _core.solve_rows(
            [text.encode("utf-8", "surrogatepass") for text in texts if isinstance(text, str)], threads, progress
        )
    )
    out: List[Dict[str, Any]] = []
    collects = gc.isenabled()
    gc.disable()  # it would look through all answers again and again, none of which is garbage: half of the time
    try:
        for row, written in zip(given, texts):
            if isinstance(written, str):
                written = answer_of_text(next(answers), row.get("model"))
            out.append(_with_id(row, written))
    finally:
        if collects:
            gc.enable()
    return out


def asked(model: str, kind: Type[R], fields: Mapping[str, Any], spoken: Mapping[str, str]) -> R:
    """What a model's function does: the row, its answer, or InvalidInput in the words of the arguments."""
    row: Dict[str, Any] = {"model": model}
    row.update((name, value) for name, value in fields.items() if value is not None)
    try:
        text = text_of(row)
    except InvalidInput as error:
        raise InvalidInput(spoken_path(error.field, spoken), error.message) from None
    answer = answer_of_text(_core.solve_row(text.encode("utf-8", "surrogatepass"), may_be_long(model)), model)
    if "error" in answer:
        raise InvalidInput(spoken_path(answer["error"]["field"], spoken), answer["error"]["message"])
    return kind(answer, json.loads(text))


def spoken_path(field: Optional[str], spoken: Mapping[str, str]) -> str:
    """A path of a row with its first name as the argument is called."""
    if not field:
        return ""
    end = next((i for i, c in enumerate(field) if c in ".["), len(field))
    return spoken.get(field[:end], field[:end]) + field[end:]
