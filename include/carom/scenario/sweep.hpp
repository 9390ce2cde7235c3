// How does the answer change with a number of the file?
// One or two numeric fields of a scenario, by their paths, take many values; the scenario runs once for each
// combination, on all cores, and every fact of a run becomes a cell of one table. Works for every kind.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "carom/report/table.hpp"
#include "carom/schema/settings.hpp"

#pragma GCC visibility push(default)

namespace carom::scenario {

/// One field and the values it takes.
struct SweptField {
  std::string path;            ///< "material.friction", "bodies[0].velocity[2]"
  std::vector<double> values;  ///< at least one
  std::string label = {};      ///< for people; "" for the path
  bool degrees = false;        ///< an angle: the values are in degrees, not radians
  bool logarithmic = false;    ///< evenly spread in the logarithm, and drawn so
  bool listed = false;         ///< a few values picked one by one: as a second field it gives a curve each, not a map
};

/// What one picture shows.
struct ShownFacts {
  std::vector<std::string> facts;  ///< keys, "velocity_after" or "velocity_after[2]"; from the second on dashed
  std::string title = {}, caption = {}, label = {};  ///< "" for the words of the facts
  std::vector<double> contours = {};                 ///< of a map: values along which a line is drawn
  std::string mark_at =
      {};  ///< key of a fact: a dot on each curve where the first field passes what this fact is there
};

/// Points from elsewhere to draw beside the computed ones.
struct MeasuredPoints {
  std::string source;
  std::string fact;            ///< in the picture that shows this one
  std::vector<double> at;      ///< values of the first field, in its unit
  std::vector<double> values;  ///< of the fact
};

struct Sweep {
  std::vector<SweptField> fields;              ///< one or two
  std::vector<schema::Setting> settings = {};  ///< for all runs of the sweep
  std::vector<ShownFacts> show = {};           ///< empty: the facts that change
  std::vector<MeasuredPoints> measured = {};
};

struct SweepResult {
  Sweep sweep;
  /// A row per run, the second field changing fastest: columns are the paths, every fact of any run, and `error` if a
  /// run had one (then it has no facts).
  report::Table table;
  std::size_t failed = 0;  ///< runs with an error
  bool complete = true;    ///< false: cancelled; the table has the runs before
};

/// More runs than this do not fit the memory of one table comfortably.
inline constexpr std::size_t max_sweep_runs = 1'000'000;

/// A field from text: "material.friction=0:1:101" (from, to, number of values), "damping=0.01:100:9:log",
/// "damping=0,0.1,0.2"; angles as "incidence=2deg:85deg:100".
/// @throws InvalidInput naming `vary` if it is none of these
SweptField swept_field(std::string_view text);

/// `count` values from one to the other, both included.
/// @throws InvalidInput if from is not below to, one is not finite, count < 2 or (logarithmic) from is not positive
std::vector<double> evenly_spread(double from, double to, int count, bool logarithmic = false);

}  // namespace carom::scenario

#pragma GCC visibility pop
