// What follows from the numbers of an answer?
// Formulas of the catalogue: `energy.before - energy.after`, `all(gain <= 1e-12)`, `argmax(sweep.V_x, mu)`. A value is
// a list of numbers or of texts; operations go item by item, and a list of one item goes with a list of any length.
//
//     numbers 1.5e-3   texts 'separated'   lists [a, b, c]   names impulse[0], samples[*].t (looked up by the caller)
//     + - * / ^   < <= > >= == !=   and or not
//     abs sqrt cbrt exp log sin cos tan asin acos atan floor round sign   atan2(y, x)   norm(v)   dot(a, b)
//     sum mean min max all any size   argmax(a, of), argmin(a, of)   first(of, where), last(of, where), pick(of, where)
//     crossings(y, x): where y changes its sign, by straight lines   at(y, x, place): y there, by straight lines
//     has(texts, 'word')   if(condition, a, b)   pi
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

namespace carom::scenario::catalogue {

using Numbers = std::vector<double>;
using Texts = std::vector<std::string>;
using Datum = std::variant<Numbers, Texts>;

/// What a name stands for. Throws InvalidInput if it stands for nothing.
using Lookup = std::function<Datum(std::string_view name)>;

class Formula {
public:
  /// @throws InvalidInput naming `formula` if the text is none
  explicit Formula(std::string_view text);
  /// @throws InvalidInput naming `formula` if lengths or kinds of values do not fit; what `lookup` throws
  Datum value(const Lookup& lookup) const;

  struct Node;

private:
  std::shared_ptr<const Node> root_;
};

/// The value of a formula that must be numbers, or one number.
/// @throws InvalidInput naming `formula` otherwise
Numbers numbers_of(const Formula& formula, const Lookup& lookup);
double number_of(const Formula& formula, const Lookup& lookup);

}  // namespace carom::scenario::catalogue
