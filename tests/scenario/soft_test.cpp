// Rows and scenario kinds of soft bodies: fields, nulls, errors, pictures. The physics is tested in its room.
#include <cmath>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "carom/report/writers.hpp"
#include "carom/scenario/scenario.hpp"
#include "carom/scenario/solve.hpp"

namespace carom::scenario {
namespace {

using nlohmann::json;

json soft_solved(const json& row) {
  bool failed = false;
  return json::parse(solve_row(row.dump(), failed));
}

std::string soft_blame(const json& row) {
  const json answer = soft_solved(row);
  return answer.contains("error") ? answer["error"]["field"].get<std::string>() : "nothing";
}

/// Wang 2017, section 6.3.2.
json tetrahedron_row(const char* model) {
  const double r3 = std::sqrt(3.0);
  return {{"model", model},
          {"vertices", {{r3 / 40, 0.025, 2 * std::sqrt(2.0) / 40}, {r3 / 20, 0, 0}, {r3 / 40, 0.075, 0}, {0, 0, 0}}},
          {"tets", json::array({{0, 1, 2, 3}})},
          {"young", 5e3},
          {"poisson", 0.3},
          {"density", 1e3},
          {"gravity", {0, 0, -9.8}},
          {"fixed", {1, 2, 3}}};
}

TEST(SoftRows, Fem) {
  json row = tetrahedron_row("fem");
  json answer = soft_solved(row);
  EXPECT_EQ(answer["status"], "ok");
  EXPECT_EQ(answer.size(), 5u);
  EXPECT_NEAR(answer["displacement"][0][2].get<double>(), -0.00182, 1e-8);
  EXPECT_EQ(answer["reactions"].size(), 3u);
  EXPECT_NEAR(answer["reactions"]["2"][2].get<double>(), 0.2500520779, 1e-9);
  EXPECT_EQ(answer["flags"], json::array());
  row["fixed"] = {1, 2};
  row["prescribed"] = {{3, 2, 0.0}};
  row["forces"] = {{0, 0.01, 0, 0}};
  answer = soft_solved(row);
  EXPECT_EQ(answer["status"], "ok");
  EXPECT_EQ(answer["reactions"]["3"][0], 0);
  row.erase("prescribed");
  answer = soft_solved(row);
  EXPECT_EQ(answer["status"], "underconstrained");
  EXPECT_TRUE(answer["displacement"].is_null() && answer["reactions"].is_null() && answer["strain_energy"].is_null());
  row["vertices"][0] = {0.01, 0.01, 0};
  answer = soft_solved(row);
  EXPECT_EQ(answer["status"], "invalid_mesh");
  EXPECT_NE(answer["message"].get<std::string>().find("tets[0]"), std::string::npos);
}

TEST(SoftRows, RestShapeAndBack) {
  json row = tetrahedron_row("rest_shape");
  json answer = soft_solved(row);
  EXPECT_EQ(answer["status"], "ok");
  EXPECT_EQ(answer.size(), 10u);
  EXPECT_NEAR(answer["displacement"][0][2].get<double>(), -0.00186808197699, 1e-13);
  EXPECT_NEAR(answer["friction_required"].get<double>(), 0.311051829, 1e-9);
  EXPECT_EQ(answer["iterations"], answer["history"].size());
  // The rest shape with the masses of the observed one goes back to it.
  json back = tetrahedron_row("fem");
  back["vertices"] = answer["rest_vertices"];
  back["masses"] = answer["masses"];
  EXPECT_EQ(soft_blame(back), "masses");
  back.erase("density");
  const json forward = soft_solved(back);
  EXPECT_NEAR(answer["rest_vertices"][0][2].get<double>() + forward["displacement"][0][2].get<double>(),
              2 * std::sqrt(2.0) / 40, 1e-12);
  for (const char* method : {"newton", "anderson", "fixed_point", "neo_hookean"}) {
    row["method"] = method;
    row["stiffness_scale"] = 0.5;
    row["spectrum"] = true;
    answer = soft_solved(row);
    EXPECT_EQ(answer["status"], "ok") << method;
    EXPECT_NEAR(answer["spectrum"]["largest"].get<double>(), 0.0514773736704, 1e-9);
  }
  row["method"] = "fixed_point";
  row["damping"] = "auto";
  EXPECT_EQ(soft_solved(row)["spectrum"]["r_best"], 1);
  row["density"] = 1e6;  // far beyond the bound of eq. 6.39
  answer = soft_solved(row);
  EXPECT_NE(answer["status"], "ok");
  EXPECT_TRUE(answer["spectrum"].is_null());
  EXPECT_EQ(answer["flags"][1], "no_damping");
  EXPECT_EQ(answer["rest_vertices"].size(), 4u);
  row["fixed"] = {1};
  answer = soft_solved(row);
  EXPECT_EQ(answer["status"], "underconstrained");
  for (const char* field :
       {"rest_vertices", "displacement", "reactions", "masses", "iterations", "history", "residual"})
    EXPECT_TRUE(answer[field].is_null()) << field;
}

TEST(SoftRows, Errors) {
  const auto with = [](const char* model, const json& changes) {
    json row = tetrahedron_row(model);
    row.merge_patch(changes);
    return soft_blame(row);
  };
  for (const char* model : {"fem", "rest_shape"}) {
    EXPECT_EQ(with(model, json::object()), "nothing");
    EXPECT_EQ(with(model, {{"tets", {{0, 1, 2, 4}}}}), "tets[0]");
    EXPECT_EQ(with(model, {{"tets", {{0, 1, 2, 2.5}}}}), "tets[0]");
    EXPECT_EQ(with(model, {{"tets", json::array()}}), "tets");
    EXPECT_EQ(with(model, {{"poisson", 0.5}}), "poisson");
    EXPECT_EQ(with(model, {{"poisson", -1}}), "poisson");
    EXPECT_EQ(with(model, {{"young", 0}}), "young");
    EXPECT_EQ(with(model, {{"density", nullptr}}), "density");
    EXPECT_EQ(with(model, {{"masses", {1}}}), "masses");
    EXPECT_EQ(with(model, {{"density", nullptr}, {"masses", {1, 2}}}), "masses");
    EXPECT_EQ(with(model, {{"density", nullptr}, {"masses", {0}}}), "masses[0]");
    EXPECT_EQ(with(model, {{"fixed", {1, 2, 4}}}), "fixed[2]");
    EXPECT_EQ(with(model, {{"fixed", {1, 2, 2}}}), "fixed[2]");
    EXPECT_EQ(with(model, {{"fixed", {1, -2, 2}}}), "fixed[1]");
    EXPECT_EQ(with(model, {{"prescribed", {{1, 0, 0}}}}), "prescribed[0]");
    EXPECT_EQ(with(model, {{"prescribed", {{0, 3, 0}}}}), "prescribed[0]");
    EXPECT_EQ(with(model, {{"prescribed", {{0, 0}}}}), "prescribed[0]");
    EXPECT_EQ(with(model, {{"forces", {{0, 1, 1, 1}, {9, 1, 1, 1}}}}), "forces[1]");
    EXPECT_EQ(with(model, {{"gravity", {0, 0}}}), "gravity");
    EXPECT_EQ(with(model, {{"colour", "red"}}), "colour");
    // Of two mistakes the first in the row counts, also when only solving would find it.
    EXPECT_EQ(with(model, {{"fixed", {1, 2, 4}}, {"young", -1}}), "fixed[2]") << "f stands before y";
  }
  EXPECT_EQ(with("fem", {{"base", "fixed"}}), "base");
  EXPECT_EQ(with("rest_shape", {{"damping", "auto"}}), "damping");
  EXPECT_EQ(with("rest_shape", {{"damping", 0}}), "damping");
  EXPECT_EQ(with("rest_shape", {{"damping", 2}}), "damping");
  EXPECT_EQ(with("rest_shape", {{"method", "guess"}}), "method");
  EXPECT_EQ(with("rest_shape", {{"tolerance", 0}}), "tolerance");
  EXPECT_EQ(with("rest_shape", {{"max_iterations", 0}}), "max_iterations");
  EXPECT_EQ(with("rest_shape", {{"stiffness_scale", 0}}), "stiffness_scale");
  EXPECT_EQ(with("rest_shape", {{"base", "frictionless"}, {"gravity", {0, 0, 0}}}), "gravity");
}

report::Value fact(const report::Document& document, const std::string& key) {
  for (const report::Fact& one : document.facts)
    if (one.key == key) return one.value;
  ADD_FAILURE() << key;
  return 0.0;
}
double number_fact(const report::Document& document, const std::string& key) {
  return std::get<double>(fact(document, key));
}

TEST(SoftKinds, RestShapeOfAFrustum) {
  const report::Document document =
      parse(R"({"kind":"rest_shape","mesh":{"solid":"frustum","base_radius":0.031,"top_radius":0.025,"height":0.031,
                "size":0.009},"young":3000,"poisson":0.4,"density":960,"gravity":[0,0,-9.8],"fixed":"bottom",
                "method":"fixed_point","compare":[{"method":"newton"},{"method":"anderson","damping":"auto"}],
                "loads":[1,2],"flip":true,"measured":[{"label":"measured","height":0.031}]})",
            "jelly")
          .answer();
  EXPECT_EQ(std::get<std::string>(fact(document, "status")), "ok");
  EXPECT_NEAR(number_fact(document, "height_rest"), 0.0323, 2e-4);
  EXPECT_LT(number_fact(document, "forward_error"), 1e-8 * 0.031);
  ASSERT_EQ(document.tables.size(), 4u);
  const report::Table& flip = document.tables.back();
  EXPECT_EQ(flip.row_count(), 14u);
  // The prediction from the rest shape is nearer to the measured .031, with either base and either stiffness.
  for (std::size_t row = 2; row < 14; row += 3) {
    const double observed = std::get<double>(cell(flip.columns[3], row + 1)),
                 rest = std::get<double>(cell(flip.columns[3], row + 2));
    EXPECT_LT(std::abs(rest - 0.031), std::abs(observed - 0.031));
  }
  EXPECT_EQ(document.plots.size(), 9u);
  for (const report::Plot& plot : document.plots) EXPECT_NE(svg_text(plot).find("</svg>"), std::string::npos);
  ASSERT_EQ(document.scenes.size(), 1u);
  EXPECT_EQ(document.scenes[0].meshes[0].frames.size(), 2u);
  ASSERT_EQ(document.files.size(), 2u);
  EXPECT_NE(document.files[0].content.find("UnstructuredGrid"), std::string::npos);
}

