"""Writes carom/_rows.py: a function for each model of `carom solve`, and a class for each answer.

    python3 rows_module.py <folder of the package>

Arguments, attributes, their types and what they mean are those of the rows' own descriptions (`carom schema --rows`):
what C++ describes once is what Python shows. Here stands only what Python says differently.
"""
from __future__ import annotations

import json
import keyword
import re
import sys
import textwrap
import types
from pathlib import Path
from typing import Any, Dict, List, Tuple

#: model -> (class of its answer, leading positional arguments, what it answers)
MODELS: Dict[str, Tuple[str, Tuple[str, ...], str]] = {
    "planar": ("PlanarImpact", ("W", "v"), "What happens when two bodies hit each other in the plane, with friction?"),
    "spatial": (
        "SpatialImpact",
        ("W", "v"),
        "What happens when two bodies hit each other at one point in space, with friction?",
    ),
    "compliant": (
        "CompliantImpact",
        ("W", "v"),
        "What happens in space with friction and a contact that gives sideways?",
    ),
    "simultaneous": (
        "SimultaneousImpact",
        ("bodies", "contacts"),
        "What happens when many bodies hit each other at the same time?",
    ),
    "multipoint": (
        "MultipointImpact",
        ("mass_matrix", "jacobian", "velocity"),
        "What happens when a rigid body strikes several points at once?",
    ),
    "rod": ("RodBounce", (), "How does an elastic rod bounce, and what restitution comes of its waves?"),
    "world": ("WorldRun", (), "What becomes of a scene in time? (`carom.World` builds one piece by piece.)"),
    "normal_impact": ("NormalImpact", (), "How hard do two bodies press while they touch?"),
    "stick_slip": ("StickSlip", (), "How does a mass on a moving plate stick and slip?"),
    "sphere_on_plane": ("SphereOnPlane", (), "How does a ball bounce, slide and roll on a plane that gives?"),
    "pendulum_impact": ("PendulumImpact", (), "What happens when a pendulum strikes with its tip?"),
    "contact_parameters": (
        "ContactParameters",
        (),
        "Which stiffness and damping give a restitution and a time of touch?",
    ),
    "batting": ("BattingPlan", (), "Which contact velocity sends a body through a target?"),
    "fit": ("Fit", ("observations",), "Which friction, restitution and stiffness ratio explain measured impacts?"),
    "fem": ("SoftLoad", ("vertices", "tets"), "Where does a soft body come to rest under its load?"),
    "rest_shape": ("RestShape", ("vertices", "tets"), "What shape would an observed soft body have without its load?"),
    "squeeze": ("Squeeze", ("vertices", "tets"), "Can two fingers pick a soft body up?"),
}

#: what the words of rows are called as arguments, as in C++
ARGUMENTS = {"mu": "friction", "e": "restitution", "mu_s": "static_friction", "mu_d": "dynamic_friction"}

#: arguments that may be left out here though rows want them: the defaults of C++
DEFAULTS = {("planar", "law"): "energetic", ("spatial", "law"): "energetic"}

HEAD = '''"""A function for each model of `carom solve`, a class for each answer. Written by rows_module.py, not by hand."""
from __future__ import annotations

from typing import Any, Dict, Optional, Tuple

from ._answers import asked
from ._record import Array, ArrayLike, Record

'''


def camel(name: str) -> str:
    return "".join(part[:1].upper() + part[1:] for part in name.split("_"))


def singular(name: str) -> str:
    if name == "bodies":
        return "body"
    return name[:-1] if name.endswith("s") and not name.endswith("ss") else name


def without_null(schema: Dict[str, Any]) -> Tuple[Dict[str, Any], bool]:
    """The schema of what is there, and whether it may be null."""
    if "anyOf" in schema:
        kept = [each for each in schema["anyOf"] if each.get("type") != "null"]
        nullable = len(kept) < len(schema["anyOf"])
        return (kept[0], nullable) if len(kept) == 1 else ({"anyOf": kept}, nullable)
    kind = schema.get("type")
    if isinstance(kind, list):
        kept_kinds = [each for each in kind if each != "null"]
        return ({**schema, "type": kept_kinds[0]} if len(kept_kinds) == 1 else {}, "null" in kind)
    return schema, False


