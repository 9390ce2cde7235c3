#include "links.hpp"

namespace carom::scenario {

Type<Inertias> link_inertias() {
  const auto plain = list_of(number(Range::at_least(0.0)), 1, most_links);
  return custom<Inertias>(
      [plain](const Value& value, const Path& path, Mistakes& mistakes, Inertias& out) {
        if (value.kind() == Value::Kind::text && value.text() == "point") {
          out.points = true;
          return true;
        }
        if (value.kind() != Value::Kind::list)
          return wrong_type("\"point\" or a list of moments of inertia", value, path, mistakes);
        return plain.read(value, path, mistakes, out.values);
      },
      R"({"anyOf":[{"const":"point"},)" + plain.json_schema() + "]}");
}

LinkChain chain_of(const std::vector<double>& lengths, const std::vector<double>& masses, const Inertias& inertias,
                   double gravity) {
  return inertias.points ? chain_of_points(lengths, masses, gravity)
                         : chain_of_rods(lengths, masses, inertias.values, gravity);
}

}  // namespace carom::scenario
