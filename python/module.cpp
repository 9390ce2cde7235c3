// carom._core: the doors of the library that the Python layer (python/carom) goes through. Rows and scenarios pass as
// text, which is exact (shortest round-trip numbers); arrays pass as they are.
#include <atomic>
#include <chrono>
#include <condition_variable>
#include <exception>
#include <mutex>
#include <pybind11/pybind11.h>
#include <pybind11/stl.h>
#include <thread>

#include "carom/core/error.hpp"
#include "carom/core/parallel.hpp"
#include "carom/impact/planar.hpp"
#include "carom/impact/spatial.hpp"
#include "carom/report/document.hpp"
#include "carom/report/writers.hpp"
#include "carom/scenario/glossary.hpp"
#include "carom/scenario/scenario.hpp"
#include "carom/scenario/solve.hpp"
#include "carom/scenario/sweep.hpp"
#include "carom/schema/mistakes.hpp"

#include "batches.hpp"

namespace py = pybind11;

namespace carom::python {

namespace {

using Clock = std::chrono::steady_clock;

/// Without the interpreter's lock. At the end of the process it may be that there is no interpreter to come back to:
/// then this thread waits to be ended with the others. (py::gil_scoped_release would end it in a destructor, and the
/// process with it.)
class Unlocked {
public:
  Unlocked() : state_(PyEval_SaveThread()) {}
  ~Unlocked() {
#if PY_VERSION_HEX >= 0x030D0000
    const bool ending = Py_IsFinalizing() != 0;
#else
    const bool ending = _Py_IsFinalizing() != 0;
#endif
    while (ending) std::this_thread::sleep_for(std::chrono::hours(1));
    PyEval_RestoreThread(state_);
  }
  Unlocked(const Unlocked&) = delete;
  Unlocked& operator=(const Unlocked&) = delete;

private:
  PyThreadState* state_;
};

/// Does work on another thread while this one, Python's, shows how far it is and looks for Ctrl-C. The interpreter's
/// lock is released but for that.
/// @param progress  called with the share of the work that is done, or None
template <class Work>
auto watched(const py::object& progress, const Work& work) {
  struct Shared {
    std::mutex mutex;
    std::condition_variable over;
    bool done = false;
    std::atomic<double> share{0.0};
    std::atomic<bool> stop{false};
    std::exception_ptr failure;
  } shared;
  std::optional<decltype(work(Progress{}))> result;
  std::thread worker([&] {
    try {
      result.emplace(work(Progress{[&](double share) { shared.share = share; }, [&] { return shared.stop.load(); }}));
    } catch (...) {
      shared.failure = std::current_exception();
    }
    const std::lock_guard lock(shared.mutex);
    shared.done = true;
    shared.over.notify_one();
  });
  std::exception_ptr interrupted;
  constexpr std::chrono::milliseconds glance(50);
  for (bool over = false; !over;) {
    {
      const Unlocked unlocked;
      std::unique_lock lock(shared.mutex);
      over = shared.over.wait_for(lock, glance, [&] { return shared.done; });
    }
    if (over || interrupted) continue;
    try {
      if (PyErr_CheckSignals() != 0) throw py::error_already_set();
      if (!progress.is_none()) progress(shared.share.load());
    } catch (...) {
      interrupted = std::current_exception();
      shared.stop = true;
    }
  }
  {
    const Unlocked unlocked;
    worker.join();
  }
  if (interrupted) std::rethrow_exception(interrupted);
  if (shared.failure) std::rethrow_exception(shared.failure);
  if (!progress.is_none()) progress(1.0);
  return std::move(*result);
}

/// Rows in blocks of some 50 ms; between them Python may say what it wants to.
/// @param progress  called with (done, total) after each block, or None
template <class Solve>
void in_blocks(std::size_t count, int threads, std::size_t grain, const py::object& progress, const Solve& solve) {
  if (threads < 0) throw InvalidInput("threads", "must be >= 0, got " + std::to_string(threads));
  const int cores = available_threads();
  const int used = threads == 0 || threads > cores ? cores : threads;  // more only slow each other down
  std::size_t block = grain * static_cast<std::size_t>(used);
  for (std::size_t done = 0; done < count;) {
    const std::size_t rows = std::min(block, count - done);
    const Clock::time_point start = Clock::now();
    {
      const Unlocked unlocked;
      parallel_for(rows, grain, used, [&](std::size_t first, std::size_t last) { solve(done + first, done + last); });
    }
    const std::chrono::duration<double> took = Clock::now() - start;
    done += rows;
    if (took.count() < 0.05) block *= 2;
    if (took.count() > 0.2 && block > grain) block /= 2;
    if (PyErr_CheckSignals() != 0) throw py::error_already_set();
    if (!progress.is_none()) progress(done, count);
  }
}

// --- arrays ---

/// @param dimensions  axes beyond that of the batch
template <class T>
py::buffer_info checked(const py::buffer& array, std::size_t dimensions, bool writable, const char* name) {
  py::buffer_info info = array.request(writable);
  const bool right = info.itemsize == static_cast<py::ssize_t>(sizeof(T)) &&
                     info.format == py::format_descriptor<T>::format() &&
                     info.ndim == static_cast<py::ssize_t>(dimensions + 1);
  if (!right) throw InvalidInput(name, "is not such an array");
  return info;
}

std::array<std::ptrdiff_t, 3> strides_of(const py::buffer_info& info, std::size_t rows, const char* name) {
  if (info.shape[0] != 1 && static_cast<std::size_t>(info.shape[0]) != rows)
    throw InvalidInput(name, "has another number of rows");
  std::array<std::ptrdiff_t, 3> strides{};
  for (std::size_t i = 0; i < info.strides.size(); ++i) strides[i] = info.strides[i];
  if (info.shape[0] == 1) strides[0] = 0;
  return strides;
}

void require_axes(const py::buffer_info& info, std::initializer_list<int> sizes, const char* name) {
  std::size_t i = 1;
  for (const int size : sizes)
    if (info.shape[i++] != size) throw InvalidInput(name, "has another shape");
}

/// Arrays that are held while rows of them are read and written.
class Arrays {
public:
  explicit Arrays(std::size_t rows) : rows_(rows) {}

