// Rows of `fit`: values recovered by construction, every flag, every error.
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "carom/impact/collide.hpp"
#include "carom/impact/planar.hpp"
#include "carom/scenario/solve.hpp"

namespace carom::scenario {
namespace {

using nlohmann::json;

json answer(const json& row) {
  bool failed = false;
  return json::parse(solve_row(row.dump(), failed));
}

std::string bad_field(const json& row) {
  const json out = answer(row);
  if (!out.contains("error")) return "none: " + out.dump();
  return out["error"]["field"].is_null() ? "null" : out["error"]["field"].get<std::string>();
}

json rows_of(const Eigen::MatrixXd& w) {
  json out = json::array();
  for (Eigen::Index r = 0; r < w.rows(); ++r) {
    out.push_back(json::array());
    for (Eigen::Index c = 0; c < w.cols(); ++c) out.back().push_back(w(r, c));
  }
  return out;
}
json list_of(const Eigen::VectorXd& v) { return std::vector<double>(v.begin(), v.end()); }

/// Impacts of the falling rod (W of the sheet) at several slips.
json planar_row(double mu, double e) {
  json row = {{"model", "fit"}, {"id", 7}, {"impact_model", "planar"}, {"law", "poisson"}, {"free", {"mu", "e"}}};
  PlanarContactSpace space;
  space.inverse_inertia << 2.5, -1.5, -1.5, 2.5;
  for (const double slip : {-2.0, -1.0, 0.4, 1.5, 3.0}) {
    space.velocity = {slip, -1.0};
    const auto r = planar_outcome({space, {mu, e}, RestitutionLaw::poisson});
    row["observations"].push_back({{"W", rows_of(space.inverse_inertia)},
                                   {"v_before", list_of(space.velocity)},
                                   {"v_after", list_of(r.velocity_after)}});
  }
  return row;
}

/// A ball on a table: with W and v, or as bodies.
json ball_row(const char* model, double mu, double e, double eta0, const std::vector<double>& slips, bool bodies) {
  json row = {{"model", "fit"}, {"impact_model", model}, {"free", {"mu", "e"}}};
  const bool compliant = std::string(model) == "compliant";
  if (compliant)
    row["free"].push_back("eta0");
  else
    row["law"] = "energetic";
  for (const double slip : slips) {
    Body a, b = immovable_body();
    a.inertia = 0.4 * Eigen::Matrix3d::Identity();
    a.position = {0, 0, 1};
    a.velocity = {slip, 0.2 * slip, -1};
    const Contact contact{{0, 0, 0}, Eigen::Vector3d::UnitZ()};
    Body after;
    Eigen::Vector3d v_after = Eigen::Vector3d::Zero();
    if (compliant) {
      const auto hit = collide(a, b, contact, {mu, e}, TangentialSprings{eta0, Reading::model});
      after = hit.a, v_after = hit.impact.velocity_after;
    } else {
      const auto hit = collide(a, b, contact, {mu, e});
      after = hit.a, v_after = hit.impact.velocity_after;
    }
    const ContactSpace space = contact_space(a, b, contact);
    if (bodies)
      row["observations"].push_back(
          {{"bodies",
            {{{"mass", 1}, {"inertia", rows_of(a.inertia)}, {"position", {0, 0, 1}}, {"velocity", list_of(a.velocity)}},
             "immovable"}},
           {"contact", {{"point", {0, 0, 0}}, {"normal", {0, 0, 1}}}},
           {"after",
            {{{"velocity", list_of(after.velocity)}, {"angular_velocity", list_of(after.angular_velocity)}},
             nullptr}}});
    else
      row["observations"].push_back({{"W", rows_of(space.inverse_inertia)},
                                     {"v_before", list_of(space.velocity)},
                                     {"v_after", list_of(v_after)}});
  }
  return row;
}

TEST(FitRows, PlanarParametersComeBack) {
  const json out = answer(planar_row(0.35, 0.4));
  EXPECT_EQ(out["id"], 7);
  EXPECT_EQ(out["status"], "ok") << out.dump();
  EXPECT_NEAR(out["parameters"]["mu"].get<double>(), 0.35, 1e-7);
  EXPECT_NEAR(out["parameters"]["e"].get<double>(), 0.4, 1e-7);
  EXPECT_FALSE(out["parameters"].contains("eta0"));
  EXPECT_LT(out["standard_errors"]["mu"].get<double>(), 1e-6);
  EXPECT_EQ(out["per_observation"].size(), 5U);
  EXPECT_EQ(out["per_observation"][0]["residual"].size(), 2U);
  EXPECT_EQ(out["per_observation"][0]["verdict"], "separated");
  EXPECT_EQ(out["flags"], json::array());
}

TEST(FitRows, BothFormsOfAnObservationWeighTheSame) {
  const std::vector<double> slips = {0.3, 0.8, 1.5, 4.0, 8.0};
  json spaces = ball_row("compliant", 0.3, 0.6, 1.2, slips, false);
  json bodies = ball_row("compliant", 0.3, 0.6, 1.2, slips, true);
  for (json* row : {&spaces, &bodies}) {  // something to disagree about
    (*row)["observations"][0]["weight"] = 2;
    if (row == &spaces)
      (*row)["observations"][1]["v_after"][2] = 0.7;
    else
      (*row)["observations"][1]["after"][0]["velocity"][2] = 0.7;
  }
  json mixed = spaces;
  mixed["observations"][2] = bodies["observations"][2];
  const json a = answer(spaces), b = answer(bodies), c = answer(mixed);
  for (const char* name : {"mu", "e", "eta0"}) {
    EXPECT_NEAR(a["parameters"][name].get<double>(), b["parameters"][name].get<double>(), 1e-6) << a << b;
    EXPECT_NEAR(a["parameters"][name].get<double>(), c["parameters"][name].get<double>(), 1e-6);
  }
  EXPECT_NEAR(a["residual"].get<double>(), b["residual"].get<double>(), 1e-9);
}

TEST(FitRows, ResidualIsWhatTheSheetSays) {
  // One observation, nothing that can explain it: a bounce without friction, e fixed, seen .1 too fast sideways.
  json row = ball_row("spatial", 0.0, 0.5, 1.0, {1.0}, false);
  row["free"] = {"mu"};
  row["fixed"] = {{"e", 0.5}};
  row["observations"][0]["v_after"][0] = 1.1;
  row["observations"][0]["v_after"][1] = 0.2;
  const json out = answer(row);
  EXPECT_EQ(out["parameters"]["mu"], 0.0) << out;
  EXPECT_EQ(out["parameters"]["e"], 0.5);
  EXPECT_NEAR(out["residual"].get<double>(), 0.1 / std::sqrt(3.0), 1e-12);
  EXPECT_NEAR(out["per_observation"][0]["residual"][0].get<double>(), -0.1, 1e-12);
  EXPECT_EQ(out["flags"], json::array({"at_bound:mu"}));
  EXPECT_TRUE(out["standard_errors"]["mu"].is_null());
}

TEST(FitRows, FlagsSayWhatCannotBeTold) {
  json row = ball_row("compliant", 0.2, 0.5, 1.1, {8, 9, 10}, false);
  json out = answer(row);
  EXPECT_EQ(out["flags"], json::array({"unidentifiable:eta0"})) << out;
  EXPECT_TRUE(out["standard_errors"]["eta0"].is_null());
  EXPECT_NEAR(out["parameters"]["mu"].get<double>(), 0.2, 1e-7);
  out = answer(ball_row("spatial", 0.9, 0.5, 1.0, {0.1, 0.2}, false));
  EXPECT_EQ(out["flags"], json::array({"unidentifiable:mu"})) << out;
  // Two numbers, two parameters.
  row = planar_row(0.35, 0.4);
  row["observations"] = json::array({row["observations"][4]});
  out = answer(row);
  EXPECT_EQ(out["flags"], json::array({"no_redundancy"})) << out;
  EXPECT_TRUE(out["standard_errors"]["mu"].is_null());
}

TEST(FitRows, NoImpactKeepsItsResidual) {
  json row = planar_row(0.35, 0.4);
  row["observations"].push_back({{"W", {{1, 0}, {0, 1}}}, {"v_before", {1, 1}}, {"v_after", {1, 1.5}}});
  const json out = answer(row);
  EXPECT_EQ(out["per_observation"][5]["verdict"], "no_impact");
  EXPECT_EQ(out["per_observation"][5]["residual"], json::array({0.0, -0.5}));
  EXPECT_NEAR(out["parameters"]["mu"].get<double>(), 0.35, 1e-6);
  EXPECT_NEAR(out["residual"].get<double>(), 0.5 / std::sqrt(12.0), 1e-9);
}

TEST(FitRows, HuberBoundsWhatOneObservationCanDo) {
  json row = planar_row(0.35, 0.4);
  row["observations"][2]["v_after"][1] = 9.0;
  const json plain = answer(row);
  row["loss"] = "huber";
  row["loss_scale"] = 0.01;
  const json robust = answer(row);
  EXPECT_GT(std::abs(plain["parameters"]["e"].get<double>() - 0.4), 0.1);
  EXPECT_LT(std::abs(robust["parameters"]["e"].get<double>() - 0.4), 0.02) << robust;
}

TEST(FitRows, EveryMistakeIsNamed) {
  const json good = planar_row(0.35, 0.4);
  const auto field = [&](const auto& change) {
    json row = good;
    change(row);
    return bad_field(row);
  };
  EXPECT_EQ(field([](json& r) { r["impact_model"] = "rigid"; }), "impact_model");
  EXPECT_EQ(field([](json& r) { r["law"] = "hooke"; }), "law");
  EXPECT_EQ(field([](json& r) { r.erase("law"); }), "law");
  EXPECT_EQ(field([](json& r) { r["free"] = json::array(); }), "free");
  EXPECT_EQ(field([](json& r) { r["free"] = {"nu"}; }), "free[0]");
  EXPECT_EQ(field([](json& r) { r["free"] = {"mu", "e", "mu"}; }), "free[2]");
  EXPECT_EQ(field([](json& r) { r["free"] = {"mu", "e", "eta0"}; }), "free[2]");
  EXPECT_EQ(field([](json& r) { r["free"] = {"mu"}; }), "fixed.e");
  EXPECT_EQ(field([](json& r) { r["fixed"] = {{"e", 0.5}}; }), "fixed.e");
  EXPECT_EQ(field([](json& r) { r["start"] = {{"mu", 11}}; }), "start.mu");
  EXPECT_EQ(field([](json& r) {
              r["free"] = {"mu"}, r["fixed"] = {{"e", 0.5}}, r["start"] = {{"e", 0.5}};
            }),
            "start.e");
  EXPECT_EQ(field([](json& r) { r["reading"] = "model"; }), "reading");
  EXPECT_EQ(field([](json& r) { r["observations"] = json::array(); }), "observations");
  EXPECT_EQ(field([](json& r) { r["observations"][3]["W"] = {{1, 2}, {2, 1}}; }), "observations[3].W");
  EXPECT_EQ(field([](json& r) { r["observations"][3]["W"] = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}}; }), "observations[3].W");
  EXPECT_EQ(field([](json& r) { r["observations"][1]["v_after"] = {1, 2, 3}; }), "observations[1].v_after");
  EXPECT_EQ(field([](json& r) { r["observations"][1].erase("v_before"); }), "observations[1].v_before");
  EXPECT_EQ(field([](json& r) { r["observations"][1]["weight"] = -1; }), "observations[1].weight");
  EXPECT_EQ(field([](json& r) {
              r["observations"][1]["bodies"] = {"immovable", "immovable"};
            }),
            "observations[1].bodies");
  EXPECT_EQ(field([](json& r) {
              for (json& seen : r["observations"]) seen["weight"] = 0;
            }),
            "observations");
  EXPECT_EQ(field([](json& r) { r["loss"] = "huber"; }), "loss_scale");
  EXPECT_EQ(field([](json& r) { r["loss_scale"] = 1; }), "loss_scale");
  EXPECT_EQ(field([](json& r) { r["colour"] = 1; }), "colour");
  json compliant = ball_row("compliant", 0.3, 0.6, 1.2, {1, 5}, true);
  compliant["law"] = "newton";
  EXPECT_EQ(bad_field(compliant), "law");
  compliant.erase("law");
  compliant["observations"][1]["after"][0] = nullptr;
  EXPECT_EQ(bad_field(compliant), "observations[1].after[0]");
  compliant["observations"][1].erase("after");
  EXPECT_EQ(bad_field(compliant), "observations[1].after");
}

}  // namespace
}  // namespace carom::scenario
