#include "urdf.hpp"

#include <Eigen/Geometry>
#include <array>
#include <cmath>
#include <numbers>
#include <tinyxml2.h>

#include "carom/core/error.hpp"
#include "carom/core/text.hpp"
#include "carom/schema/mistakes.hpp"

#include "mesh_file.hpp"

namespace carom::scenario {

namespace {

using tinyxml2::XMLElement;

[[noreturn]] void refuse(const XMLElement& element, const std::string& message) {
  throw InvalidInput("urdf", "line " + std::to_string(element.GetLineNum()) + ": <" + element.Name() + "> " + message);
}

std::string attribute(const XMLElement& element, const char* name) {
  const char* text = element.Attribute(name);
  if (text == nullptr) refuse(element, std::string("lacks `") + name + "`");
  return text;
}

/// The numbers of an attribute: exactly so many.
template <std::size_t N>
std::array<double, N> numbers_of(const XMLElement& element, const char* name) {
  const std::string text = attribute(element, name);
  const auto bad = [&] {
    refuse(element, std::string("`") + name + "` must be " +
                        (N == 1 ? std::string("a number") : std::to_string(N) + " numbers") + ", got '" + text + "'" +
                        (text.find("${") != std::string::npos ? " (a xacro file: expand it first)" : ""));
  };
  std::array<double, N> numbers{};
  std::string_view rest = text;
  for (double& number : numbers) {
    rest.remove_prefix(std::min(rest.find_first_not_of(" \t\r\n"), rest.size()));
    const std::string_view word = rest.substr(0, rest.find_first_of(" \t\r\n"));
    const bool plus = word.starts_with('+');
    if (word.empty() || !parse_number(word.substr(plus ? 1 : 0), number) || !std::isfinite(number)) bad();
    rest.remove_prefix(word.size());
  }
  if (rest.find_first_not_of(" \t\r\n") != std::string_view::npos) bad();
  return numbers;
}

double positive(const XMLElement& element, const char* name) {
  const double number = numbers_of<1>(element, name)[0];
  if (!(number > 0.0)) refuse(element, std::string("`") + name + "` must be positive, got " + number_text(number));
  return number;
}

/// <origin xyz="..." rpy="...">: turned about x, then y, then z of the link.
Eigen::Isometry3d origin_of(const XMLElement& parent) {
  Eigen::Isometry3d pose = Eigen::Isometry3d::Identity();
  const XMLElement* origin = parent.FirstChildElement("origin");
  if (origin == nullptr) return pose;
  if (origin->Attribute("xyz") != nullptr) {
    const auto at = numbers_of<3>(*origin, "xyz");
    pose.translation() = Eigen::Vector3d(at[0], at[1], at[2]);
  }
  if (origin->Attribute("rpy") != nullptr) {
    const auto turn = numbers_of<3>(*origin, "rpy");
    using Eigen::AngleAxisd, Eigen::Vector3d;
    pose.linear() = (AngleAxisd(turn[2], Vector3d::UnitZ()) * AngleAxisd(turn[1], Vector3d::UnitY()) *
                     AngleAxisd(turn[0], Vector3d::UnitX()))
                        .toRotationMatrix();
  }
  return pose;
}

std::filesystem::path mesh_path(const XMLElement& mesh, const std::string& name, const std::filesystem::path& folder) {
  constexpr std::string_view in_package = "package://", as_file = "file://";
  if (name.starts_with(as_file)) return name.substr(as_file.size());
  if (!name.starts_with(in_package)) return folder / name;
  const std::filesystem::path inside = name.substr(in_package.size());
  std::error_code error;
  const std::filesystem::path start = std::filesystem::absolute(folder, error).lexically_normal();
  for (std::filesystem::path at = start;; at = at.parent_path()) {
    if (std::filesystem::exists(at / inside, error)) return at / inside;
    if (at == at.parent_path()) break;
  }
  refuse(mesh, "'" + name + "' is not found: no folder '" + inside.begin()->string() + "' with it in " +
                   start.string() + " or above");
}

Polyhedron box_of(const Eigen::Vector3d& size) {
  Polyhedron box;
  for (int i = 0; i < 8; ++i)
    box.vertices.push_back(0.5 * Eigen::Vector3d((i & 1) != 0 ? size[0] : -size[0], (i & 2) != 0 ? size[1] : -size[1],
                                                 (i & 4) != 0 ? size[2] : -size[2]));
  box.faces = {{0, 2, 3, 1}, {4, 5, 7, 6}, {0, 1, 5, 4}, {2, 6, 7, 3}, {0, 4, 6, 2}, {1, 3, 7, 5}};
  return box;
}

/// A prism in place of a cylinder that leans: within a thousandth of its radius.
Polyhedron prism_of(double radius, double height) {
  constexpr int corners = 64;
  Polyhedron prism;
  std::vector<int> bottom, top;
  for (int i = 0; i < corners; ++i) {
    const double angle = 2.0 * std::numbers::pi * i / corners;
    for (const double z : {-0.5 * height, 0.5 * height})
      prism.vertices.emplace_back(radius * std::cos(angle), radius * std::sin(angle), z);
    const int next = (i + 1) % corners;
    prism.faces.push_back({2 * i, 2 * next, 2 * next + 1, 2 * i + 1});
    bottom.insert(bottom.begin(), 2 * i);
    top.push_back(2 * i + 1);
  }
  prism.faces.push_back(bottom);
  prism.faces.push_back(top);
  return prism;
}

Polyhedron moved(Polyhedron solid, const Eigen::Isometry3d& pose) {
  for (Eigen::Vector3d& vertex : solid.vertices) vertex = pose * vertex;
  return solid;
}

Polyhedron mesh_of(const XMLElement& mesh, const std::filesystem::path& folder) {
  const std::string name = attribute(mesh, "filename");
  Polyhedron solid;
  try {
    solid = read_mesh(mesh_path(mesh, name, folder));
  } catch (const InvalidInput& error) {
    if (error.field() == "urdf") throw;
    refuse(mesh, "'" + name + "': " + error.what());
  }
  if (mesh.Attribute("scale") != nullptr) {
    const auto scale = numbers_of<3>(mesh, "scale");
    for (const double s : scale)
      if (!(s > 0.0)) refuse(mesh, "`scale` must be positive, got " + number_text(s));
    for (Eigen::Vector3d& vertex : solid.vertices)
      vertex = vertex.cwiseProduct(Eigen::Vector3d(scale[0], scale[1], scale[2]));
  }
  return solid;
}

/// The shape of a <geometry>, and where the centre of mass is in its frame.
void read_geometry(const XMLElement& holder, const std::filesystem::path& folder, UrdfLink& link) {
  const XMLElement* geometry = holder.FirstChildElement("geometry");
  const XMLElement* solid = geometry != nullptr ? geometry->FirstChildElement() : nullptr;
  if (solid == nullptr) refuse(holder, "has no <geometry> with a solid in it");
  const Eigen::Isometry3d pose = origin_of(holder);
  const std::string_view kind = solid->Name();
  if (kind == "sphere") {
    link.shape = Sphere{positive(*solid, "radius")};
    link.shape_centre = link.centre - pose.translation();
    return;
  }
  link.shape_centre = link.centre;
  if (kind == "mesh") {
    link.shape = moved(mesh_of(*solid, folder), pose);
  } else if (kind == "box") {
    const auto size = numbers_of<3>(*solid, "size");
    for (const double s : size)
      if (!(s > 0.0)) refuse(*solid, "`size` must be positive, got " + number_text(s));
    link.shape = moved(box_of({size[0], size[1], size[2]}), pose);
  } else if (kind == "cylinder") {
    const double radius = positive(*solid, "radius"), length = positive(*solid, "length");
    if (pose.linear().isIdentity(0.0)) {
      link.shape = Cylinder{radius, length};
      link.shape_centre = link.centre - pose.translation();
    } else {
      link.shape = moved(prism_of(radius, length), pose);
    }
  } else {
    refuse(*solid, "is not known: must be box, cylinder, sphere or mesh");
  }
}

const XMLElement& chosen_link(const XMLElement& robot, const std::string& name) {
  std::vector<std::string> names;
  const XMLElement* found = nullptr;
  for (const XMLElement* link = robot.FirstChildElement("link"); link != nullptr;
       link = link->NextSiblingElement("link")) {
    names.push_back(attribute(*link, "name"));
    if (names.back() == name || name.empty()) found = link;
  }
  if (names.empty()) throw InvalidInput("urdf", "has no <link>");
  if (name.empty() && names.size() > 1) {
    std::string list;
    for (std::size_t i = 0; i < std::min<std::size_t>(names.size(), 20); ++i) list += (i == 0 ? "" : ", ") + names[i];
    throw InvalidInput("link", "is required: the file has " + std::to_string(names.size()) + " links (" + list +
                                   (names.size() > 20 ? ", ..." : "") + ")");
  }
  if (found == nullptr) throw InvalidInput("link", "there is no link '" + name + "'" + schema::suggestion(name, names));
  return *found;
}

}  // namespace

UrdfLink read_urdf(std::string_view text, const std::string& name, const std::filesystem::path& folder) {
  tinyxml2::XMLDocument document;
  if (document.Parse(text.data(), text.size()) != tinyxml2::XML_SUCCESS)
    throw InvalidInput("urdf", "line " + std::to_string(document.ErrorLineNum()) + ": is not XML");
  const XMLElement* robot = document.RootElement();
  if (robot == nullptr || robot->Name() != std::string_view("robot"))
    throw InvalidInput("urdf",
                       "must be a <robot>" + (robot != nullptr ? ", got <" + std::string(robot->Name()) + ">" : ""));
  const XMLElement& element = chosen_link(*robot, name);
  UrdfLink link;
  link.name = attribute(element, "name");
  const XMLElement* inertial = element.FirstChildElement("inertial");
  if (inertial == nullptr)
    refuse(element, "'" + link.name + "' has no <inertial>: a body without mass cannot be struck");
  const XMLElement *mass = inertial->FirstChildElement("mass"), *inertia = inertial->FirstChildElement("inertia");
  if (mass == nullptr) refuse(*inertial, "of link '" + link.name + "' has no <mass>");
  if (inertia == nullptr) refuse(*inertial, "of link '" + link.name + "' has no <inertia>");
  link.mass = positive(*mass, "value");
  const Eigen::Isometry3d pose = origin_of(*inertial);
  // Entry by entry: Eigen's list of values does not stand an exception in the middle.
  constexpr std::array<const char*, 6> names = {"ixx", "ixy", "ixz", "iyy", "iyz", "izz"};
  Eigen::Matrix3d matrix;
  for (int row = 0, k = 0; row < 3; ++row)
    for (int column = row; column < 3; ++column, ++k)
      matrix(row, column) = matrix(column, row) = numbers_of<1>(*inertia, names[static_cast<std::size_t>(k)])[0];
  const Eigen::Matrix3d turned = pose.linear() * matrix * pose.linear().transpose();
  link.inertia = 0.5 * (turned + turned.transpose());
  link.centre = pose.translation();
  for (const char* kind : {"collision", "visual"}) {
    const XMLElement* first = element.FirstChildElement(kind);
    if (first == nullptr) continue;
    if (first->NextSiblingElement(kind) == nullptr) read_geometry(*first, folder, link);
    break;
  }
  return link;
}

UrdfLink read_urdf(const std::filesystem::path& file, const std::string& link) {
  return read_urdf(text_of_file(file, max_urdf_size), link, file.parent_path());
}

}  // namespace carom::scenario
