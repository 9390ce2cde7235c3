#include "ticks.hpp"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>

namespace carom::report {

namespace {

/// 1, 2 or 5 times 10^exponent.
struct Step {
  int mantissa = 1, exponent = 0;
  double value() const { return times(1.0); }
  /// count * step without the rounding noise of a decimal fraction (0.3, not 0.30000000000000004).
  double times(double count) const {
    const double whole = count * mantissa;
    return exponent >= 0     ? whole * std::pow(10.0, exponent)
           : exponent > -300 ? whole / std::pow(10.0, -exponent)
                             : whole * std::pow(10.0, exponent);
  }
};

int exponent_of(double value) { return static_cast<int>(std::floor(std::log10(value))); }

Step nice_step(double span, int wanted) {
  const double rough = span / std::max(wanted, 1);
  Step step{1, exponent_of(rough)};
  const double ratio = rough / std::pow(10.0, step.exponent);
  // Geometric middles between 1, 2, 5 and 10.
  if (ratio > 7.07) {
    ++step.exponent;
  } else if (ratio > 3.16) {
    step.mantissa = 5;
  } else if (ratio > 1.41) {
    step.mantissa = 2;
  }
  return step;
}

std::string with_minus(std::string text) {
  if (text.starts_with('-')) text.replace(0, 1, text.find_first_not_of("-0.") == std::string::npos ? "" : "−");
  return text;
}

std::string power_of_ten(int exponent) { return fmt::format("$10^{{{}}}$", exponent); }

}  // namespace

Ticks linear_ticks(double low, double high, int wanted) {
  // From here on labels would grow past six digits or so: the power of ten or the offset is taken out and noted.
  constexpr int largest_exponent = 4, smallest_exponent = -3, most_digits = 5;
  Ticks ticks;
  if (!(high > low) || !std::isfinite(high - low)) return ticks;
  const Step step = nice_step(high - low, wanted);
  const double slack = 1e-9;  // of a step: an end that is a multiple keeps its tick
  const double first = std::ceil(low / step.value() - slack), last = std::floor(high / step.value() + slack);

  double top = std::max(std::abs(low), std::abs(high));
  double offset_count = 0.0;
  if (exponent_of(top) - step.exponent > most_digits) {
    const double per_decade = std::pow(10.0, 2) / step.mantissa;  // steps in a round number two decades up
    offset_count = std::floor(first / per_decade) * per_decade;
    top = std::max(std::abs(step.times(first - offset_count)), std::abs(step.times(last - offset_count)));
  }
  int factor = top > 0.0 ? exponent_of(top) : 0;
  if (factor <= largest_exponent && factor >= smallest_exponent) factor = 0;
  const int decimals = std::max(0, factor - step.exponent);
  for (double k = first; k <= last; k += 1.0) {
    const double shown = static_cast<double>(step.mantissa) * (k - offset_count);
    const double label = step.exponent >= factor ? shown * std::pow(10.0, step.exponent - factor)
                                                 : shown / std::pow(10.0, factor - step.exponent);
    ticks.major.push_back({step.times(k), with_minus(fmt::format("{:.{}f}", label, decimals))});
    if (ticks.major.size() > 200) break;  // cannot happen for sane `wanted`; never hang on rounding
  }
  if (factor != 0) ticks.note = fmt::format("×{}", power_of_ten(factor));
  if (offset_count != 0.0) {
    const double offset = step.times(offset_count);
    ticks.note +=
        fmt::format("{}{} {:.15g}", ticks.note.empty() ? "" : " ", offset < 0.0 ? "−" : "+", std::abs(offset));
  }
  return ticks;
}

Ticks logarithmic_ticks(double low, double high, int wanted) {
  Ticks ticks;
  if (!(low > 0.0) || !(high > low) || !std::isfinite(high)) return ticks;
  const double slack = 1e-9;  // of a decade
  const double from = std::log10(low), to = std::log10(high);
  const int first = static_cast<int>(std::ceil(from - slack)), last = static_cast<int>(std::floor(to + slack));
  const int decades = last - first + 1;
  if (decades < 2) {
    // Too short for decades alone: 1, 2, 5 if at least two of them fit, else ordinary ticks.
    const int first_exponent = exponent_of(low);
    for (int e = first_exponent; e <= first_exponent + 2; ++e) {
      for (int m = 1; m <= 9; ++m) {
        const double value = Step{m, e}.value();
        if (std::log10(value) < from - slack || std::log10(value) > to + slack) continue;
        if (m == 1 || m == 2 || m == 5) {
          const bool plain = e >= -3 && e <= 3;
          const std::string label = plain    ? fmt::format("{:g}", value)
                                    : m == 1 ? power_of_ten(e)
                                             : fmt::format("{}·{}", m, power_of_ten(e));
          ticks.major.push_back({value, label});
        } else {
          ticks.minor.push_back(value);
        }
      }
    }
    return ticks.major.size() >= 2 ? ticks : linear_ticks(low, high, wanted);
  }
  const int stride = std::max(1, (decades + wanted - 1) / std::max(wanted, 1));
  for (int e = first - 1; e <= last; ++e) {
    const double decade = Step{1, e}.value();
    if (e >= first) {
      // Multiples of the stride, so that 10^0 is among them.
      if (e % stride == 0) {
        ticks.major.push_back({decade, power_of_ten(e)});
      } else {
        ticks.minor.push_back(decade);
      }
    }
    if (stride > 1) continue;
    for (int m = 2; m <= 9; ++m) {
      const double value = Step{m, e}.value();
      if (value >= low && value <= high) ticks.minor.push_back(value);
    }
  }
  return ticks;
}

}  // namespace carom::report
