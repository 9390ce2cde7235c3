// A scenario without a file, and how its answer changes with one number: a spinning ball of rubber over friction.
#include <cstdio>

#include "carom/carom.hpp"

int main() {
  const carom::scenario::Scenario scenario = carom::scenario::parse(R"({
    "kind": "impact", "model": "compliant", "title": "A spinning ball",
    "bodies": [{"name": "ball", "mass": 3, "shape": "sphere", "radius": 1, "position": [0, 0, 1],
                "velocity": [-1, 0, -5], "angular_velocity": [0, 2, 0]}, "immovable"],
    "contact": {"point": [0, 0, 0], "normal": [0, 0, 1]},
    "material": {"friction": 0.4, "restitution": 0.5, "poisson": 0.3}})",
                                                                    "a spinning ball");
  carom::scenario::Sweep sweep;
  sweep.fields.push_back(carom::scenario::swept_field("material.friction=0:0.5:6"));
  const carom::report::Table table = scenario.run_sweep(sweep).table;

  std::printf("friction  v_x after  lost to friction [J]\n");
  const auto column = [&](const char* key) -> const carom::report::Column& {
    std::size_t i = 0;
    while (table.columns[i].key != key) ++i;
    return table.columns[i];
  };
  for (std::size_t row = 0; row < table.row_count(); ++row)
    std::printf("%8.1f  %9.5f  %20.5f\n", std::get<double>(carom::report::cell(column("material.friction"), row)),
                std::get<std::vector<double>>(carom::report::cell(column("velocity_after"), row))[0],
                std::get<double>(carom::report::cell(column("friction_loss"), row)));
  return 0;
}
