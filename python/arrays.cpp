// The doors of carom._core that arrays go through: looked at, then read and written where they are.
#include <pybind11/stl.h>

#include "batches.hpp"
#include "work.hpp"

namespace carom::python {

namespace {

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

}  // namespace

void add_arrays(py::module_& m) {
  m.def("contact_batch", &contact_batch, py::arg("model"), py::arg("law"), py::arg("published"), py::arg("rows"),
        py::arg("arrays"), py::arg("out"), py::arg("threads"), py::arg("progress"));
  m.def("refuse_contact", &refuse_contact, py::arg("model"), py::arg("law"), py::arg("arrays"), py::arg("row"),
        py::arg("rows"));
  m.def("impulse_path", &impulse_path, py::arg("model"), py::arg("law"), py::arg("published"), py::arg("arrays"));
  m.def("systems", &systems, py::arg("how"), py::arg("rows"), py::arg("arrays"), py::arg("out"), py::arg("threads"),
        py::arg("progress"));
  m.def("refuse_system", &refuse_system, py::arg("how"), py::arg("arrays"), py::arg("row"), py::arg("rows"));
  m.def("one_system", &one_system, py::arg("how"), py::arg("arrays"));
}

}  // namespace carom::python
