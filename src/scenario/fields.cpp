#include "fields.hpp"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <numbers>

#include "carom/core/contact.hpp"
#include "carom/core/contact_space.hpp"
#include "carom/core/error.hpp"
#include "carom/report/json_writer.hpp"

namespace carom::scenario {

std::string Path::text() const {
  std::string result = up != nullptr ? up->text() : "";
  if (index >= 0) return result + "[" + std::to_string(index) + "]";
  if (!result.empty() && !key.empty()) result += ".";
  return result.append(key);
}

std::string json_quoted(std::string_view text) {
  std::string result;
  report::JsonWriter(result).text(text);
  return result;
}

bool wrong_type(const char* wanted, const Value& value, const Path& path, Mistakes& mistakes) {
  mistakes.add(path, value.line, std::string("must be ") + wanted + ", got " + shown(value));
  return false;
}

namespace {

/// Edits (insert, delete, replace, swap neighbours) that lead from a to b.
std::size_t edit_distance(std::string_view a, std::string_view b) {
  std::vector<std::vector<std::size_t>> d(a.size() + 1, std::vector<std::size_t>(b.size() + 1));
  for (std::size_t i = 0; i <= a.size(); ++i) d[i][0] = i;
  for (std::size_t j = 0; j <= b.size(); ++j) d[0][j] = j;
  for (std::size_t i = 1; i <= a.size(); ++i)
    for (std::size_t j = 1; j <= b.size(); ++j) {
      d[i][j] = std::min({d[i - 1][j] + 1, d[i][j - 1] + 1, d[i - 1][j - 1] + (a[i - 1] != b[j - 1])});
      if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1])
        d[i][j] = std::min(d[i][j], d[i - 2][j - 2] + 1);
    }
  return d[a.size()][b.size()];
}

}  // namespace

std::string suggestion(std::string_view name, const std::vector<std::string>& known) {
  constexpr std::size_t longest = 64;  // nobody misspells a name into something longer
  if (name.empty() || name.size() > longest) return "";
  const std::string* best = nullptr;
  std::size_t least = 1 + std::max<std::size_t>(1, name.size() / 3);
  for (const std::string& candidate : known)
    if (const std::size_t distance = edit_distance(name, candidate); distance < least) {
      least = distance;
      best = &candidate;
    }
  return best != nullptr ? ", did you mean '" + *best + "'?" : "";
}

std::optional<std::string> Range::problem(double value) const {
  const bool low_ok = !low || (low_excluded ? value > *low : value >= *low);
  if (low_ok && (!high || value <= *high)) return std::nullopt;
  if (low && high)
    return std::string("must be in ") + (low_excluded ? "(" : "[") + number_text(*low) + ", " + number_text(*high) +
           "]";
  if (high) return "must be <= " + number_text(*high);
  if (low_excluded) return *low == 0.0 ? "must be positive" : "must be > " + number_text(*low);
  return "must be >= " + number_text(*low);
}

