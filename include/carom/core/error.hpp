// What does carom say when it is given something it cannot work with?
// One exception, InvalidInput, that names the field, the value and the allowed range, thrown before any work
// is done. A legal input whose physics has no outcome is never an exception: it is a verdict of the model.
#pragma once

#include <stdexcept>
#include <string>
#include <string_view>

#include "carom/core/text.hpp"

#pragma GCC visibility push(default)

namespace carom {

/// Bad input, named: what() reads "field: message", e.g. "friction: must be >= 0, got -0.4".
class InvalidInput : public std::invalid_argument {
public:
  InvalidInput(std::string_view field, std::string_view message);
  const std::string& field() const noexcept { return field_; }
  const std::string& message() const noexcept { return message_; }

private:
  std::string field_, message_;
};

// Each check throws InvalidInput naming `field` when the value is outside the stated range or not finite.
void require_finite(std::string_view field, double value);
void require_positive(std::string_view field, double value);
void require_at_least(std::string_view field, double value, double low);
void require_between(std::string_view field, double value, double low, double high);

}  // namespace carom

#pragma GCC visibility pop
