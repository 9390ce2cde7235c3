#include <array>
#include <cmath>
#include <limits>

#include "carom/core/text.hpp"

#include "assemble.hpp"
#include "scanner.hpp"

namespace carom {

namespace {

using soft::ListedMesh;
using soft::Scanner;

/// Elements of Gmsh's types 1 to 31: how many nodes, and whether they fill a solid.
struct ElementType {
  int nodes;
  bool solid;
};
constexpr std::array<ElementType, 31> element_types = {
    {{2, false},  {3, false}, {4, false}, {4, true},  {8, true},   {6, true},   {5, true},   {3, false},
     {6, false},  {9, false}, {10, true}, {27, true}, {18, true},  {14, true},  {1, false},  {8, false},
     {20, true},  {15, true}, {13, true}, {9, false}, {10, false}, {12, false}, {15, false}, {15, false},
     {21, false}, {4, false}, {5, false}, {6, false}, {20, true},  {35, true},  {56, true}}};
constexpr int tetrahedron = 4;

/// How the file says so, and where things stand in it.
class Gmsh {
public:
  explicit Gmsh(std::string_view file) : in_(file) {}

  MeshFile read() {
    bool nodes = false, elements = false;
    format();
    for (;;) {
      const std::string_view name = in_.word();
      if (name.empty()) break;
      if (!name.starts_with('$')) in_.fail_word("must be the start of a section ($Nodes), got " + soft::shown(name));
      if (name == "$Nodes" || name == "$Elements") {
        bool& seen = name == "$Nodes" ? nodes : elements;
        if (seen) in_.fail_word("has a second section " + std::string(name));
        seen = true;
        if (name == "$Nodes")
          newer_ ? nodes_4() : nodes_2();
        else
          newer_ ? elements_4() : elements_2();
        expect_end(name.substr(1));
      } else {
        // Names, entities, data on nodes: not needed for the mesh.
        const std::string end = "$End" + std::string(name.substr(1));
        const std::size_t at = in_.rest().find(end);
        if (at == std::string_view::npos) in_.fail_word("section " + soft::shown(name) + " has no " + soft::shown(end));
        in_.go_to(in_.place() + at + end.size());
      }
    }
    if (!nodes) in_.fail("has no section $Nodes");
    if (!elements) in_.fail("has no section $Elements");
    return assemble(
        std::move(listed_), [&](std::size_t i, const std::string& message) { in_.fail_at(vertex_at_[i], message); },
        [&](std::size_t i, const std::string& message) { in_.fail_at(tet_at_[i], message); });
  }

private:
  void format() {
    if (in_.word() != "$MeshFormat") in_.fail_word("must start with $MeshFormat");
    const double version = in_.number("the version");
    newer_ = version == 4.1;
    if (!newer_ && version != 2.2)
      in_.fail_word("must be version 2.2 or 4.1, got " + number_text(version) + " (gmsh -format msh41)");
    const std::int64_t type = in_.integer("the file type");
    if (type != 0 && type != 1)
      in_.fail_word("the file type must be 0 (text) or 1 (binary), got " + std::to_string(type));
    const std::int64_t size = in_.integer("the size of numbers");
    binary_ = type == 1;
    if (binary_) {
      if (size != 8 && !(newer_ && size == 4))
        in_.fail_word("the size of numbers must be 8, got " + std::to_string(size));
      wide_ = size == 8;
      in_.line();
      in_.binary(false);
      const auto one = in_.value<std::int32_t>();
      if (one != 1 && one != 0x01000000) in_.fail("must hold the number 1 that tells the byte order");
      in_.binary(one != 1);
    }
    expect_end("MeshFormat");
  }

  void expect_end(std::string_view name) {
    const std::string_view word = in_.word();
    if (word != "$End" + std::string(name))
      in_.fail_word("must be $End" + std::string(name) + ", got " + soft::shown(word));
  }

  /// A number of the kind that counts and names things in 4.1.
  std::int64_t size_value(const char* what) {
    if (!binary_) return in_.integer(what);
    if (!wide_) return in_.value<std::uint32_t>();
    const auto value = in_.value<std::uint64_t>();
    return value > std::uint64_t(std::numeric_limits<std::int64_t>::max()) ? -1 : std::int64_t(value);
  }
  std::int64_t int_value(const char* what) { return binary_ ? in_.value<std::int32_t>() : in_.integer(what); }

  double coordinate() {
    if (!binary_) return in_.number("a coordinate");
    const std::size_t at = in_.mark();
    const auto x = in_.value<double>();
    if (!std::isfinite(x)) in_.fail_at(at, "a coordinate must be finite, got " + number_text(x));
    return x;
  }

  void add_vertex(std::int64_t number, std::size_t at) {
    listed_.numbers.push_back(number);
    vertex_at_.push_back(at);
  }
  void add_point() {
    const double x = coordinate(), y = coordinate(), z = coordinate();
    listed_.vertices.emplace_back(x, y, z);
  }