namespace {

bool read_number(const Value& value, const Path& path, Mistakes& mistakes, double& out) {
  if (value.kind != Value::Kind::number) return wrong_type("a number", value, path, mistakes);
  if (value.overflow) {
    mistakes.add(path, value.line, "is too large for a double, got " + shown(value));
    return false;
  }
  out = value.number;
  return true;
}

std::string size_text(int rows, int columns) {
  return columns == 0 ? std::to_string(rows) : std::to_string(rows) + " x " + std::to_string(columns);
}

/// A list of numbers, each good. The field as a whole is blamed, its element named.
bool read_numbers(const Value& value, const Path& path, Mistakes& mistakes, const std::string& wanted,
                  const std::string& where, std::span<double> out) {
  if (value.kind != Value::Kind::list || value.items.size() != out.size()) {
    mistakes.add(path, value.line, "must be " + wanted + ", got " + shown(value) + where);
    return false;
  }
  for (std::size_t i = 0; i < out.size(); ++i) {
    const Value& item = value.items[i];
    if (item.kind != Value::Kind::number || item.overflow) {
      const std::string place =
          where.empty() ? " at [" + std::to_string(i) + "]" : where + "[" + std::to_string(i) + "]";
      mistakes.add(path, item.line != 0 ? item.line : value.line,
                   item.overflow ? "is too large for a double, got " + shown(item) + place
                                 : "must be " + wanted + ", got " + shown(item) + place);
      return false;
    }
    out[i] = item.number;
  }
  return true;
}

bool read_matrix(const Value& value, const Path& path, Mistakes& mistakes, const std::string& wanted,
                 Eigen::MatrixXd& out) {
  // `out` has the wanted size; row-major reading into a row buffer.
  if (value.kind != Value::Kind::list || value.items.size() != static_cast<std::size_t>(out.rows()))
    return wrong_type(wanted.c_str(), value, path, mistakes);
  std::vector<double> row(static_cast<std::size_t>(out.cols()));
  for (Eigen::Index i = 0; i < out.rows(); ++i) {
    const std::string where = " at [" + std::to_string(i) + "]";
    if (!read_numbers(value.items[static_cast<std::size_t>(i)], path, mistakes, wanted, where, row)) return false;
    for (Eigen::Index j = 0; j < out.cols(); ++j) out(i, j) = row[static_cast<std::size_t>(j)];
  }
  return true;
}

const std::string number_list_schema = R"("type":"array","items":{"type":"number"})";

std::string vector_schema(int n) {
  const std::string size = std::to_string(n);
  return "{" + number_list_schema + ",\"minItems\":" + size + ",\"maxItems\":" + size + "}";
}

std::string matrix_schema(int n) {
  const std::string size = std::to_string(n);
  return "{\"type\":\"array\",\"minItems\":" + size + ",\"maxItems\":" + size + ",\"items\":" + vector_schema(n) + "}";
}

}  // namespace

Type<double> number(Range range) {
  std::string schema = "{\"type\":\"number\"";
  if (range.low) schema += (range.low_excluded ? ",\"exclusiveMinimum\":" : ",\"minimum\":") + number_text(*range.low);
  if (range.high) schema += ",\"maximum\":" + number_text(*range.high);
  return {[range](const Value& value, const Path& path, Mistakes& mistakes, double& out) {
            if (!read_number(value, path, mistakes, out)) return false;
            if (const auto problem = range.problem(out)) {
              mistakes.add(path, value.line, *problem + ", got " + shown(value));
              return false;
            }
            return true;
          },
          schema + "}"};
}

Type<int> integer(int low, int high) {
  const auto plain = number(Range::between(low, high));
  return {[plain](const Value& value, const Path& path, Mistakes& mistakes, int& out) {
            double read = 0.0;
            if (!plain.read(value, path, mistakes, read)) return false;
            if (read != std::floor(read)) return wrong_type("a whole number", value, path, mistakes);
            out = static_cast<int>(read);
            return true;
          },
          "{\"type\":\"integer\",\"minimum\":" + std::to_string(low) + ",\"maximum\":" + std::to_string(high) + "}"};
}

Type<double> angle() {
  return {[](const Value& value, const Path& path, Mistakes& mistakes, double& out) {
            if (value.kind != Value::Kind::text) return read_number(value, path, mistakes, out);
            const std::string_view text = value.text;
            const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), out);
            std::string_view unit(end, static_cast<std::size_t>(text.data() + text.size() - end));
            while (unit.starts_with(' ')) unit.remove_prefix(1);
            if (error != std::errc{} || !std::isfinite(out) || (unit != "deg" && unit != "rad"))
              return wrong_type("an angle in radians, or text such as \"30 deg\"", value, path, mistakes);
            if (unit == "deg") out *= std::numbers::pi / 180.0;
            return true;
          },
          R"({"anyOf":[{"type":"number"},{"type":"string","pattern":"^[-+0-9.eE]+ *(deg|rad)$"}]})"};
}

Type<bool> truth() {
  return {[](const Value& value, const Path& path, Mistakes& mistakes, bool& out) {
            if (value.kind != Value::Kind::boolean) return wrong_type("true or false", value, path, mistakes);
            out = value.boolean;
            return true;
          },
          R"({"type":"boolean"})"};
}