  View view(const py::dict& from, const char* name, std::initializer_list<int> sizes, bool needed = true) {
    if (!from.contains(name)) {
      if (needed) throw InvalidInput(name, "is required");
      return {};
    }
    held_.push_back(checked<double>(py::cast<py::buffer>(from[name]), sizes.size(), false, name));
    require_axes(held_.back(), sizes, name);
    return {static_cast<const std::byte*>(held_.back().ptr), strides_of(held_.back(), rows_, name)};
  }
  template <class T>
  Sink sink(const py::dict& from, const char* name, std::initializer_list<int> sizes, bool needed = true) {
    if (!from.contains(name)) {
      if (needed) throw InvalidInput(name, "is required");
      return {};
    }
    held_.push_back(checked<T>(py::cast<py::buffer>(from[name]), sizes.size(), true, name));
    require_axes(held_.back(), sizes, name);
    if (static_cast<std::size_t>(held_.back().shape[0]) != rows_)
      throw InvalidInput(name, "has another number of rows");
    return {static_cast<std::byte*>(held_.back().ptr), strides_of(held_.back(), rows_, name)};
  }

private:
  std::size_t rows_;
  std::vector<py::buffer_info> held_;
};

template <class Enum>
Enum named(const std::string& word, const char* field) {
  std::string known;
  for (const Named<Enum>& each : names_of<Enum>) {
    if (word == each.name) return each.value;
    known += (known.empty() ? "" : ", ") + std::string(each.name);
  }
  throw InvalidInput(field, "must be one of " + known + ", got '" + word + "'");
}

int axes_of(BatchModel model) { return model == BatchModel::planar ? 2 : 3; }

/// What the rows of a batch read.
ContactBatch rows_of(Arrays& arrays, const std::string& model, const std::string& law, const py::dict& in) {
  ContactBatch batch;
  batch.model = model == "planar"      ? BatchModel::planar
                : model == "compliant" ? BatchModel::compliant
                                       : BatchModel::spatial;
  batch.law = named<RestitutionLaw>(law, "law");
  const int n = axes_of(batch.model);
  batch.inverse_inertia = arrays.view(in, "W", {n, n});
  batch.velocity = arrays.view(in, "v", {n});
  batch.friction = arrays.view(in, "friction", {});
  batch.restitution = arrays.view(in, "restitution", {});
  batch.stiffness_ratio_root = arrays.view(in, "eta0", {}, batch.model == BatchModel::compliant);
  batch.free_acceleration = arrays.view(in, "free_acceleration", {}, batch.model == BatchModel::planar);
  return batch;
}

void contact_batch(const std::string& model, const std::string& law, bool published, std::size_t rows,
                   const py::dict& in, const py::dict& out, int threads, const py::object& progress) {
  Arrays arrays(rows);
  ContactBatch batch = rows_of(arrays, model, law, in);
  batch.published = published;
  const int n = axes_of(batch.model);
  batch.impulse = arrays.sink<double>(out, "impulse", {n});
  batch.velocity_after = arrays.sink<double>(out, "velocity_after", {n});
  batch.verdict = arrays.sink<std::uint8_t>(out, "verdict", {});
  batch.flags = arrays.sink<std::uint32_t>(out, "flags", {});
  batch.process = arrays.sink<std::uint8_t>(out, "process", {}, false);
  batch.by_velocity = arrays.sink<double>(out, "by_velocity", {n, n}, false);
  const bool slopes = out.contains("by_velocity"), springs = slopes && batch.model == BatchModel::compliant;
  batch.by_friction = arrays.sink<double>(out, "by_friction", {n}, slopes);
  batch.by_restitution = arrays.sink<double>(out, "by_restitution", {n}, slopes);
  batch.by_stiffness_ratio_root = arrays.sink<double>(out, "by_eta0", {n}, springs);
  batch.exact = arrays.sink<std::uint8_t>(out, "exact", {}, springs);
  // Rows that are handed to a thread at once: some milliseconds of work.
  const std::size_t grain = slopes                               ? 128
                            : batch.model == BatchModel::spatial ? 4096
                            : batch.model == BatchModel::planar  ? 65536
                                                                 : 256;
  in_blocks(rows, threads, grain, progress, [&](std::size_t first, std::size_t last) { batch.solve(first, last); });
}

/// What is wrong with one row.
void refuse_contact(const std::string& model, const std::string& law, const py::dict& in, std::size_t row,
                    std::size_t rows) {
  Arrays arrays(rows);
  rows_of(arrays, model, law, in).refuse(row);
}

std::vector<std::array<double, 3>> impulse_path(const std::string& model, const std::string& law, bool published,
                                                const py::dict& in) {
  Arrays arrays(1);
  ContactBatch batch = rows_of(arrays, model, law, in);
  batch.published = published;
  return batch.impulse_path(0);
}

SystemBatch system_batch(Arrays& arrays, const py::dict& how, const py::dict& in) {
  SystemBatch batch;
  batch.model = py::cast<std::string>(how["model"]);
  batch.law = named<RestitutionLaw>(py::cast<std::string>(how["law"]), "law");
  batch.coordinates = py::cast<int>(how["coordinates"]);
  batch.contacts = py::cast<int>(how["contacts"]);
  batch.dimension = py::cast<int>(how["dimension"]);
  batch.exponent = py::cast<double>(how["exponent"]);
  batch.tolerance = py::cast<double>(how["tolerance"]);
  const int n = batch.coordinates, k = batch.contacts;
  batch.mass_matrix = arrays.view(in, "M", {n, n});
  batch.jacobian = arrays.view(in, "J", {k * batch.dimension, n});
  batch.velocity = arrays.view(in, "v", {n});
  batch.friction = arrays.view(in, "friction", {k});
  batch.restitution = arrays.view(in, "restitution", {k});
  batch.stiffness = arrays.view(in, "stiffness", {k}, false);
  batch.eta0 = arrays.view(in, "eta0", {}, batch.model == "compliant");
  return batch;
}

void systems(const py::dict& how, std::size_t rows, const py::dict& in, const py::dict& out, int threads,
             const py::object& progress) {
  Arrays arrays(rows);
  SystemBatch batch = system_batch(arrays, how, in);
  batch.velocity_after = arrays.sink<double>(out, "velocity_after", {batch.coordinates});
  batch.impulse = arrays.sink<double>(out, "impulse", {batch.contacts, batch.dimension});
  batch.energy_before = arrays.sink<double>(out, "energy_before", {});
  batch.energy_after = arrays.sink<double>(out, "energy_after", {});
  batch.verdict = arrays.sink<std::uint8_t>(out, "verdict", {});
  batch.flags = arrays.sink<std::uint32_t>(out, "flags", {});
  in_blocks(rows, threads, 16, progress, [&](std::size_t first, std::size_t last) { batch.solve(first, last); });
}

void refuse_system(const py::dict& how, const py::dict& in, std::size_t row, std::size_t rows) {
  Arrays arrays(rows);
  system_batch(arrays, how, in).refuse(row);
}

py::dict one_system(const py::dict& how, const py::dict& in) {
  Arrays arrays(1);
  const SystemBatch batch = system_batch(arrays, how, in);
  const SystemImpact impact = watched(py::none(), [&](const Progress&) { return system_impact(batch, 0); });
  py::list events;
  for (const SystemImpact::Event& event : impact.events) {
    py::dict told;
    told["type"] = name(event.type);
    told["contact"] = event.contact;
    told["time"] = event.time ? py::object(py::float_(*event.time)) : py::object(py::none());
    py::list axes;
    for (int i = 0; i < batch.dimension; ++i) axes.append(event.impulse[static_cast<std::size_t>(i)]);
    told["impulse"] = axes;
    events.append(told);
  }
  py::dict out;
  out["verdict"] = impact.verdict;
  out["velocity_after"] = impact.velocity;
  out["impulse"] = impact.impulse;
  out["contact_velocity_after"] = impact.contact_velocity_after;
  py::dict energy;
  energy["before"] = impact.energy.before;
  energy["after"] = impact.energy.after;
  energy["restitution_loss"] = impact.energy.restitution_loss;
  energy["friction_loss"] = impact.energy.friction_loss;
  energy["residual"] = impact.energy.residual;
  out["energy"] = energy;
  out["events"] = events;
  out["solutions"] = impact.solutions;
  out["exhaustive"] = impact.exhaustive;
  out["flags"] = impact.flags;
  return out;
}

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

// --- scenarios ---

std::vector<schema::Setting> settings_of(const std::vector<std::pair<std::string, std::string>>& set) {
  std::vector<schema::Setting> settings;
  for (const auto& [path, value] : set) settings.push_back({path, value});
  return settings;
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

template <class Enum>
py::list names() {
  py::list out;
  for (const Named<Enum>& each : names_of<Enum>) out.append(each.name);
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

  m.def("contact_batch", &contact_batch, py::arg("model"), py::arg("law"), py::arg("published"), py::arg("rows"),
        py::arg("arrays"), py::arg("out"), py::arg("threads"), py::arg("progress"));
  m.def("refuse_contact", &refuse_contact, py::arg("model"), py::arg("law"), py::arg("arrays"), py::arg("row"),
        py::arg("rows"));
  m.def("impulse_path", &impulse_path, py::arg("model"), py::arg("law"), py::arg("published"), py::arg("arrays"));
  m.def("systems", &systems, py::arg("how"), py::arg("rows"), py::arg("arrays"), py::arg("out"), py::arg("threads"),
        py::arg("progress"));
  m.def("refuse_system", &refuse_system, py::arg("how"), py::arg("arrays"), py::arg("row"), py::arg("rows"));
  m.def("one_system", &one_system, py::arg("how"), py::arg("arrays"));

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
            return watched(progress, [&](const Progress& told) {
              auto document = std::make_shared<report::Document>(scenario.answer(told));
              if (told.is_cancelled()) throw Cancelled();
              return document;
            });
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
            return watched(progress, [&](const Progress& told) {
              auto document = std::make_shared<report::Document>(scenario.describe(scenario.run_sweep(sweep, told)));
              if (told.is_cancelled()) throw Cancelled();
              return document;
            });
          },
          py::arg("vary"), py::arg("over"), py::arg("show"), py::arg("progress"));
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
