#include "carom/core/error.hpp"

#include <cmath>

namespace carom {

InvalidInput::InvalidInput(std::string_view field, std::string_view message)
    : std::invalid_argument(std::string(field) + ": " + std::string(message)), field_(field), message_(message) {}

namespace {
[[noreturn]] void refuse(std::string_view field, const std::string& range, double value) {
  throw InvalidInput(field, "must be " + range + ", got " + number_text(value));
}
}  // namespace

void require_finite(std::string_view field, double value) {
  if (!std::isfinite(value)) refuse(field, "a finite number", value);
}

void require_positive(std::string_view field, double value) {
  require_finite(field, value);
  if (!(value > 0.0)) refuse(field, "positive", value);
}

void require_at_least(std::string_view field, double value, double low) {
  require_finite(field, value);
  if (!(value >= low)) refuse(field, ">= " + number_text(low), value);
}

void require_between(std::string_view field, double value, double low, double high) {
  require_finite(field, value);
  if (!(value >= low && value <= high))
    refuse(field, "in [" + number_text(low) + ", " + number_text(high) + "]", value);
}

}  // namespace carom
