#include "map_border.hpp"

#include <algorithm>
#include <cmath>

#include "svg_number.hpp"

namespace carom::report {

namespace {

/// Whether a cell has hardly any neighbours of its kind: it is no part of a border but an exception. The outermost
/// lines are the frame and belong to the cells beside them.
bool stands_out(const std::vector<char>& known, std::size_t columns, std::size_t rows, std::size_t row,
                std::size_t column) {
  constexpr int least = 3;  // of eight: as many as a cell has beside a straight border, and on a corner
  const std::size_t r = std::clamp<std::size_t>(row, 1, rows - 2), c = std::clamp<std::size_t>(column, 1, columns - 2);
  int alike = -1;  // itself
  for (std::size_t i = std::max<std::size_t>(r - 1, 1); i <= std::min(r + 1, rows - 2); ++i)
    for (std::size_t j = std::max<std::size_t>(c - 1, 1); j <= std::min(c + 1, columns - 2); ++j)
      alike += (known[i * columns + j] != 0) == (known[r * columns + c] != 0);
  return alike < least;
}

/// Positive where something is known: neighbours are averaged again and again, but no sign may change.
std::vector<double> sides(const std::vector<char>& known, std::size_t columns, std::size_t rows) {
  constexpr int rounds = 60;
  constexpr double least = 0.01;  // how near the border may come to a crossing, as a share of a cell or so
  // An exception is left out at first and then put back: half way to its neighbours.
  std::vector<char> alone, smooth = known;
  for (std::size_t r = 0; r < rows; ++r)
    for (std::size_t c = 0; c < columns; ++c) {
      alone.push_back(stands_out(known, columns, rows, r, c) ? 1 : 0);
      if (alone.back() != 0) smooth[r * columns + c] = known[r * columns + c] == 0 ? 1 : 0;
    }
  std::vector<double> side;
  for (const char one : smooth) side.push_back(one != 0 ? 1.0 : -1.0);
  std::vector<double> next = side;
  for (int round = 0; round < rounds; ++round) {
    for (std::size_t r = 0; r < rows; ++r)
      for (std::size_t c = 0; c < columns; ++c) {
        const auto at = [&](std::size_t row, std::size_t column) { return side[row * columns + column]; };
        const std::size_t up = std::min(r + 1, rows - 1), down = r > 0 ? r - 1 : 0;
        const std::size_t right = std::min(c + 1, columns - 1), left = c > 0 ? c - 1 : 0;
        const double mean = 0.25 * (at(up, c) + at(down, c) + at(r, left) + at(r, right));
        const std::size_t i = r * columns + c;
        next[i] = smooth[i] != 0 ? std::max(mean, least) : std::min(mean, -least);
      }
    side.swap(next);
  }
  for (std::size_t i = 0; i < side.size(); ++i)
    if (alone[i] != 0) side[i] = -side[i];
  return side;
}

void append_polygon(std::string& path, const std::vector<Point>& corners) {
  for (std::size_t i = 0; i < corners.size(); ++i) {
    path += i == 0 ? 'M' : 'L';
    append_svg_number(path, corners[i].x);
    path += ' ';
    append_svg_number(path, corners[i].y);
  }
  path += 'Z';
}

}  // namespace

std::string unknown_part(const std::vector<char>& known, const std::vector<double>& x, const std::vector<double>& y) {
  const std::size_t columns = x.size(), rows = y.size();
  const std::vector<double> side = sides(known, columns, rows);
  std::string path;
  for (std::size_t r = 0; r + 1 < rows; ++r)
    for (std::size_t c = 0; c + 1 < columns; ++c) {
      const auto unknown = [&](std::size_t column) {
        return known[r * columns + column] == 0 && known[r * columns + column + 1] == 0 &&
               known[(r + 1) * columns + column] == 0 && known[(r + 1) * columns + column + 1] == 0;
      };
      if (unknown(c)) {  // as many as stand in a row
        const std::size_t first = c;
        while (c + 2 < columns && unknown(c + 1)) ++c;
        append_polygon(path, {{x[first], y[r]}, {x[c + 1], y[r]}, {x[c + 1], y[r + 1]}, {x[first], y[r + 1]}});
        continue;
      }
      const Point corners[] = {{x[c], y[r]}, {x[c + 1], y[r]}, {x[c + 1], y[r + 1]}, {x[c], y[r + 1]}};
      const double values[] = {side[r * columns + c], side[r * columns + c + 1], side[(r + 1) * columns + c + 1],
                               side[(r + 1) * columns + c]};
      std::vector<Point> part;
      for (std::size_t i = 0; i < 4; ++i) {
        const std::size_t j = (i + 1) % 4;
        if (values[i] < 0.0) part.push_back(corners[i]);
        if ((values[i] < 0.0) == (values[j] < 0.0)) continue;
        const double share = values[i] / (values[i] - values[j]);
        part.push_back({corners[i].x + share * (corners[j].x - corners[i].x),
                        corners[i].y + share * (corners[j].y - corners[i].y)});
      }
      if (!part.empty()) append_polygon(path, part);
    }
  return path;
}

}  // namespace carom::report