TEST(SoftKinds, CantileverAgainstTheBeam) {
  const auto share = [](const char* size) {
    return number_fact(parse(std::string(R"({"kind":"fem","mesh":{"solid":"box","sizes":[0.2,0.02,0.02],"size":)") +
                                 size + R"(},"young":1e7,"poisson":0.3,"density":1100,"gravity":[0,0,-9.8],
                                 "fixed":"left","beam":true})",
                             "beam")
                           .answer(),
                       "tip_share");
  };
  const double coarse = share("0.01"), fine = share("0.0051");
  EXPECT_LT(coarse, fine);  // linear tetrahedra are too stiff in bending, the finer the less
  EXPECT_GT(fine, 0.85);
  EXPECT_LT(fine, 1.0);
}

TEST(SoftKinds, Mistakes) {
  const auto mistake = [](const std::string& members) -> std::string {
    try {
      parse(R"({"kind":"rest_shape","young":3000,"poisson":0.4,"density":960,"gravity":[0,0,-9.8],)" + members + "}",
            "file");
    } catch (const BadScenario& bad) {
      return bad.mistakes().front().path + ": " + bad.mistakes().front().message;
    }
    return "none";
  };
  const std::string box = R"("mesh":{"solid":"box","sizes":[1,1,1],"size":0.5})";
  EXPECT_EQ(mistake(box + R"(,"fixed":"bottom")"), "none");
  EXPECT_EQ(mistake(box + R"(,"fixed":["left",0])"), "none");
  EXPECT_TRUE(mistake(box + R"(,"fixed":"under")").starts_with("fixed: must be one of"))
      << mistake(box + R"(,"fixed":"under")");
  EXPECT_TRUE(mistake(box + R"(,"fixed":[1000])").starts_with("fixed[0]: "));
  EXPECT_EQ(mistake(R"("fixed":"bottom","mesh":{"solid":"box","size":0.5})"), "mesh.sizes: is required");
  EXPECT_EQ(mistake(R"("fixed":"bottom","mesh":{})"), "mesh: needs one of `solid`, `file`, or `vertices` with `tets`");
  EXPECT_EQ(mistake(R"("fixed":"bottom","mesh":{"file":"none.msh"})"), "mesh.file: cannot be opened");
  EXPECT_TRUE(mistake(box + R"(,"fixed":"bottom","prescribed":[[0,0,0]])").starts_with("prescribed[0]: "));
  EXPECT_TRUE(mistake(box + R"(,"fixed":"bottom","measured":[{"label":"x"}])").starts_with("measured: "));
}

}  // namespace
}  // namespace carom::scenario
