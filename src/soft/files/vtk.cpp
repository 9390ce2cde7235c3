#include <algorithm>
#include <cmath>

#include "carom/core/text.hpp"

#include "assemble.hpp"
#include "cells.hpp"
#include "scanner.hpp"

namespace carom {

namespace {

using soft::Scanner;

std::string lower(std::string_view word) {
  std::string text(word.substr(0, 64));
  for (char& c : text) c = c >= 'A' && c <= 'Z' ? char(c - 'A' + 'a') : c;
  return text;
}

class LegacyVtk {
public:
  explicit LegacyVtk(std::string_view file) : in_(file) {}

  MeshFile read() {
    header();
    // Fields and metadata may stand between; what follows the cells are data on them.
    for (;;) {
      const std::size_t at = in_.mark();
      const std::string keyword = lower(in_.word());
      if (keyword.empty() || keyword == "point_data" || keyword == "cell_data") break;
      if (keyword == "points")
        once(points_at_, at, "POINTS"), points();
      else if (keyword == "cells")
        once(cells_at_, at, "CELLS"), cells();
      else if (keyword == "cell_types")
        once(types_at_, at, "CELL_TYPES"), types();
      else if (keyword == "metadata")
        metadata();
      else if (keyword == "field")
        fields();
      else
        in_.fail_at(at, "must be POINTS, CELLS, CELL_TYPES, FIELD, METADATA, POINT_DATA or CELL_DATA, got " +
                            soft::shown(keyword));
    }
    if (points_at_ == 0 || cells_at_ == 0 || types_at_ == 0) in_.fail("must have POINTS, CELLS and CELL_TYPES");
    return assembled();
  }

private:
  void header() {
    if (!in_.line().starts_with("# vtk DataFile Version ")) in_.fail_at(0, "must start with # vtk DataFile Version");
    in_.line();  // the title
    const std::string kind = lower(in_.word());
    if (kind != "ascii" && kind != "binary") in_.fail_word("must be ASCII or BINARY");
    if (lower(in_.word()) != "dataset") in_.fail_word("must be DATASET");
    if (lower(in_.word()) != "unstructured_grid")
      in_.fail_word("must be UNSTRUCTURED_GRID: other data sets are not read");
    binary_ = kind == "binary";
    if (binary_) in_.binary(std::endian::native == std::endian::little);  // VTK writes the high byte first
  }

  void once(std::size_t& seen, std::size_t at, const char* keyword) {
    if (seen != 0) in_.fail_at(at, std::string("has a second section ") + keyword);
    seen = at;
  }

  /// How many bytes a number of a type takes in binary; refuses types that are none.
  std::size_t bytes_of(std::string_view type) {
    const std::string name = lower(type);
    if (name == "double" || name == "vtktypeint64" || name == "vtktypeuint64" || name == "long" ||
        name == "unsigned_long" || name == "vtkidtype")
      return 8;
    if (name == "float" || name == "int" || name == "unsigned_int" || name == "vtktypeint32") return 4;
    if (name == "short" || name == "unsigned_short") return 2;
    if (name == "char" || name == "unsigned_char" || name == "vtktypeuint8" || name == "vtktypeint8") return 1;
    in_.fail_word("numbers of type " + soft::shown(type) + " are not read");
  }

  void points() {
    const std::size_t count = in_.count("the number of points", 3);
    const std::string type = lower(in_.word());
    if (type != "float" && type != "double") in_.fail_word("points must be float or double, got " + soft::shown(type));
    if (binary_) in_.line();
    in_.checked_count(std::int64_t(count), "the number of points", binary_ ? 3 * bytes_of(type) : 5, in_.place());
    const auto number = [&] {
      if (!binary_) return in_.number("a coordinate");
      const std::size_t at = in_.place();
      const double x = type == "float" ? double(in_.value<float>()) : in_.value<double>();
      if (!std::isfinite(x)) in_.fail_at(at, "a coordinate must be finite, got " + number_text(x));
      return x;
    };
    for (std::size_t i = 0; i < count; ++i) {
      vertex_at_.push_back(in_.mark());
      const double x = number(), y = number(), z = number();
      listed_.vertices.emplace_back(x, y, z);
    }
  }

  std::int64_t id(std::size_t bytes, const char* what) {
    return !binary_ ? in_.integer(what) : bytes == 8 ? in_.value<std::int64_t>() : in_.value<std::int32_t>();
  }

