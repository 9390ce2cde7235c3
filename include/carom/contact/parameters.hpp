// Which stiffness and damping give a contact the restitution and the duration it is to have?
// The inverse question to a normal impact: for engines and models whose contacts are springs with dampers. For the
// forces of normal_force.hpp, and for the linear spring and damper with its force clipped at zero, which is also what
// MuJoCo's solref describes.
#pragma once

#include <array>
#include <optional>

#include "carom/contact/normal_force.hpp"
#include "carom/core/flags.hpp"
#include "carom/core/names.hpp"

#pragma GCC visibility push(default)

namespace carom {

/// A DampingLaw, or the linear spring and damper: k d + c d', never below zero; contact ends where it gets there.
enum class ContactLaw { gonthier, hunt_crossley, lankarani_nikravesh, flores, linear };
template <>
inline constexpr auto names_of<ContactLaw> = std::to_array<Named<ContactLaw>>({
    {ContactLaw::gonthier, "gonthier"},
    {ContactLaw::hunt_crossley, "hunt_crossley"},
    {ContactLaw::lankarani_nikravesh, "lankarani_nikravesh"},
    {ContactLaw::flores, "flores"},
    {ContactLaw::linear, "linear"},
});

struct ContactParametersProblem {
  ContactLaw law = ContactLaw::gonthier;
  double mass = 1.0;               ///< [kg], > 0; of two bodies m1 m2 / (m1 + m2)
  double e = 0.5;                  ///< what must come out [-], in (0, 1]
  double duration = 1e-3;          ///< of the touch [s], > 0
  std::optional<double> exponent;  ///< p [-], > 0; 1.5, and for `linear` 1 and nothing else
  std::optional<double> speed;     ///< of approach [m/s], > 0; needed unless the exponent is 1
};

enum class ContactParametersFlag {
  no_speed,      ///< without a speed there is no indentation and no force
  out_of_reach,  ///< the law gives no e in [0, 1] this damping
  undamped,      ///< e = 1: MuJoCo's time constant would be infinite
  overflow       ///< an indentation or a force beyond the range of numbers
};
template <>
inline constexpr auto names_of<ContactParametersFlag> = std::to_array<Named<ContactParametersFlag>>({
    {ContactParametersFlag::no_speed, "no_speed"},
    {ContactParametersFlag::out_of_reach, "out_of_reach"},
    {ContactParametersFlag::undamped, "undamped"},
    {ContactParametersFlag::overflow, "overflow"},
});

struct ContactParameters {
  double stiffness = 0.0;                       ///< k [N/m^p]
  double damping = 0.0;                         ///< A [-]; for `linear` the viscous constant c [N s/m]
  std::optional<double> nominal_e;              ///< what the law must be given to have this A
  std::optional<std::array<double, 2>> solref;  ///< MuJoCo: time constant [s], damping ratio; `linear` only
  std::optional<double> max_indentation;        ///< [m]
  std::optional<double> peak_force;             ///< [N]
  FlagSet<ContactParametersFlag> flags;
};

/// @throws InvalidInput naming `field`: no finite damping, of any law, delivers e = 0
void require_deliverable(const char* field, double e);

/// @throws InvalidInput naming `mass`, `e`, `duration`, `exponent` or `speed`; also that of them which takes the
/// stiffness beyond the range of numbers
ContactParameters contact_parameters(const ContactParametersProblem& problem);

/// The linear spring and damper by its damping ratio z = c / (2 sqrt(k m)).
struct LinearContact {
  double restitution = 1.0;  ///< exp(-2 b cot b), z = cos b; beyond critical damping hyperbolic
  double duration = 0.0;     ///< in units of sqrt(m/k)
  double indentation = 0.0;  ///< the largest, in units of v sqrt(m/k)
  double force = 0.0;        ///< the largest, in units of v sqrt(k m)
};
/// @throws InvalidInput naming `damping_ratio` (below 0)
LinearContact linear_contact(double damping_ratio);

/// The damping ratio that gives a restitution e in (0, 1].
/// @throws InvalidInput naming `e`
double linear_damping_ratio(double e);

}  // namespace carom

#pragma GCC visibility pop
