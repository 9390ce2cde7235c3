// Chains of links in files and rows.
#pragma once

#include <vector>

#include "carom/motion/link_chain.hpp"

#include "described.hpp"

namespace carom::scenario {

/// Links of a chain: what can be followed within a second.
inline constexpr std::size_t most_links = 30;

/// Of the links about their centres, or none: their masses are points at their ends.
struct Inertias {
  bool points = false;
  std::vector<double> values;
};

/// `"point"` or a list of moments of inertia.
Type<Inertias> link_inertias();

LinkChain chain_of(const std::vector<double>& lengths, const std::vector<double>& masses, const Inertias& inertias,
                   double gravity);

}  // namespace carom::scenario