def is_number(schema: Dict[str, Any]) -> bool:
    return without_null(schema)[0].get("type") in ("number", "integer")


def numbers_in(schema: Dict[str, Any]) -> bool:
    """Are these numbers, or lists of them, however deep?"""
    inner = without_null(schema)[0]
    if inner.get("type") == "array" and isinstance(inner.get("items"), dict):
        return is_number(inner["items"]) or numbers_in(inner["items"])
    return False


class Answers:
    """The classes of the answers, innermost first."""

    def __init__(self) -> None:
        self.text: List[str] = []

    def attribute(self, owner: str, name: str, schema: Dict[str, Any], required: bool) -> str:
        inner, nullable = without_null(schema)
        optional = nullable or not required
        kind = inner.get("type")
        told = schema.get("description", "")
        if "enum" in inner:
            told += ": " + ", ".join(f"`{word}`" for word in inner["enum"])
            kind = "string"
        simple = {"number": "float", "integer": "int", "boolean": "bool", "string": "str"}
        if kind in simple:
            hint, call = simple[kind], f"{simple[kind]}({name!r})"
        elif kind == "array" and is_number(inner["items"]) and without_null(inner["items"])[0]["type"] == "integer":
            hint, call = "Tuple[int, ...]", f"ints({name!r})"
        elif numbers_in(inner):
            hint, call = "Array", f"array({name!r})"
        elif kind == "array" and "enum" in inner["items"]:
            hint, call = "Tuple[str, ...]", f"words({name!r})"
        elif kind == "array" and without_null(inner["items"])[0].get("type") == "object":
            item, some_null = without_null(inner["items"])
            nested = self.record(owner + camel(singular(name)), f"One of `{owner}.{name}`: {told}", item)
            hint = f"Tuple[Optional[{nested}], ...]" if some_null else f"Tuple[{nested}, ...]"
            call = f"{'maybe_' if some_null else ''}records({name!r}, {nested})"
        elif kind == "object" and inner.get("properties"):
            nested = self.record(owner + camel(name), f"`{owner}.{name}`: {told}", inner)
            hint, call = nested, f"record({name!r}, {nested})"
        elif kind == "object":
            hint, call = "Dict[str, Any]", f"mapping({name!r})"
        else:
            hint, call, optional = "Any", f"anything({name!r})", False
        if optional:
            getter = f"None if self._absent({name!r}) else self._{call}"
            hint = f"Optional[{hint}]"
        else:
            getter = f"self._{call}"
        spoken = name + "_" * keyword.iskeyword(name)  # `class` of a row is `class_` here
        return f"    @property\n    def {spoken}(self) -> {hint}:\n" f"{documented(told, 8)}        return {getter}\n"

    def record(self, name: str, doc: str, schema: Dict[str, Any]) -> str:
        wanted = schema.get("required", [])
        attributes = [
            self.attribute(name, field, each, field in wanted) for field, each in schema["properties"].items()
        ]
        self.text.append(
            f"class {name}(Record):\n{documented(doc, 4)}\n    __slots__ = ()\n"
            f"    _fields = {tuple(schema['properties'])!r}\n\n" + "\n".join(attributes) + "\n"
        )
        return name


def documented(text: str, indent: int) -> str:
    lines = textwrap.wrap(text.replace("\\", "\\\\"), 110 - indent) or [""]
    space = " " * indent
    if len(lines) == 1:
        return f'{space}"""{lines[0]}"""\n'
    return f'{space}"""' + f"\n{space}".join(lines) + f'\n{space}"""\n'


def hint_of(schema: Dict[str, Any]) -> str:
    inner, _ = without_null(schema)
    if "enum" in inner:
        return "str"
    simple = {"number": "float", "integer": "int", "boolean": "bool", "string": "str"}
    if inner.get("type") in simple:
        return simple[inner["type"]]
    return "ArrayLike" if numbers_in(inner) else "Any"


