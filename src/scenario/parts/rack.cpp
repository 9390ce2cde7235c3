#include "rack.hpp"

#include <cmath>

namespace carom::scenario {

Type<Layout> layout() {
  return choice<Layout>({{"nine_ball", Layout::nine_ball}, {"triangle_15", Layout::triangle_15}});
}

std::vector<Eigen::Vector3d> rack_places(Layout layout, double radius) {
  const std::vector<int> rows = layout == Layout::nine_ball ? std::vector{1, 2, 3, 2, 1} : std::vector{1, 2, 3, 4, 5};
  std::vector<Eigen::Vector3d> places;
  for (std::size_t row = 0; row < rows.size(); ++row)
    for (int i = 0; i < rows[row]; ++i)
      places.emplace_back(std::sqrt(3.0) * radius * static_cast<double>(row), radius * (2 * i - rows[row] + 1), 0.0);
  return places;
}

}  // namespace carom::scenario
