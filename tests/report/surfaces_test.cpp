// Surfaces in colours, bodies that change their shape, files for other programs.
#include <cmath>
#include <filesystem>
#include <fstream>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>
#include <sstream>
#include <unistd.h>

#include "carom/core/error.hpp"
#include "carom/report/document.hpp"
#include "carom/report/files.hpp"
#include "carom/report/writers.hpp"

namespace carom::report {
namespace {

Plot two_faces() {
  Plot plot;
  plot.name = "surface";
  plot.bare = plot.equal_scale = true;
  Faces& faces = plot.faces.emplace();
  faces.label = "height [m]";
  faces.triangles.push_back({{{0, 0}, {1, 0}, {0, 1}}, 0.0, 1.0});
  faces.triangles.push_back({{{1, 0}, {1, 1}, {0, 1}}, 2.0, 0.0});
  return plot;
}

TEST(Surfaces, PolygonsHaveAColourAndLight) {
  Plot plot;
  plot.name = "polygons";
  plot.bare = plot.equal_scale = true;
  plot.polygons.push_back({{{0, 0}, {2, 0}, {2, 1}, {0, 1}}, Color::sky, 1.0, true});
  plot.polygons.push_back({{{0, 0}, {1, 0}, {0, 3}}, Color::yellow, 0.0, false});
  const std::string svg = svg_text(plot);
  // #45bcf2 with a dark edge; #c4bb00 in the dark, at .62 of it, its edge of the same colour.
  const std::size_t first = svg.find("fill=\"#45bcf2\" stroke=\"#333333\""),
                    second = svg.find("fill=\"#7a7400\" stroke=\"#7a7400\"");
  ASSERT_NE(first, std::string::npos);
  ASSERT_NE(second, std::string::npos);
  EXPECT_LT(first, second);
  EXPECT_NE(csv_text(plot).find("polygon 2,,,0,3"), std::string::npos);
  Document document;
  document.plots = {plot};
  const auto json = nlohmann::json::parse(json_text(document))["plots"]["polygons"]["polygons"];
  EXPECT_EQ(json[0]["color"], "sky");
  EXPECT_EQ(json[1]["light"], 0.0);
  EXPECT_EQ(json[1]["corners"][2], (std::vector<double>{0.0, 3.0}));
}

// A cube seen from straight ahead is one square, with what is nearest last; a body stands where its keyframe says.
TEST(Surfaces, StillsShowTheFacesTowardsTheCamera) {
  Scene scene;
  scene.name = "still";
  SceneBody cube;
  cube.shape = carom::Box{{2.0, 2.0, 2.0}};
  cube.keyframes = {{0.0, {0.0, 0.0, 0.0}}, {1.0, {5.0, 0.0, 0.0}}};
  scene.bodies = {cube};
  const Camera ahead = camera_for(scene, "ahead", Eigen::Vector3d::UnitY(), Eigen::Vector3d::UnitZ());
  for (const double time : {0.0, 1.5}) {
    const Plot plot = still(scene, ahead, time);
    ASSERT_EQ(plot.polygons.size(), 1u);
    double left = INFINITY, right = -INFINITY;
    for (const Point& p : plot.polygons.front().corners) left = std::min(left, p.x), right = std::max(right, p.x);
    EXPECT_NEAR(right - left, 2.0, 1e-15);
    EXPECT_NEAR(0.5 * (left + right), (time < 1.0 ? 0.0 : 5.0) - ahead.target.x(), 1e-15);
  }
  EXPECT_NEAR(seen_at(ahead, {1.0, 7.0, 0.5}).x, 1.0 - ahead.target.x(), 1e-15);
  EXPECT_NEAR(seen_at(ahead, {1.0, 7.0, 0.5}).y, 0.5 - ahead.target.z(), 1e-15);
  scene.bodies.front().shape = DrilledBall{1.0, {{0.2, {0.0, -0.5, 0.0}, -Eigen::Vector3d::UnitY()}}};
  EXPECT_EQ(still(scene, ahead).polygons.back().color, Color::ink);  // the hole faces the camera
  scene.bodies.front().keyframes.front().orientation = Eigen::AngleAxisd(3.0, Eigen::Vector3d::UnitZ());
  EXPECT_NE(still(scene, ahead).polygons.back().color, Color::ink);
}

TEST(Surfaces, AreDrawnBackToFrontWithABar) {
  const std::string svg = svg_text(two_faces());
  // The ends of the colour map; the second face is in the dark, at .62 of its colour (#fde725 -> #9d8f17).
  const std::size_t low = svg.find("fill=\"#440154\" d=\"M"), high = svg.find("fill=\"#9d8f17\"");
  ASSERT_NE(low, std::string::npos);
  ASSERT_NE(high, std::string::npos);
  EXPECT_LT(low, high);
  EXPECT_NE(svg.find("height"), std::string::npos);
  // Edges have the colour of the text: dark faces on a dark page are seen by them.
  EXPECT_LT(svg.find("<g class=\"ink\" stroke=\"currentColor\" stroke-opacity"), low);
  EXPECT_EQ(csv_text(two_faces()), "x_0,y_0,x_1,y_1,x_2,y_2,value\r\n0,0,1,0,0,1,0\r\n1,0,1,1,0,1,2\r\n");
  Plot grey = two_faces();
  grey.faces->triangles[0].value = std::nan("");
  EXPECT_NE(svg_text(grey).find("#999999"), std::string::npos);
  Plot empty = two_faces();
  empty.faces->triangles.clear();
  EXPECT_NE(svg_text(empty).find("</svg>"), std::string::npos);
}

Document with_everything() {
  Document document;
  document.plots.push_back(two_faces());
  Scene scene;
  scene.name = "moves";
  SceneMesh mesh;
  mesh.triangles = {{0, 1, 2}};
  mesh.frames = {{0.0, {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}}, {}}, {1.0, {{0, 0, 3}, {1, 0, 3}, {0, 1, 3}}, {1, 2, 3}}};
  scene.meshes.push_back(mesh);
  scene.cameras.push_back(camera_for(scene, "side", Eigen::Vector3d::UnitY(), Eigen::Vector3d::UnitZ()));
  document.scenes.push_back(scene);
  document.files.push_back({"shape.vtu", "<VTKFile/>"});
  return document;
}

TEST(Surfaces, InJson) {
  const auto json = nlohmann::json::parse(json_text(with_everything()));
  EXPECT_EQ(json["plots"]["surface"]["faces"]["corners"].size(), 2u);
  EXPECT_EQ(json["plots"]["surface"]["faces"]["values"][1], 2);
  const auto& mesh = json["scenes"]["moves"]["meshes"][0];
  EXPECT_EQ(mesh["triangles"][0], nlohmann::json({0, 1, 2}));
  EXPECT_FALSE(mesh["frames"][0].contains("values"));
  EXPECT_EQ(mesh["frames"][1]["vertices"][2], nlohmann::json({0, 1, 3}));
  EXPECT_EQ(json["files"][0], "shape.vtu");
  EXPECT_NEAR(json["scenes"]["moves"]["cameras"][0]["height"].get<double>(), 3.6, 1e-12);  // 3 and its margins
}

TEST(Surfaces, FilesAreWrittenBeside) {
  const std::filesystem::path folder =
      std::filesystem::path(testing::TempDir()) / ("carom_surfaces_test_" + std::to_string(::getpid()));
  std::filesystem::remove_all(folder);
  write_folder(with_everything(), folder);
  std::ifstream in(folder / "shape.vtu");
  std::stringstream text;
  text << in.rdbuf();
  EXPECT_EQ(text.str(), "<VTKFile/>");
  for (const char* bad : {"", "..", ".vtu", "../x.vtu", "report.json", "a b.vtu"}) {
    Document document;
    document.files.push_back({bad, ""});
    EXPECT_THROW(write_folder(document, folder), InvalidInput) << bad;
  }
  Document twice;
  twice.files = {{"a.vtu", ""}, {"a.vtu", ""}};
  EXPECT_THROW(write_folder(twice, folder), InvalidInput);
  std::filesystem::remove_all(folder);
}

}  // namespace
}  // namespace carom::report
