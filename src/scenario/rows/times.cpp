#include "times.hpp"

namespace carom::scenario {

Type<std::vector<double>> increasing_times() {
  const auto plain = list_of(number(Range::at_least(0.0)));
  return custom<std::vector<double>>(
      [plain](const Value& value, const Path& path, Mistakes& mistakes, std::vector<double>& out) {
        if (!plain.read(value, path, mistakes, out)) return false;
        const Value* before = nullptr;
        std::size_t i = 0;
        for (const Value& time : value.items()) {
          if (i > 0 && !(out[i] > out[i - 1])) {
            mistakes.add(
                path, value.place(),
                "must increase, got " + shown(time) + " after " + shown(*before) + " at [" + std::to_string(i) + "]");
            return false;
          }
          before = &time;
          ++i;
        }
        return true;
      },
      plain.json_schema());
}

}  // namespace carom::scenario