def function(model: str, schema: Dict[str, Any]) -> str:
    answer, leading, doc = MODELS[model]
    fields = {
        name: each for name, each in schema["properties"].items() if name not in ("model", "id") and "not" not in each
    }
    required = set(schema.get("required", []))

    def argument(field: str) -> str:
        spoken = ARGUMENTS.get(field, field)
        return field if spoken in fields else spoken

    def parameter(field: str) -> str:
        hint = hint_of(fields[field])
        default = DEFAULTS.get((model, field))
        if default is not None:
            return f"{argument(field)}: {hint} = {default!r}"
        return f"{argument(field)}: {hint}" if field in required else f"{argument(field)}: Optional[{hint}] = None"

    def can_be_left(field: str) -> bool:
        return field not in required or (model, field) in DEFAULTS

    rest = [field for field in fields if field not in leading]
    named = [f for f in rest if not can_be_left(f)] + [f for f in rest if can_be_left(f)]
    parameters = [parameter(f) for f in leading] + ["*"] + [parameter(f) for f in named]
    signature = f"def {model}("
    signature = "\n".join(
        textwrap.wrap(
            ", ".join(parameters),
            118 - len(signature),
            initial_indent="",
            subsequent_indent=" " * len(signature),
            break_long_words=False,
        )
    ).join((signature, f") -> {answer}:"))
    lines = [doc, "", "Arguments:"]
    for field in [*leading, *named]:
        told = fields[field].get("description", "")
        words = fields[field].get("enum")
        if words:
            told += ": " + ", ".join(f"`{word}`" for word in words)
        lines += textwrap.wrap(f"{argument(field)}: {told}", 106, initial_indent="    ", subsequent_indent="        ")
    lines += ["", f"Returns a `{answer}`. Raises `InvalidInput`, naming the argument."]
    body = "\n".join(("    " + line).rstrip() for line in lines).replace("\\", "\\\\").lstrip()
    spoken = {field: argument(field) for field in fields if argument(field) != field}
    given = ", ".join(f'"{field}": {argument(field)}' for field in fields)
    given = "\n".join(textwrap.wrap(given, 108, initial_indent="        ", subsequent_indent="        "))
    return (
        f'{signature}\n    """{body}\n    """\n' f"    return asked({model!r}, {answer}, {{\n{given}}}, {spoken!r})\n"
    )


def main(package: Path) -> None:
    # The package itself imports what is about to be written.
    stand_in = types.ModuleType("carom")
    stand_in.__path__ = [str(package)]
    sys.modules["carom"] = stand_in
    from carom import _core  # type: ignore[attr-defined]

    models = json.loads(_core.rows_schema())["$defs"]
    unknown = [model for model in models if model not in MODELS]
    for model in unknown:  # a model that nobody has told this file about yet
        MODELS[model] = (camel(model) + "Answer", (), f"The model `{model}` of `carom solve`.")
    answers = Answers()
    for model, schema in models.items():
        answers.record(MODELS[model][0], f"The answer of `carom.{model}`. {MODELS[model][2]}", schema["answer"])
    functions = [function(model, schema["row"]) for model, schema in models.items()]
    classes = re.findall(r"^class (\w+)\(", "\n".join(answers.text), re.M)
    text = (
        HEAD
        + f"MODELS: Dict[str, Tuple[str, ...]] = {{}}\n\n\n"
        + "\n".join(answers.text)
        + "\n"
        + "\n\n".join(functions)
    )
    text = text.replace("MODELS: Dict[str, Tuple[str, ...]] = {}\n", f"__all__ = {json.dumps([*models, *classes])}\n")
    tops = ", ".join(f"{model!r}: {MODELS[model][0]}" for model in models)
    text += "\n\n#: the class of each model's answer\nanswer_of: Dict[str, type[Record]] = {" + tops + "}\n"
    (package / "_rows.py").write_text(text, encoding="utf-8")


if __name__ == "__main__":
    main(Path(sys.argv[1]))
