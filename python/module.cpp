// carom._core: the doors of the library that the Python layer (python/carom) goes through. Rows and scenarios pass as
// text, which is exact (shortest round-trip numbers); arrays pass as they are.
#include <pybind11/stl.h>

#include "carom/core/error.hpp"
#include "carom/core/shape.hpp"
#include "carom/impact/planar.hpp"
#include "carom/impact/spatial.hpp"
#include "carom/report/document.hpp"
#include "carom/report/writers.hpp"
#include "carom/scenario/glossary.hpp"
#include "carom/scenario/reproduce.hpp"
#include "carom/scenario/scenario.hpp"
#include "carom/scenario/solve.hpp"
#include "carom/scenario/sweep.hpp"
#include "carom/scenario/validate.hpp"
#include "carom/schema/mistakes.hpp"

#include "work.hpp"

namespace carom::python {

namespace {

// --- rows ---

py::list solve_rows(const py::list& lines, int threads, const py::object& progress) {
  std::vector<std::string> rows;
  rows.reserve(lines.size());
  for (const py::handle& line : lines) rows.push_back(py::cast<std::string>(line));
  std::vector<std::string> answers(rows.size());
  in_blocks(rows.size(), threads, 8, progress, [&](std::size_t first, std::size_t last) {
    bool failed = false;
    for (std::size_t i = first; i < last; ++i)
      answers[i] = rows[i].size() > scenario::max_solve_line
                       ? R"({"error":{"field":null,"message":"the line is over 64 MB"}})"
                       : scenario::solve_row(rows[i], failed);
  });
  py::list out;
  for (const std::string& answer : answers) out.append(py::str(answer));
  return out;
}

/// One row: as long as it takes, with an eye on Ctrl-C where that is long. (Starting a thread would take longer than
/// most rows: those of one impact are answered here.)
py::str solve_row(const std::string& line, bool may_be_long) {
  const auto answer = [&](const Progress&) {
    bool failed = false;
    return scenario::solve_row(line, failed);
  };
  if (may_be_long) return watched(py::none(), answer);
  std::string found;
  {
    const Unlocked unlocked;
    found = answer({});
  }
  return found;
}

// --- bodies ---

/// A solid by its name and sizes, as scenario files call them.
Shape shape_of(const std::string& name, const py::dict& sizes) {
  const auto size = [&](const char* key) {
    if (!sizes.contains(key)) throw InvalidInput(key, "is required of a " + name);
    return sizes[key];
  };
  const auto number = [&](const char* key) { return py::cast<double>(size(key)); };
  const auto vector = [](const py::handle& three) {
    const auto numbers = py::cast<std::array<double, 3>>(three);
    return Eigen::Vector3d(numbers[0], numbers[1], numbers[2]);
  };
  if (name == "sphere") return Sphere{number("radius")};
  if (name == "shell") return SphericalShell{number("radius")};
  if (name == "box") return Box{vector(size("size"))};
  if (name == "cylinder") return Cylinder{number("radius"), number("height")};
  if (name == "capsule") return Capsule{number("radius"), number("length")};
  if (name == "cone") return Cone{number("radius"), number("height")};
  if (name == "pencil") return Pencil{number("radius"), number("height"), number("tip")};
  if (name == "truncated_icosahedron") return TruncatedIcosahedron{number("edge")};
  if (name == "revolution") {
    Revolution solid;
    for (const auto& point : py::cast<std::vector<std::array<double, 2>>>(size("profile")))
      solid.profile.emplace_back(point[0], point[1]);
    return solid;
  }
  if (name == "drilled_ball") {
    DrilledBall ball{number("radius"), {}};
    for (const py::handle& hole : py::cast<py::list>(size("holes")))
      ball.holes.push_back({py::cast<double>(hole["radius"]), vector(hole["bottom"]), vector(hole["direction"])});
    return ball;
  }
  Polyhedron solid;
  for (const py::handle& vertex : py::cast<py::list>(size("vertices"))) solid.vertices.push_back(vector(vertex));
  solid.faces = py::cast<std::vector<std::vector<int>>>(size("faces"));
  return solid;
}

/// The inertia about the centre of mass, in axes of the shape, and where that centre is.
py::tuple mass_properties_of(const std::string& name, const py::dict& sizes, double mass) {
  const MassProperties found = mass_properties(shape_of(name, sizes), mass);
  std::vector<std::array<double, 3>> rows;
  for (int i = 0; i < 3; ++i) rows.push_back({found.inertia(i, 0), found.inertia(i, 1), found.inertia(i, 2)});
  return py::make_tuple(rows, std::array<double, 3>{found.center[0], found.center[1], found.center[2]});
}

// --- scenarios ---

std::vector<schema::Setting> settings_of(const std::vector<std::pair<std::string, std::string>>& set) {
  std::vector<schema::Setting> settings;
  for (const auto& [path, value] : set) settings.push_back({path, value});
  return settings;
}

/// Work that ends in a document, with an eye on Ctrl-C.
template <class Work>
std::shared_ptr<report::Document> document_of(const py::object& progress, const Work& work) {
  return watched(progress, [&](const Progress& told) {
    auto document = std::make_shared<report::Document>(work(told));
    if (told.is_cancelled()) throw Cancelled();
    return document;
  });
}

const report::Plot& plot_of(const report::Document& document, const std::string& name) {
  for (const report::Plot& plot : document.plots)
    if (plot.name == name) return plot;
  throw py::key_error(name);
}

const char* word(report::Color color) {
  switch (color) {
    case report::Color::ink:
      return "ink";
    case report::Color::muted:
      return "muted";
    case report::Color::blue:
      return "blue";
    case report::Color::orange:
      return "orange";
    case report::Color::green:
      return "green";
    case report::Color::purple:
      return "purple";
    case report::Color::red:
      return "red";
    case report::Color::sky:
      return "sky";
    case report::Color::yellow:
      return "yellow";
  }
  return "ink";
}

/// As matplotlib writes dashes and markers.
const char* word(report::Dash dash) {
  switch (dash) {
    case report::Dash::solid:
      return "-";
    case report::Dash::dashed:
      return "--";
    case report::Dash::dotted:
      return ":";
    case report::Dash::dash_dot:
      return "-.";
  }
  return "-";
}
const char* word(report::MarkerShape shape) {
  switch (shape) {
    case report::MarkerShape::circle:
      return "o";
    case report::MarkerShape::square:
      return "s";
    case report::MarkerShape::diamond:
      return "D";
    case report::MarkerShape::triangle:
      return "^";
    case report::MarkerShape::cross:
      return "x";
    case report::MarkerShape::ring:
      return "ring";
    case report::MarkerShape::dot:
      return ".";
    case report::MarkerShape::none:
      return "";
  }
  return "o";
}

/// What the numbers of a plot look like: colours, dashes, markers, in the order of its elements.
py::dict style_of(const report::Plot& plot) {
  const auto stroke = [](const report::Stroke& each) {
    return py::make_tuple(word(each.color), word(each.dash), each.width);
  };
  py::dict out;
  out["equal_scale"] = plot.equal_scale;
  out["axes_at_zero"] = plot.axes_at_zero;
  out["bare"] = plot.bare;
  py::list curves, arrows, lines, markers;
  for (const report::Curve& curve : plot.curves) curves.append(stroke(curve.stroke)), arrows.append(curve.arrow);
  for (const report::Line& line : plot.lines) lines.append(stroke(line.stroke));
  for (const report::Marker& marker : plot.markers)
    markers.append(py::make_tuple(word(marker.color), word(marker.shape)));
  out["curves"] = curves;
  out["arrows"] = arrows;
  out["lines"] = lines;
  out["markers"] = markers;
  const auto range = [](const report::Axis& axis) { return py::make_tuple(axis.low, axis.high); };
  out["x"] = range(plot.x);
  out["y"] = range(plot.y);
  return out;
}

/// The Python class that stands for InvalidInput; lives as long as the interpreter.
PyObject* invalid_input = nullptr;

void raise_invalid(const std::string& field, const std::string& message, const py::object& mistakes) {
  try {
    const py::object error =
        py::reinterpret_borrow<py::object>(invalid_input)(field, message, py::arg("mistakes") = mistakes);
    PyErr_SetObject(invalid_input, error.ptr());
  } catch (py::error_already_set& failed) {
    failed.restore();
  }
}

void translate(std::exception_ptr raised) {
  try {
    if (raised) std::rethrow_exception(raised);
  } catch (const scenario::BadScenario& bad) {
    py::list mistakes;
    for (const schema::Mistake& mistake : bad.mistakes())
      mistakes.append(py::make_tuple(mistake.line, mistake.path, mistake.message));
    const bool one = bad.mistakes().size() == 1;
    raise_invalid(bad.mistakes().empty() ? "" : bad.mistakes().front().path,
                  one ? bad.mistakes().front().message : bad.what(), mistakes);
  } catch (const InvalidInput& bad) {
    raise_invalid(bad.field(), bad.message(), py::none());
  } catch (const Cancelled&) {
    PyErr_SetNone(PyExc_KeyboardInterrupt);
  }
}

}  // namespace

PYBIND11_MODULE(_core, m) {
  m.doc() = "The doors of carom that its Python layer goes through; use the module `carom`.";
  invalid_input = py::object(py::module_::import("carom._errors").attr("InvalidInput")).release().ptr();
  py::register_local_exception_translator(translate);

  py::dict words;
  words["verdict"] = names<Verdict>();
  words["mode"] = names<PlanarMode>();
  words["process"] = names<SpatialCase>();
  words["flags"] = names<Flag>();
  words["law"] = names<RestitutionLaw>();
  m.attr("names") = words;
  m.attr("version") = CAROM_VERSION;
  m.def("available_threads", &available_threads);

  m.def("solve_row", &solve_row, py::arg("line"), py::arg("may_be_long"));
  m.def("solve_rows", &solve_rows, py::arg("lines"), py::arg("threads"), py::arg("progress"));
  m.def(
      "check_row", [](const std::string& line) { return scenario::check_row(line); }, py::arg("line"));
  m.def("rows_schema", &scenario::rows_schema);
  m.def("scenario_schema", &scenario::json_schema);
  m.def("glossary", [] {
    py::list terms;
    for (const scenario::Term& term : scenario::glossary())
      terms.append(py::make_tuple(term.name, term.what, term.where, term.meaning));
    return terms;
  });
  m.def("svg_of_nothing", [] { return report::svg_text({}); });
  m.def(
      "suggestion",
      [](const std::string& word, const std::vector<std::string>& known) { return schema::suggestion(word, known); },
      py::arg("word"), py::arg("known"));

  m.def("mass_properties", &mass_properties_of, py::arg("shape"), py::arg("sizes"), py::arg("mass"));
  add_arrays(m);

  using Settings = std::vector<std::pair<std::string, std::string>>;
  using scenario::Scenario;
  py::class_<report::Document, std::shared_ptr<report::Document>>(m, "Document")
      .def("json", [](const report::Document& document) { return report::json_text(document, false); })
      .def(
          "svg",
          [](const report::Document& document, const std::string& plot) {
            return report::svg_text(plot_of(document, plot));
          },
          py::arg("plot"))
      .def(
          "style",
          [](const report::Document& document, const std::string& plot) { return style_of(plot_of(document, plot)); },
          py::arg("plot"))
      .def(
          "terminal",
          [](const report::Document& document, std::size_t width) {
            return report::terminal_text(document, {.width = width});
          },
          py::arg("width"))
      .def("files", [](const report::Document& document) {
        py::dict files;
        for (const report::Attachment& file : document.files) files[py::str(file.name)] = py::bytes(file.content);
        return files;
      });
  py::class_<Scenario>(m, "Scenario")
      .def_property_readonly("kind", [](const Scenario& scenario) { return scenario.head().kind; })
      .def_property_readonly("model", [](const Scenario& scenario) { return scenario.head().model; })
      .def_property_readonly("title", [](const Scenario& scenario) { return scenario.head().title; })
      .def_property_readonly("about", [](const Scenario& scenario) { return scenario.head().about; })
      .def_property_readonly("warnings", [](const Scenario& scenario) { return scenario.warnings(); })
      .def("annotated", [](const Scenario& scenario) { return scenario::annotated(scenario); })
      .def(
          "answer",
          [](const Scenario& scenario, const py::object& progress) {
            return document_of(progress, [&](const Progress& told) { return scenario.answer(told); });
          },
          py::arg("progress"))
      .def(
          "sweep",
          [](const Scenario& scenario, const std::vector<std::string>& vary,
             const std::vector<std::pair<std::string, std::vector<double>>>& over, const std::vector<std::string>& show,
             const py::object& progress) {
            scenario::Sweep sweep;
            for (const std::string& text : vary) sweep.fields.push_back(scenario::swept_field(text));
            for (const auto& [path, values] : over) sweep.fields.push_back({.path = path, .values = values});
            for (const std::string& fact : show) sweep.show.push_back({{fact}});
            return document_of(
                progress, [&](const Progress& told) { return scenario.describe(scenario.run_sweep(sweep, told)); });
          },
          py::arg("vary"), py::arg("over"), py::arg("show"), py::arg("progress"));
  using Path = std::filesystem::path;
  m.def(
      "reproduce",
      [](const std::string& work, const std::string& scenarios, const std::vector<std::string>& only,
         const py::object& progress) {
        return document_of(progress, [&](const Progress& told) {
          const scenario::Work loaded = scenario::load_work(Path(work));
          return scenario::describe(
              loaded, scenario::reproduce(loaded, {.scenarios = scenarios, .only = only, .progress = told}));
        });
      },
      py::arg("work"), py::arg("scenarios"), py::arg("only"), py::arg("progress"));
  m.def(
      "validate",
      [](const std::string& set, const std::string& scenarios, const py::object& progress) {
        return document_of(progress, [&](const Progress& told) {
          return scenario::describe(scenario::validate(Path(set), Path(scenarios), told));
        });
      },
      py::arg("set"), py::arg("scenarios"), py::arg("progress"));
  m.def(
      "validate_planar_impacts",
      [](const std::string& data, double mass, double gyration, const py::object& progress) {
        return document_of(progress, [&](const Progress& told) {
          return scenario::describe(scenario::validate_planar_impacts(Path(data), mass, gyration, told), data);
        });
      },
      py::arg("data"), py::arg("mass"), py::arg("gyration"), py::arg("progress"));
  m.def(
      "load",
      [](const std::string& file, const Settings& set) {
        return scenario::load(std::filesystem::path(file), settings_of(set));
      },
      py::arg("file"), py::arg("set"));
  m.def(
      "parse",
      [](const std::string& text, const std::string& name, const Settings& set) {
        return scenario::parse(text, name, settings_of(set));
      },
      py::arg("text"), py::arg("name"), py::arg("set"));
}

}  // namespace carom::python