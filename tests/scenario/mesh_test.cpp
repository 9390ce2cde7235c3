// Bodies from files of other programs: STL meshes and robot descriptions (URDF).
#include <Eigen/Geometry>
#include <bit>
#include <cmath>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <functional>
#include <gtest/gtest.h>
#include <numbers>
#include <random>
#include <sstream>
#include <unistd.h>

#include "carom/core/error.hpp"
#include "carom/core/inertia.hpp"
#include "carom/scenario/scenario.hpp"

#include "parts/mesh_file.hpp"
#include "parts/urdf.hpp"

namespace carom::scenario {
namespace {

using Facets = std::vector<std::array<Eigen::Vector3f, 3>>;

/// A tetrahedron with its corners on the axes; normals outwards.
Facets tetrahedron(float a = 1.0F, float b = 2.0F, float c = 3.0F) {
  const Eigen::Vector3f o(0, 0, 0), x(a, 0, 0), y(0, b, 0), z(0, 0, c);
  return {{o, y, x}, {o, x, z}, {o, z, y}, {x, y, z}};
}

std::string binary_stl(const Facets& facets, const std::string& header = "made by hand") {
  std::string out = header;
  out.resize(80, ' ');
  const auto put = [&out](auto value) {
    char bytes[sizeof value];
    std::memcpy(bytes, &value, sizeof value);
    out.append(bytes, sizeof value);
  };
  static_assert(std::endian::native == std::endian::little);
  put(static_cast<std::uint32_t>(facets.size()));
  for (const auto& facet : facets) {
    for (int k = 0; k < 3; ++k) put(0.0F);
    for (const auto& corner : facet)
      for (const float number : corner) put(number);
    put(std::uint16_t{7});
  }
  return out;
}

std::string text_stl(const Facets& facets) {
  std::ostringstream out;
  out.precision(9);
  out << "solid by hand\n";
  for (const auto& facet : facets) {
    out << "  facet normal 0 0 0\n    outer loop\n";
    for (const auto& corner : facet)
      out << "      vertex " << corner[0] << " " << corner[1] << " " << corner[2] << "\n";
    out << "    endloop\n  endfacet\n";
  }
  out << "endsolid by hand\n";
  return out.str();
}

Polyhedron read(const std::string& bytes, const char* kind = ".stl") {
  std::istringstream in(bytes);
  return read_mesh(in, kind);
}

std::string refusal(const std::function<void()>& action) {
  try {
    action();
  } catch (const InvalidInput& error) {
    return error.what();
  }
  return "accepted";
}

TEST(Stl, BothKindsGiveTheSameSolid) {
  for (const std::string& bytes :
       {binary_stl(tetrahedron()), text_stl(tetrahedron()), binary_stl(tetrahedron(), "solid although it is binary")}) {
    const Polyhedron solid = read(bytes);
    EXPECT_EQ(solid.vertices.size(), 4U);  // joined
    EXPECT_EQ(solid.faces.size(), 4U);
    const MassProperties mass = polyhedron(6.0, solid.vertices, solid.faces);
    EXPECT_NEAR((mass.center - Eigen::Vector3d(0.25, 0.5, 0.75)).norm(), 0.0, 1e-14);
    // About the corner at the origin: m (b^2 + c^2)/10; carried to the centre by Steiner's rule.
    EXPECT_NEAR(mass.inertia(0, 0), 6.0 * 13.0 / 10.0 - 6.0 * (0.25 + 0.5625), 1e-12);
    EXPECT_NEAR(mass.inertia(0, 1), -(6.0 * 2.0 / 20.0 - 6.0 * 0.125), 1e-12);
  }
}

TEST(Stl, JoinsZerosOfBothSignsAndDropsFacetsBetweenTwoPlaces) {
  Facets facets = tetrahedron();
  facets[0][0][1] = -0.0F;
  facets.push_back({facets[3][0], facets[3][1], facets[3][0]});
  const Polyhedron solid = read(binary_stl(facets));
  EXPECT_EQ(solid.vertices.size(), 4U);
  EXPECT_EQ(solid.faces.size(), 4U);
  EXPECT_NO_THROW(polyhedron(1.0, solid.vertices, solid.faces));
}

TEST(Stl, SaysWhatIsWrong) {
  const auto said = [](const std::string& bytes) { return refusal([&] { read(bytes); }); };
  const std::string good = binary_stl(tetrahedron()), text = text_stl(tetrahedron());
  EXPECT_EQ(said(""), "file: ends within its first 84 bytes: no STL");
  EXPECT_EQ(said(good.substr(0, good.size() - 1)), "file: has 283 bytes, but its 4 facets take 284");
  EXPECT_EQ(said(good + "x"), "file: has 285 bytes, but its 4 facets take 284");
  std::string endless = good;
  endless[83] = '\x7f';  // a billion facets
  EXPECT_NE(said(endless).find("file: has 284 bytes, but its 2130706436 facets take"), std::string::npos);
  Facets infinite = tetrahedron();
  infinite[2][1][0] = std::numeric_limits<float>::infinity();
  EXPECT_EQ(said(binary_stl(infinite)), "facet 2: must have three corners of finite numbers");
  const auto changed = [&](const std::string& from, const std::string& to) {
    std::string other = text;
    return said(other.replace(other.find(from), from.size(), to));
  };
  EXPECT_EQ(changed("vertex 0 0 0", "vertex 0 0"), "line 4: must be a vertex of three finite numbers");
  EXPECT_EQ(changed("      vertex 0 0 0\n", ""), "line 7: ends a facet of 2 vertices, not three");
  EXPECT_EQ(changed("    endloop", "vertex 1 1 1\n    endloop"), "line 7: is a fourth vertex: facets are triangles");
  EXPECT_EQ(changed("    endloop", "    <html>"), "line 7: must be text STL, got '<html>'");
  EXPECT_EQ(said("solid x\nfacet\nvertex 0 0 0\n"), "line 3: ends within a facet");
  EXPECT_EQ(refusal([] { read("", ".dae"); }), "file: must be a .obj, .off or .stl file");
}

/// A folder with a robot and its meshes, gone at the end.
class Urdf : public ::testing::Test {
protected:
  void SetUp() override {
    root_ = std::filesystem::temp_directory_path() / ("carom_urdf_" + std::to_string(::getpid()));
    std::filesystem::create_directories(root_ / "arm_description" / "meshes");
    std::filesystem::create_directories(root_ / "arm_description" / "urdf");
    write("arm_description/meshes/hand.STL", binary_stl(tetrahedron()));
  }
  void TearDown() override { std::filesystem::remove_all(root_); }
  void write(const std::string& name, const std::string& text) const {
    std::ofstream(root_ / name, std::ios::binary) << text;
  }
  UrdfLink link(const std::string& links, const std::string& name = "") const {
    return read_urdf("<?xml version=\"1.0\"?>\n<robot name=\"arm\">\n" + links + "\n</robot>\n", name,
                     root_ / "arm_description" / "urdf");
  }
  std::string refused(const std::string& links, const std::string& name = "") const {
    return refusal([&] { link(links, name); });
  }

