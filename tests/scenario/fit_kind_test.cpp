// The kind `fit`: the measured sphere asked backwards, a CSV file, and what is wrong with either.
#include <fstream>
#include <gtest/gtest.h>

#include "carom/scenario/scenario.hpp"

namespace carom::scenario {
namespace {

double fact(const report::Document& document, const std::string& key) {
  for (const report::Fact& one : document.facts)
    if (one.key == key) return std::get<double>(one.value);
  ADD_FAILURE() << "no fact " << key;
  return 0.0;
}

std::filesystem::path scenario(const char* name) {
  return std::filesystem::path(CAROM_SOURCE_DIR) / "scenarios" / name;
}

TEST(FitKind, TheMeasuredSphereGivesItsSurfacesBack) {
  // Measured apart from these impacts: friction .092; Poisson's ratio .23, which makes eta0 1.0722 (Mindlin).
  const report::Document document = load(scenario("fit_oblique_sphere.yaml")).answer();
  EXPECT_NEAR(fact(document, "mu"), 0.092, 2 * fact(document, "mu_error"));
  EXPECT_NEAR(fact(document, "eta0"), 1.0722, 2 * fact(document, "eta0_error"));
  EXPECT_LT(fact(document, "residual"), 0.04);
  ASSERT_EQ(document.tables.front().name, "models");
  EXPECT_EQ(std::get<std::string>(report::cell(document.tables.front().columns[0], 0)), "compliant");
}

TEST(FitKind, NoisyBouncesGiveTheirParametersBack) {
  const report::Document document = load(scenario("fit_noisy_bounces.yaml")).answer();
  EXPECT_NEAR(fact(document, "mu"), 0.22, 3 * fact(document, "mu_error"));
  EXPECT_NEAR(fact(document, "e"), 0.65, 3 * fact(document, "e_error"));
  EXPECT_NEAR(fact(document, "residual"), 0.03, 0.005);
  EXPECT_EQ(document.plots.size(), 3U);
}

TEST(FitKind, NamesWhatIsWrong) {
  const auto mistake = [](const std::string& text) {
    try {
      parse(text, (scenario("x.yaml")).string());
    } catch (const BadScenario& bad) {
      return bad.mistakes().front().path + ": " + bad.mistakes().front().message;
    }
    return std::string("none");
  };
  const std::string head = R"({"kind": "fit", "impact_model": "planar", "free": ["mu"], )";
  EXPECT_EQ(mistake(head + R"("title": "x"})"), "file: give either `observations` or `file`");
  EXPECT_TRUE(mistake(head + R"("file": "nowhere.csv"})").starts_with("file: cannot read"));
  EXPECT_TRUE(mistake(head + R"("file": "superball.yaml"})").starts_with("file: line"));
  const std::string seen = R"("observations": [{"W": [[1, 0], [0, 1]], "v_before": [1, -1], "v_after": [0.5, 0.5]}]})";
  EXPECT_EQ(mistake(head + seen), "none");
  EXPECT_EQ(mistake(R"({"kind": "fit", "impact_model": "planar", "free": ["eta0"], )" + seen),
            "free: eta0 goes with compliant only");
  EXPECT_TRUE(mistake(R"({"kind": "fit", "impact_model": "one_step", "free": ["mu"], )" + seen).starts_with("law: "));
  EXPECT_TRUE(mistake(head + R"("observations": [{"W": [[-1, 0], [0, 1]], "v_before": [1, -1], "v_after": [0, 1]}]})")
                  .starts_with("observations: "));
}

}  // namespace
}  // namespace carom::scenario
