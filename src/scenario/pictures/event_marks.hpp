// Dots on a curve where something happened.
#pragma once

#include <span>

#include "carom/impact/impact.hpp"
#include "carom/report/document.hpp"

namespace carom::scenario {

/// How events of one type are drawn, and what the legend calls them.
struct EventMark {
  EventType type;
  report::MarkerShape shape;
  report::Color color;
  const char* words;
};

/// Marks every event that has a mark; `at` says where an event is drawn.
template <class Events, class At>
void mark_events(report::Plot& plot, const Events& events, std::span<const EventMark> marks, const At& at) {
  for (const EventMark& mark : marks) {
    bool named = false;
    for (const auto& event : events)
      if (event.type == mark.type) {
        plot.markers.push_back({at(event), mark.shape, mark.color, "", named ? "" : mark.words});
        named = true;
      }
  }
}

}  // namespace carom::scenario
