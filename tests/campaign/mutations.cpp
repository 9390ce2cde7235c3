#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

#include "campaign.hpp"

namespace carom::campaign {

namespace {

std::size_t below(Random& random, std::size_t n) {
  return std::uniform_int_distribution<std::size_t>(0, n - 1)(random);
}
double uniform(Random& random, double low, double high) {
  return std::uniform_real_distribution<double>(low, high)(random);
}

/// Every number of the tree, and every container, with what holds it.
void collect(Json& value, std::vector<Json*>& numbers, std::vector<Json*>& containers) {
  if (value.is_number()) numbers.push_back(&value);
  if (!value.is_structured()) return;
  if (!value.empty()) containers.push_back(&value);
  for (auto& item : value) collect(item, numbers, containers);
}

double mutated_number(double x, Random& random) {
  static constexpr double edges[] = {0.0,
                                     -0.0,
                                     1.0,
                                     -1.0,
                                     0.5,
                                     1.5,
                                     2.0,
                                     1e-3,
                                     1e3,
                                     1e-8,
                                     1e8,
                                     1e-12,
                                     1e12,
                                     1e-16,
                                     1e16,
                                     1e-30,
                                     1e30,
                                     1e-100,
                                     1e100,
                                     1e-300,
                                     1e300,
                                     1e308,
                                     1e-308,
                                     5e-324,
                                     0.999,
                                     1.0 - 1e-12,
                                     std::numeric_limits<double>::max(),
                                     std::numeric_limits<double>::min(),
                                     3.0,
                                     100.0};
  switch (below(random, 6)) {
    case 0:
      return edges[below(random, std::size(edges))];
    case 1:
      return -x;
    case 2:
      return x * std::pow(10.0, uniform(random, -3.0, 3.0));
    case 3:
      return x * std::pow(10.0, uniform(random, -20.0, 20.0));
    case 4:
      return x * (1.0 + uniform(random, -1e-6, 1e-6));
    default:
      return x + uniform(random, -1.0, 1.0);
  }
}

bool is_square(const Json& value) {
  if (!value.is_array() || value.size() < 2) return false;
  return std::all_of(value.begin(), value.end(), [&](const Json& line) {
    return line.is_array() && line.size() == value.size() &&
           std::all_of(line.begin(), line.end(), [](const Json& x) { return x.is_number(); });
  });
}

/// A symmetric matrix stays symmetric, or nearly all rows would be refused for that alone.
void mutate_matrix(Json& m, Random& random) {
  const std::size_t i = below(random, m.size()), j = below(random, m.size());
  if (below(random, 2) == 0) {  // other units for one axis
    const double factor = std::pow(10.0, uniform(random, -9.0, 9.0));
    for (std::size_t k = 0; k < m.size(); ++k) {
      m[i][k] = m[i][k].get<double>() * factor;
      m[k][i] = m[k][i].get<double>() * factor;
    }
  } else {
    const double x = mutated_number(m[i][j].get<double>(), random);
    m[i][j] = m[j][i] = x;
  }
}

Json another_type(Random& random) {
  switch (below(random, 7)) {
    case 0:
      return nullptr;
    case 1:
      return "immovable";
    case 2:
      return true;
    case 3:
      return Json::array();
    case 4:
      return Json::object();
    case 5:
      return "1";
    default:
      return "@1e999";  // written without its quotes: a number too large for a double
  }
}

/// Drops, doubles, exchanges or replaces a member of a container.
void mutate_structure(Json& container, const std::vector<Json>& seeds, Random& random) {
  const auto at = [&](std::size_t i) { return std::next(container.begin(), static_cast<std::ptrdiff_t>(i)); };
  const std::size_t i = below(random, container.size()), j = below(random, container.size());
  switch (below(random, 5)) {
    case 0:
      container.erase(at(i));
      break;
    case 1:
      if (container.is_array())
        container.push_back(Json(*at(i)));
      else
        container["x" + std::to_string(i)] = Json(*at(i));
      break;
    case 2:
      std::swap(*at(i), *at(j));
      break;
    case 3:
      *at(i) = another_type(random);
      break;
    default: {  // a part of another row under the same name
      if (!container.is_object()) break;
      const Json& other = seeds[below(random, seeds.size())];
      if (const auto part = other.find(at(i).key()); part != other.end() && at(i).key() != "model") *at(i) = *part;
    }
  }
}

}  // namespace

std::string mutated_row(const std::vector<Json>& seeds, Random& random) {
  Json row = seeds[below(random, seeds.size())];
  const std::size_t mutations = 1 + below(random, 4);
  for (std::size_t m = 0; m < mutations; ++m) {
    std::vector<Json*> numbers, containers, matrices;
    collect(row, numbers, containers);
    for (Json* c : containers)
      if (is_square(*c)) matrices.push_back(c);
    const std::size_t kind = below(random, 10);
    if (kind == 0 && !containers.empty())
      mutate_structure(*containers[below(random, containers.size())], seeds, random);
    else if (kind <= 2 && !matrices.empty())
      mutate_matrix(*matrices[below(random, matrices.size())], random);
    else if (kind == 3 && numbers.size() > 1)
      *numbers[below(random, numbers.size())] = *numbers[below(random, numbers.size())];
    else if (!numbers.empty()) {
      Json& number = *numbers[below(random, numbers.size())];
      number = mutated_number(number.get<double>(), random);
    }
  }
  std::string text = row.dump();
  for (std::size_t at; (at = text.find("\"@1e999\"")) != std::string::npos;) text.replace(at, 8, "1e999");
  return text;
}

}  // namespace carom::campaign