  void nodes_2() {
    const std::size_t count = in_.count("the number of nodes", binary_ ? 28 : 8);
    if (binary_) in_.line();
    for (std::size_t i = 0; i < count; ++i) {
      const std::size_t at = in_.mark();
      const std::int64_t number = int_value("the number of a node");
      add_vertex(number, at);
      add_point();
    }
  }

  void nodes_4() {
    if (binary_) in_.line();
    const std::size_t at = in_.mark();
    const std::size_t blocks = in_.checked_count(size_value("the number of blocks"), "the number of blocks", 8, at);
    for (const char* what : {"the number of nodes", "the least number of a node", "the greatest number of a node"})
      size_value(what);
    for (std::size_t block = 0; block < blocks; ++block) {
      const std::int64_t dimension = int_value("the dimension of an entity");
      int_value("the tag of an entity");
      const bool parametric = int_value("whether nodes are parametric") != 0;
      if (dimension < 0 || dimension > 3)
        in_.fail("the dimension of an entity must be 0 to 3, got " + std::to_string(dimension));
      const std::size_t count_at = in_.mark();
      const std::size_t count = in_.checked_count(size_value("the number of nodes of a block"),
                                                  "the number of nodes of a block", binary_ ? 28 : 8, count_at);
      for (std::size_t i = 0; i < count; ++i) {
        const std::size_t number_at = in_.mark();
        add_vertex(size_value("the number of a node"), number_at);
      }
      for (std::size_t i = 0; i < count; ++i) {
        add_point();
        if (parametric)
          for (std::int64_t k = 0; k < dimension; ++k) coordinate();
      }
    }
  }

  /// Whether elements of a type are to be kept (else skipped). Refused if they are solids that are not read.
  bool is_kept(std::int64_t type) {
    if (type == tetrahedron) return true;
    const bool known = type >= 1 && type <= std::int64_t(element_types.size());
    if (!known) in_.fail("elements of type " + std::to_string(type) + " are not known");
    if (element_types[std::size_t(type - 1)].solid)
      in_.fail("elements of type " + std::to_string(type) +
               " are not read: the solid must be made of tetrahedra of four nodes (type 4)");
    return false;
  }

  void elements_2() {
    const std::size_t count = in_.count("the number of elements", binary_ ? 4 : 6);
    if (binary_) in_.line();
    for (std::size_t i = 0; i < count;) {
      std::int64_t type = 0, several = 1, tags = 0;
      if (!binary_) in_.integer("the number of an element");
      type = int_value("the type of an element");
      const bool keep = is_kept(type);
      const auto nodes = std::size_t(element_types[std::size_t(type - 1)].nodes);
      if (binary_) several = int_value("the number of elements of a type");
      const std::size_t tags_at = in_.mark();
      tags = std::int64_t(in_.checked_count(int_value("the number of tags"), "the number of tags", 1, tags_at));
      if (several < 1 || std::uint64_t(several) > count - i)
        in_.fail("the number of elements of a type must be 1 to " + std::to_string(count - i) + ", got " +
                 std::to_string(several));
      for (std::int64_t k = 0; k < several; ++k, ++i) {
        const std::size_t at = in_.mark();
        if (binary_) in_.value<std::int32_t>();
        for (std::int64_t t = 0; t < tags; ++t) int_value("a tag");
        element(keep, nodes, at, [&] { return int_value("a node of an element"); });
      }
    }
  }

  template <class Number>
  void element(bool keep, std::size_t nodes, std::size_t at, const Number& number) {
    std::array<std::int64_t, 4> tet{};
    for (std::size_t k = 0; k < nodes; ++k) {
      const std::int64_t node = number();
      if (keep) tet[k] = node;
    }
    if (!keep) return;
    listed_.tets.push_back(tet);
    tet_at_.push_back(at);
  }

  void elements_4() {
    if (binary_) in_.line();
    const std::size_t at = in_.mark();
    const std::size_t blocks = in_.checked_count(size_value("the number of blocks"), "the number of blocks", 8, at);
    for (const char* what :
         {"the number of elements", "the least number of an element", "the greatest number of an element"})
      size_value(what);
    for (std::size_t block = 0; block < blocks; ++block) {
      int_value("the dimension of an entity");
      int_value("the tag of an entity");
      const std::int64_t type = int_value("the type of elements");
      const bool keep = is_kept(type);
      const auto nodes = std::size_t(element_types[std::size_t(type - 1)].nodes);
      const std::size_t count_at = in_.mark();
      const std::size_t count = in_.checked_count(size_value("the number of elements of a block"),
                                                  "the number of elements of a block", 4, count_at);
      for (std::size_t i = 0; i < count; ++i) {
        const std::size_t element_at = in_.mark();
        size_value("the number of an element");
        element(keep, nodes, element_at, [&] { return size_value("a node of an element"); });
      }
    }
  }

  Scanner in_;
  bool newer_ = false, binary_ = false, wide_ = true;
  ListedMesh listed_;
  std::vector<std::size_t> vertex_at_, tet_at_;
};

}  // namespace

MeshFile read_gmsh(std::string_view file) { return Gmsh(file).read(); }

}  // namespace carom