  void cells() {
    const std::size_t count = in_.count("the number of cells", 1);
    const std::size_t size = in_.count("the size of the list of cells", 1);
    if (binary_) in_.line();
    const std::size_t at = in_.mark();
    if (lower(in_.rest().substr(0, 8)) != "offsets ") {  // up to version 4: each cell with its number of points
      const std::size_t numbers =
          in_.checked_count(std::int64_t(size), "the size of the list of cells", binary_ ? 4 : 2, at);
      for (std::size_t i = 0, used = 0; i < count; ++i) {
        const std::size_t cell_at = in_.mark();
        const std::int64_t points = id(4, "the number of points of a cell");
        if (points < 0 || std::uint64_t(points) >= numbers - used)
          in_.fail_at(cell_at,
                      "a cell of " + std::to_string(points) + " points does not fit the size of the list of cells");
        used += std::size_t(points) + 1;
        first_.push_back(ids_.size());
        for (std::int64_t k = 0; k < points; ++k) add_id(4);
        if (used == numbers && i + 1 < count) in_.fail("the list of cells has no room for all of them");
      }
      first_.push_back(ids_.size());
      return;
    }
    // From version 5: `count` offsets (one more than cells), then all ids.
    in_.word();
    std::size_t bytes = bytes_of(in_.word());
    if (binary_) in_.line();
    in_.checked_count(std::int64_t(count), "the number of offsets", binary_ ? bytes : 2, at);
    if (bytes < 4) in_.fail_word("offsets must have 4 or 8 bytes");
    for (std::size_t i = 0; i < count; ++i) {
      const std::size_t offset_at = in_.mark();
      const std::int64_t offset = id(bytes, "an offset");
      const std::int64_t least = first_.empty() ? 0 : std::int64_t(first_.back());
      if (offset < least || std::uint64_t(offset) > size || (i == 0 && offset != 0))
        in_.fail_at(offset_at, "an offset must be " + std::to_string(least) + " to " + std::to_string(size) +
                                   ", from 0, got " + std::to_string(offset));
      first_.push_back(std::size_t(offset));
    }
    if (lower(in_.word()) != "connectivity") in_.fail_word("must be CONNECTIVITY");
    bytes = bytes_of(in_.word());
    if (bytes < 4) in_.fail_word("ids must have 4 or 8 bytes");
    if (binary_) in_.line();
    in_.checked_count(std::int64_t(size), "the number of ids", binary_ ? bytes : 2, in_.place());
    for (std::size_t i = 0; i < size; ++i) add_id(bytes);
  }

  void add_id(std::size_t bytes) {
    id_at_.push_back(in_.mark());
    ids_.push_back(id(bytes, "a point of a cell"));
  }

  void types() {
    const std::size_t count = in_.count("the number of cell types", 1);
    if (binary_) in_.line();
    in_.checked_count(std::int64_t(count), "the number of cell types", binary_ ? 4 : 2, in_.place());
    for (std::size_t i = 0; i < count; ++i) {
      const std::size_t at = in_.mark();
      const std::int64_t type = id(4, "the type of a cell");
      if (type != soft::vtk_tetra && !soft::is_no_solid(type)) in_.fail_at(at, soft::cell_refusal(type));
      types_.push_back(type);
    }
  }

  /// Up to the next empty line.
  void metadata() {
    in_.line();
    while (in_.left() > 0 && !in_.line().empty()) {
    }
  }

  void fields() {
    in_.word();  // its name
    const std::size_t arrays = in_.count("the number of arrays", 1);
    for (std::size_t i = 0; i < arrays; ++i) {
      in_.word();
      if (in_.left() == 0) in_.fail("ends within FIELD");
      const std::size_t components = in_.count("the number of components", 1),
                        tuples = in_.count("the number of tuples", 1);
      const std::string_view type = in_.word();
      if (lower(type) == "string") in_.fail_word("fields of strings are not read");
      const std::size_t bytes = bytes_of(type), per_number = binary_ ? bytes : 2;
      if (binary_) in_.line();
      if (components != 0 && tuples > in_.left() / per_number / components) in_.fail("ends within FIELD");
      if (binary_)
        in_.skip(components * tuples * bytes, "FIELD");
      else
        for (std::size_t k = 0; k < components * tuples; ++k) in_.word();
    }
  }

  MeshFile assembled() {
    if (first_.size() != types_.size() + 1 && !(first_.empty() && types_.empty()))
      in_.fail_at(types_at_, "there are " + std::to_string(types_.size()) + " cell types for " +
                                 std::to_string(first_.empty() ? 0 : first_.size() - 1) + " cells");
    for (std::size_t i = 0; i < types_.size(); ++i) {
      if (types_[i] != soft::vtk_tetra) continue;
      if (first_[i + 1] - first_[i] != 4)
        in_.fail_at(first_[i] < id_at_.size() ? id_at_[first_[i]] : cells_at_,
                    "a tetrahedron must have 4 points, got " + std::to_string(first_[i + 1] - first_[i]));
      const auto id_of = [&](std::size_t k) { return ids_[first_[i] + k]; };
      listed_.tets.push_back({id_of(0), id_of(1), id_of(2), id_of(3)});
      tet_at_.push_back(id_at_[first_[i]]);
    }
    return assemble(
        std::move(listed_), [&](std::size_t i, const std::string& message) { in_.fail_at(vertex_at_[i], message); },
        [&](std::size_t i, const std::string& message) { in_.fail_at(tet_at_[i], message); });
  }

  Scanner in_;
  bool binary_ = false;
  soft::ListedMesh listed_;
  std::vector<std::size_t> first_;  // of the ids of each cell, and their end
  std::vector<std::int64_t> ids_, types_;
  std::vector<std::size_t> vertex_at_, id_at_, tet_at_;
  std::size_t points_at_ = 0, cells_at_ = 0, types_at_ = 0;
};

}  // namespace

MeshFile read_vtk(std::string_view file) { return LegacyVtk(file).read(); }

}  // namespace carom
