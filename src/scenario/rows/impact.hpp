// What the rows of the impact models have in common: the surfaces, and the members of the answer.
#pragma once

#include "carom/core/energy.hpp"
#include "carom/core/material.hpp"
#include "carom/impact/impact.hpp"

#include "model.hpp"

namespace carom::scenario {

/// `mu` and `e`, into the member `material` of a row.
template <class Row>
void add_surface(Fields<Row>& fields) {
  fields
      .required(
          "mu", [](Row& row) -> double& { return row.material.friction; }, number(Range::at_least(0.0)),
          "friction coefficient")
      .called({"friction"})
      .required(
          "e", [](Row& row) -> double& { return row.material.restitution; }, number(Range::between(0.0, 1.0)),
          "coefficient of restitution")
      .called({"restitution"});
}

Type<EnergyLedger> energy_ledger();

/// An event of an impact, an Event<N> or what derives from it.
template <class Event>
Type<Event> impact_event() {
  constexpr int n = decltype(Event::impulse)::RowsAtCompileTime;
  Fields<Event> fields;
  fields.required("type", &Event::type, choice<EventType>(), "what happens")
      .required("impulse", &Event::impulse, vector<n>(), "so far, on A [N s]")
      .required("velocity", &Event::velocity, vector<n>(), "A relative to B [m/s]");
  return object(fields);
}

/// The events of an impact, in order.
template <class Events>
Type<Events> impact_events() {
  using Event = typename Events::value_type;
  return list_of<Event, Events>(impact_event<Event>());
}

}  // namespace carom::scenario
