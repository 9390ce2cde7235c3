#include "carom/impact/impact.hpp"

namespace carom {

const char* name(Verdict verdict) {
  switch (verdict) {
    case Verdict::separated:
      return "separated";
    case Verdict::no_impact:
      return "no_impact";
    case Verdict::event_limit:
      return "event_limit";
    case Verdict::invalid:
      return "invalid";
  }
  return "?";
}

const char* name(EventType type) {
  switch (type) {
    case EventType::start_slip:
      return "start_slip";
    case EventType::start_stick:
      return "start_stick";
    case EventType::slip_ends:
      return "slip_ends";
    case EventType::slip_resumes:
      return "slip_resumes";
    case EventType::straight_slip:
      return "straight_slip";
    case EventType::compression_ends:
      return "compression_ends";
    case EventType::recompression_begins:
      return "recompression_begins";
    case EventType::stick_ends:
      return "stick_ends";
    case EventType::separates:
      return "separates";
    case EventType::closes:
      return "closes";
  }
  return "?";
}

const char* name(Flag flag) {
  switch (flag) {
    case Flag::jamb:
      return "jamb";
    case Flag::energy_gain:
      return "energy_gain";
    case Flag::marginal:
      return "marginal";
    case Flag::recompression:
      return "recompression";
    case Flag::e0_jam:
      return "e0_jam";
    case Flag::rigid_limit:
      return "rigid_limit";
    case Flag::event_limit:
      return "event_limit";
    case Flag::overflow:
      return "overflow";
    case Flag::e_clamped:
      return "e_clamped";
    case Flag::mixed_exponents:
      return "mixed_exponents";
    case Flag::hyperstatic:
      return "hyperstatic";
    case Flag::ill_conditioned:
      return "ill_conditioned";
    case Flag::no_required_friction:
      return "no_required_friction";
  }
  return "?";
}

}  // namespace carom