  std::filesystem::path root_;
};

const std::string inertial =
    "<inertial><origin xyz=\"0.1 0.2 0.3\" rpy=\"0 0 1.5707963267948966\"/><mass value=\"2\"/>"
    "<inertia ixx=\"1\" ixy=\"0.1\" ixz=\"0\" iyy=\"2\" iyz=\"0.2\" izz=\"2.5\"/></inertial>";
const std::string hand = "<link name=\"hand\">" + inertial + "</link>";

TEST_F(Urdf, GivesMassCentreAndInertiaInTheAxesOfTheLink) {
  const UrdfLink one = link(hand);
  EXPECT_EQ(one.name, "hand");
  EXPECT_EQ(one.mass, 2.0);
  EXPECT_EQ(one.centre, Eigen::Vector3d(0.1, 0.2, 0.3));
  // A quarter turn about z: x -> y, y -> -x. So I_xx = 2, I_yy = 1, I_xy = -.1, I_xz = -.2, I_yz = 0.
  Eigen::Matrix3d expected;
  expected << 2, -0.1, -0.2, -0.1, 1, 0, -0.2, 0, 2.5;
  EXPECT_NEAR((one.inertia - expected).norm(), 0.0, 1e-15);
  EXPECT_FALSE(one.shape);
}

TEST_F(Urdf, KnowsTheSolidOfALink) {
  const auto with = [&](const std::string& geometry, const std::string& origin = "") {
    return link("<link name=\"a\">" + inertial + "<collision>" + origin + "<geometry>" + geometry +
                "</geometry></collision></link>");
  };
  const UrdfLink ball = with("<sphere radius=\"0.5\"/>", "<origin xyz=\"0.1 0 0\"/>");
  EXPECT_EQ(std::get<Sphere>(*ball.shape).radius, 0.5);
  EXPECT_NEAR((ball.shape_centre - Eigen::Vector3d(0, 0.2, 0.3)).norm(), 0.0, 1e-15);
  const UrdfLink upright = with("<cylinder radius=\"0.5\" length=\"2\"/>", "<origin xyz=\"0 0 1\"/>");
  EXPECT_EQ(std::get<Cylinder>(*upright.shape).height, 2.0);
  // What the link reaches, in every case that of the solid moved: support() of random directions.
  std::mt19937_64 random(11);
  std::normal_distribution<double> normal;
  const Eigen::Vector3d at(0.3, -0.2, 0.7), rpy(0.4, -0.8, 1.9);
  const Eigen::Matrix3d turn =
      (Eigen::AngleAxisd(rpy[2], Eigen::Vector3d::UnitZ()) * Eigen::AngleAxisd(rpy[1], Eigen::Vector3d::UnitY()) *
       Eigen::AngleAxisd(rpy[0], Eigen::Vector3d::UnitX()))
          .toRotationMatrix();
  const std::string origin = "<origin xyz=\"0.3 -0.2 0.7\" rpy=\"0.4 -0.8 1.9\"/>";
  struct Solid {
    const char* text;
    Shape shape;
    double tolerance;
  };
  for (const Solid& solid :
       {Solid{"<box size=\"1 2 3\"/>", Box{{1, 2, 3}}, 1e-14},
        Solid{"<cylinder radius=\"0.5\" length=\"2\"/>", Cylinder{0.5, 2.0}, 0.5e-3 * 1.3},
        Solid{"<sphere radius=\"0.5\"/>", Sphere{0.5}, 1e-14},
        Solid{"<mesh filename=\"../meshes/hand.STL\"/>", read(binary_stl(tetrahedron())), 1e-14}}) {
    const UrdfLink one = with(solid.text, origin);
    ASSERT_TRUE(one.shape) << solid.text;
    for (int i = 0; i < 200; ++i) {
      const Eigen::Vector3d d = Eigen::Vector3d(normal(random), normal(random), normal(random)).normalized();
      const double reach = d.dot(support(*one.shape, d)) + d.dot(one.centre - one.shape_centre);
      const double expected = d.dot(at) + (turn.transpose() * d).dot(support(solid.shape, turn.transpose() * d));
      EXPECT_NEAR(reach, expected, solid.tolerance) << solid.text;
    }
    EXPECT_NO_THROW(mass_properties(*one.shape, 1.0)) << solid.text;  // closed, the right way out
    EXPECT_GT(mass_properties(*one.shape, 1.0).mass, 0.0);
  }
}

TEST_F(Urdf, FindsMeshesInPackagesAndScalesThem) {
  const auto reach = [&](const std::string& mesh) {
    const UrdfLink one =
        link("<link name=\"a\">" + inertial + "<visual><geometry>" + mesh + "</geometry></visual></link>");
    return support(*one.shape, Eigen::Vector3d::UnitZ()).z();
  };
  EXPECT_EQ(reach("<mesh filename=\"package://arm_description/meshes/hand.STL\"/>"), 3.0);
  EXPECT_EQ(reach("<mesh filename=\"package://arm_description/meshes/hand.STL\" scale=\"1 1 0.5\"/>"), 1.5);
  EXPECT_EQ(reach("<mesh filename=\"file://" + (root_ / "arm_description/meshes/hand.STL").string() + "\"/>"), 3.0);
}

TEST_F(Urdf, SaysWhatIsWrong) {
  EXPECT_EQ(refused(""), "urdf: has no <link>");
  EXPECT_EQ(refused(hand + "<link name=\"foot\"/>"), "link: is required: the file has 2 links (hand, foot)");
  EXPECT_EQ(refused(hand, "hnad"), "link: there is no link 'hnad', did you mean 'hand'?");
  EXPECT_EQ(refused("<link/>"), "urdf: line 3: <link> lacks `name`");
  EXPECT_EQ(refused("<link name=\"base\"/>"),
            "urdf: line 3: <link> 'base' has no <inertial>: a body without mass cannot be struck");
  const auto without = [&](const std::string& from, const std::string& to) {
    std::string text = hand;
    return refused(text.replace(text.find(from), from.size(), to));
  };
  EXPECT_EQ(without("<mass value=\"2\"/>", ""), "urdf: line 3: <inertial> of link 'hand' has no <mass>");
  EXPECT_EQ(without("value=\"2\"", "value=\"-2\""), "urdf: line 3: <mass> `value` must be positive, got -2");
  EXPECT_EQ(without("value=\"2\"", "value=\"${m}\""),
            "urdf: line 3: <mass> `value` must be a number, got '${m}' (a xacro file: expand it first)");
  EXPECT_EQ(without(" ixy=\"0.1\"", ""), "urdf: line 3: <inertia> lacks `ixy`");
  EXPECT_EQ(without("ixx=\"1\"", "ixx=\"1e999\""), "urdf: line 3: <inertia> `ixx` must be a number, got '1e999'");
  EXPECT_EQ(without("0.1 0.2 0.3", "0.1 0.2"), "urdf: line 3: <origin> `xyz` must be 3 numbers, got '0.1 0.2'");
  EXPECT_EQ(without("0.1 0.2 0.3", "0.1 0.2 0.3 0.4"),
            "urdf: line 3: <origin> `xyz` must be 3 numbers, got '0.1 0.2 0.3 0.4'");
  const auto shaped = [&](const std::string& geometry) {
    return refused("<link name=\"a\">" + inertial + "<collision>" + geometry + "</collision></link>");
  };
  EXPECT_EQ(shaped(""), "urdf: line 3: <collision> has no <geometry> with a solid in it");
  EXPECT_EQ(shaped("<geometry><torus/></geometry>"),
            "urdf: line 3: <torus> is not known: must be box, cylinder, sphere or mesh");
  EXPECT_EQ(shaped("<geometry><sphere radius=\"0\"/></geometry>"),
            "urdf: line 3: <sphere> `radius` must be positive, got 0");
  EXPECT_EQ(shaped("<geometry><mesh filename=\"no.stl\"/></geometry>"),
            "urdf: line 3: <mesh> 'no.stl': file: cannot be opened");
  EXPECT_EQ(shaped("<geometry><mesh filename=\"../meshes/hand.STL\" scale=\"1 0 1\"/></geometry>"),
            "urdf: line 3: <mesh> `scale` must be positive, got 0");
  EXPECT_NE(shaped("<geometry><mesh filename=\"package://other/x.stl\"/></geometry>")
                .find("<mesh> 'package://other/x.stl' is not found: no folder 'other' with it in "),
            std::string::npos);
  const auto text = [](const char* all) { return refusal([all] { read_urdf(std::string_view(all), "", {}); }); };
  EXPECT_EQ(text("not XML"), "urdf: line 1: is not XML");
  EXPECT_EQ(text("<sdf version=\"1.6\"/>"), "urdf: must be a <robot>, got <sdf>");
  EXPECT_EQ(text(""), "urdf: line 0: is not XML");
}

TEST_F(Urdf, IsABodyOfAScenario) {
  write("robot.urdf", "<robot name=\"r\">" + hand + "<link name=\"foot\">" + inertial +
                          "<visual><geometry><sphere radius=\"1\"/></geometry></visual></link></robot>");
  const auto file = [&](const std::string& body) {
    write("scene.yaml", "kind: impact\nmodel: spatial\nmaterial: {friction: 0.5, restitution: 0.5}\nbodies:\n  - {" +
                            body + "}\n  - immovable\ncontact: {point: [0, 0, 0], normal: [0, 0, 1]}\n");
    try {
      return std::string(load(root_ / "scene.yaml").head().kind);
    } catch (const BadScenario& error) {
      const std::string what = error.what();
      return what.substr(what.find("scene.yaml"));
    }
  };
  EXPECT_EQ(file("urdf: robot.urdf, link: hand, position: [0.5, 0, 1], velocity: [0, 0, -1]"), "impact");
  // The ball is about the origin of the link, the centre of mass at (.1, .2, .3) of it.
  EXPECT_EQ(file("urdf: robot.urdf, link: foot, position: [0.1, 0.2, 1.3], velocity: [0, 0, -1]"), "impact");
  EXPECT_EQ(file("urdf: robot.urdf, link: foot, position: [0.1, 0.2, 1.6]"),
            "scene.yaml:7: contact.point: must be a point of both bodies, lies 0.3 m outside foot");
  EXPECT_EQ(file("urdf: robot.urdf, position: [0, 0, 1]"),
            "scene.yaml:5: bodies[0].link: is required: the file has 2 links (hand, foot)");
  EXPECT_EQ(file("urdf: robot.urdf, link: hand, mass: 3, position: [0, 0, 1]"),
            "scene.yaml:5: bodies[0].mass: is what the link of `urdf` says");
  EXPECT_EQ(file("urdf: robot.urdf, link: hand"), "scene.yaml:5: bodies[0].position: is required");
  EXPECT_EQ(file("urdf: nowhere.urdf, position: [0, 0, 1]"),
            "scene.yaml:5: bodies[0].urdf: nowhere.urdf: cannot be opened");
  EXPECT_EQ(file("mass: 1, shape: sphere, radius: 1, link: hand, position: [0, 0, 1]"),
            "scene.yaml:5: bodies[0].link: goes with `urdf` only");
  EXPECT_EQ(file("shape: sphere, radius: 1, position: [0, 0, 1]"), "scene.yaml:5: bodies[0].mass: is required");
  write("odd.urdf",
        "<robot name=\"r\"><link name=\"a\"><inertial><mass value=\"1\"/><inertia ixx=\"1\" ixy=\"0\" ixz=\"0\" "
        "iyy=\"1\" iyz=\"0\" izz=\"-1\"/></inertial></link></robot>");
  EXPECT_EQ(file("urdf: odd.urdf, position: [0, 0, 1]").substr(0, 53),
            "scene.yaml:5: bodies[0].urdf: odd.urdf: inertia: must");
}

}  // namespace
}  // namespace carom::scenario
