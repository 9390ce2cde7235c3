// How are the rows of arrays handed to the batch calls of the library?
// Views of arrays with a leading batch axis, whatever their strides, and one function a model that answers a range of
// rows. Nothing here knows Python; any thread may call it.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <optional>
#include <string>
#include <vector>

#include "carom/core/material.hpp"
#include "carom/impact/impact.hpp"

namespace carom::python {

/// Numbers of an array, row by row: `strides` in bytes, that of the batch axis first (0: one row for all).
struct View {
  const std::byte* data = nullptr;
  std::array<std::ptrdiff_t, 3> strides{};

  double at(std::size_t row, std::size_t i = 0, std::size_t j = 0) const {
    double value;
    std::memcpy(&value,
                data + static_cast<std::ptrdiff_t>(row) * strides[0] + static_cast<std::ptrdiff_t>(i) * strides[1] +
                    static_cast<std::ptrdiff_t>(j) * strides[2],
                sizeof value);
    return value;
  }
};

/// Where results go; without data they are not wanted.
struct Sink {
  std::byte* data = nullptr;
  std::array<std::ptrdiff_t, 3> strides{};

  template <class T>
  void set(T value, std::size_t row, std::size_t i = 0, std::size_t j = 0) const {
    std::memcpy(data + static_cast<std::ptrdiff_t>(row) * strides[0] + static_cast<std::ptrdiff_t>(i) * strides[1] +
                    static_cast<std::ptrdiff_t>(j) * strides[2],
                &value, sizeof value);
  }
};

/// One bit a flag, the first enumerator the lowest.
std::uint32_t bits(Flags flags);

enum class BatchModel { planar, spatial, compliant };

/// What a batch of single contacts reads and writes.
struct ContactBatch {
  BatchModel model = BatchModel::spatial;
  RestitutionLaw law = RestitutionLaw::energetic;
  bool published = false;  ///< compliant: Reading::published
  View inverse_inertia, velocity, friction, restitution, stiffness_ratio_root, free_acceleration;
  Sink impulse, velocity_after, verdict, process, flags;
  /// Derivatives of the impulse; all of them or none.
  Sink by_velocity, by_friction, by_restitution, by_stiffness_ratio_root, exact;

  /// Answers rows first to last - 1. A row that is refused gets Verdict::invalid and numbers that are none.
  void solve(std::size_t first, std::size_t last) const;
  /// Says what is wrong with a row.
  /// @throws InvalidInput
  void refuse(std::size_t row) const;
  /// The impulse so far (three numbers) along the process of a row in space.
  std::vector<std::array<double, 3>> impulse_path(std::size_t row) const;
};

/// What many contacts of a mechanical system need.
struct SystemBatch {
  std::string model;  ///< "spatial", "planar", "compliant", "simultaneous", "rodriguez", "lcp"
  RestitutionLaw law = RestitutionLaw::energetic;
  int coordinates = 0, contacts = 0, dimension = 3;
  View mass_matrix, jacobian, velocity, friction, restitution, stiffness, eta0;  ///< the last two may be missing
  double exponent = 1.0, tolerance = 1e-10;
  Sink velocity_after, impulse, energy_before, energy_after, verdict, flags;

  void solve(std::size_t first, std::size_t last) const;
  void refuse(std::size_t row) const;
};

/// One impact of a mechanical system.
struct SystemImpact {
  struct Event {
    EventType type;
    int contact;
    std::optional<double> time;  ///< many contacts, in time units
    std::array<double, 3> impulse;
  };
  std::string verdict;
  std::vector<double> velocity;                ///< qdot after
  std::vector<double> impulse;                 ///< contact by contact, axis by axis
  std::vector<double> contact_velocity_after;  ///< the same
  EnergyLedger energy;                         ///< of the whole system
  std::vector<Event> events;
  std::vector<std::vector<double>> solutions;  ///< every velocity after, where there may be several
  bool exhaustive = true;
  std::uint32_t flags = 0;
};
SystemImpact system_impact(const SystemBatch& batch, std::size_t row);

}  // namespace carom::python