Type<std::string> text() {
  return {[](const Value& value, const Path& path, Mistakes& mistakes, std::string& out) {
            if (value.kind != Value::Kind::text) return wrong_type("text", value, path, mistakes);
            out = value.text;
            return true;
          },
          R"({"type":"string"})"};
}

template <int N>
Type<Eigen::Matrix<double, N, 1>> vector() {
  return {[](const Value& value, const Path& path, Mistakes& mistakes, Eigen::Matrix<double, N, 1>& out) {
            return read_numbers(value, path, mistakes, "a list of " + size_text(N, 0) + " numbers", "",
                                std::span(out.data(), N));
          },
          vector_schema(N)};
}

template <int N>
Type<Eigen::Matrix<double, N, N>> matrix() {
  return {[](const Value& value, const Path& path, Mistakes& mistakes, Eigen::Matrix<double, N, N>& out) {
            Eigen::MatrixXd read(N, N);
            if (!read_matrix(value, path, mistakes, "a " + size_text(N, N) + " matrix of numbers", read)) return false;
            out = read;
            return true;
          },
          matrix_schema(N)};
}

Type<Eigen::VectorXd> vector_of_any_size() {
  return {[](const Value& value, const Path& path, Mistakes& mistakes, Eigen::VectorXd& out) {
            if (value.kind != Value::Kind::list || value.items.empty())
              return wrong_type("a list of numbers", value, path, mistakes);
            out.resize(static_cast<Eigen::Index>(value.items.size()));
            return read_numbers(value, path, mistakes, "a list of numbers", "",
                                std::span(out.data(), value.items.size()));
          },
          "{" + number_list_schema + ",\"minItems\":1}"};
}

Type<Eigen::MatrixXd> matrix_of_any_size() {
  return {[](const Value& value, const Path& path, Mistakes& mistakes, Eigen::MatrixXd& out) {
            const std::string wanted = "a matrix of numbers, row by row";
            if (value.kind != Value::Kind::list || value.items.empty() || value.items[0].items.empty())
              return wrong_type(wanted.c_str(), value, path, mistakes);
            out.resize(static_cast<Eigen::Index>(value.items.size()),
                       static_cast<Eigen::Index>(value.items[0].items.size()));
            return read_matrix(value, path, mistakes, wanted, out);
          },
          "{\"type\":\"array\",\"minItems\":1,\"items\":{" + number_list_schema + ",\"minItems\":1}}"};
}

template <int N>
Type<Eigen::Matrix<double, N, N>> inverse_inertia() {
  const auto plain = matrix<N>();
  return {[plain](const Value& value, const Path& path, Mistakes& mistakes, Eigen::Matrix<double, N, N>& out) {
            if (!plain.read(value, path, mistakes, out)) return false;
            if (const auto problem = inverse_inertia_problem(out)) {
              mistakes.add(path, value.line, *problem);
              return false;
            }
            out = (0.5 * out + 0.5 * out.transpose()).eval();
            return true;
          },
          plain.schema};
}

template <int N>
Type<Eigen::Matrix<double, N, 1>> unit_vector() {
  const auto plain = vector<N>();
  return {[plain](const Value& value, const Path& path, Mistakes& mistakes, Eigen::Matrix<double, N, 1>& out) {
            if (!plain.read(value, path, mistakes, out)) return false;
            const double length = out.norm();
            if (!(std::abs(length - 1.0) <= unit_tolerance)) {
              mistakes.add(path, value.line, "must have unit length, its length is " + number_text(length));
              return false;
            }
            out /= length;
            return true;
          },
          plain.schema};
}

template Type<Eigen::Vector2d> vector<2>();
template Type<Eigen::Vector3d> vector<3>();
template Type<Eigen::Matrix2d> matrix<2>();
template Type<Eigen::Matrix3d> matrix<3>();
template Type<Eigen::Matrix2d> inverse_inertia<2>();
template Type<Eigen::Matrix3d> inverse_inertia<3>();
template Type<Eigen::Vector2d> unit_vector<2>();
template Type<Eigen::Vector3d> unit_vector<3>();

}  // namespace carom::scenario
