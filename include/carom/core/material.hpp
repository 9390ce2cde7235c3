// What happens at the touching surfaces?
// Coulomb friction and restitution of one contact, and the three meanings "restitution" can have.
#pragma once

#include "carom/core/names.hpp"

#pragma GCC visibility push(default)

namespace carom {

/// When an impact ends.
enum class RestitutionLaw {
  newton,    ///< normal velocity: v_n(end) = -e v_n(start)
  poisson,   ///< normal impulse: I_n(end) = (1 + e) I_n(maximum compression)
  energetic  ///< normal work: restitution gives back e^2 of the work absorbed in compression (Stronge 1990)
};

template <>
inline constexpr auto names_of<RestitutionLaw> = std::to_array<Named<RestitutionLaw>>({
    {RestitutionLaw::newton, "newton"},
    {RestitutionLaw::poisson, "poisson"},
    {RestitutionLaw::energetic, "energetic"},
});

/// The surfaces of one contact.
struct Material {
  double friction = 0.0;     ///< Coulomb coefficient mu [-], >= 0
  double restitution = 1.0;  ///< coefficient e [-], in [0, 1]
};

/// @throws InvalidInput naming `friction` or `restitution` when it is out of range or not finite
void require_valid(const Material& material);

}  // namespace carom

#pragma GCC visibility pop
