// Colours of curves, bodies, contacts and methods, in the order they come.
#pragma once

#include "carom/report/plot.hpp"

namespace carom::scenario {

inline constexpr report::Color colors[] = {report::Color::blue,   report::Color::orange, report::Color::green,
                                           report::Color::purple, report::Color::red,    report::Color::sky,
                                           report::Color::ink,    report::Color::yellow};

}  // namespace carom::scenario
