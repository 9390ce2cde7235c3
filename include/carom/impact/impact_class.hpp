// Does an impact in space stay in a plane?
// What contact space alone says before anything is solved: whether slip can turn.
#pragma once

#include <cstdint>

#include "carom/core/contact_space.hpp"
#include "carom/core/names.hpp"

#pragma GCC visibility push(default)

namespace carom {

/// How much of space an impact needs (Jia 2012, theorem 2).
enum class ImpactClass : std::uint8_t {
  direct,  ///< no sliding velocity, and a normal impulse makes none: everything stays on the normal
  planar,  ///< everything stays in the plane of the normal and one tangential direction
  spatial  ///< slip may turn
};
template <>
inline constexpr auto names_of<ImpactClass> = std::to_array<Named<ImpactClass>>({
    {ImpactClass::direct, "direct"},
    {ImpactClass::planar, "planar"},
    {ImpactClass::spatial, "spatial"},
});

/// A velocity below this part of |v|, or an entry of W below this part of its largest one, is rounding: zero.
inline constexpr double class_rounding = 1e-12;

/// Is an impact direct, planar or spatial? Direct if v_t = 0 and W_tn = 0; planar if, with u along v_t (or along W_tn
/// if v_t = 0) and w across it, W_uw = W_nw = 0; zero to class_rounding.
/// @param space  W [1/kg] and v [m/s] in axes (t1, t2, n)
/// @throws InvalidInput if W is not symmetric positive definite or a value not finite
ImpactClass impact_class(const ContactSpace& space);

}  // namespace carom

#pragma GCC visibility pop
