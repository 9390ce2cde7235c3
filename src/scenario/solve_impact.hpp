// What the rows of the impact models have in common: the restitution law, and the answer's members.
#pragma once

#include "carom/core/material.hpp"
#include "carom/impact/impact.hpp"

#include "solve_model.hpp"

namespace carom::scenario {

inline void write_energy(JsonWriter& json, const EnergyLedger& energy) {
  json.key("energy");
  json.begin_object();
  json.key("before"), json.number(energy.before);
  json.key("after"), json.number(energy.after);
  json.key("restitution_loss"), json.number(energy.restitution_loss);
  json.key("friction_loss"), json.number(energy.friction_loss);
  json.key("residual"), json.number(energy.residual);
  json.end_object();
}

inline void write_flags(JsonWriter& json, Flags flags) {
  json.key("flags");
  json.begin_array();
  for (const auto& [flag, text] : names_of<Flag>)
    if (flags.has(flag)) json.text(text);
  json.end_array();
}

/// The events, in order. `out` turns a vector of contact axes into the axes of the answer.
template <class Events, class Axes>
void write_events(JsonWriter& json, const Events& events, const Axes& out) {
  json.key("events");
  json.begin_array();
  for (const auto& event : events) {
    json.begin_object();
    json.key("type"), json.text(name(event.type));
    json.key("impulse"), number_array(json, out(event.impulse));
    json.key("velocity"), number_array(json, out(event.velocity));
    json.end_object();
  }
  json.end_array();
}

}  // namespace carom::scenario
