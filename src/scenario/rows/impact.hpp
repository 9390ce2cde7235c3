// What the rows of the impact models have in common: the surfaces, and the members of the answer.
#pragma once

#include <optional>
#include <vector>

#include "carom/core/energy.hpp"
#include "carom/core/material.hpp"
#include "carom/impact/even_path.hpp"
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

/// `path`, into the member `path` of a row: how many points of the process are asked for. 0: none are.
template <class Row>
void add_path(Fields<Row>& fields) {
  fields
      .optional("path", &Row::path, integer(2, max_even_path),
                "how many points of the process to answer with, evenly spaced in normal impulse from start to end")
      .called({"points"});
}

/// A point of the process, a PathPoint<N> or what derives from it and adds fields of its own.
template <class Point>
Fields<Point> path_point() {
  constexpr int n = decltype(Point::impulse)::RowsAtCompileTime;
  Fields<Point> fields;
  fields.required("impulse", &Point::impulse, vector<n>(), "so far, on A [N s]")
      .required("velocity", &Point::velocity, vector<n>(), "A relative to B [m/s]")
      .required("normal_work", &Point::normal_work, number(), "integral of v_n dI_n so far [J]")
      .required("friction_loss", &Point::friction_loss, number(), "what friction has taken so far [J]");
  return fields;
}

/// `path`, of an answer whose member `path` is optional: there if the row asked for it, empty if there is no impact.
template <class Answer, class Point>
void add_path_points(Fields<Answer>& fields, const Fields<Point>& point) {
  fields.optional("path", &Answer::path, list_of(object(point)), "the process, if the row asked for its `path`");
}

}  // namespace carom::scenario
