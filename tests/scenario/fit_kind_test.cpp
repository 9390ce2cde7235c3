// The kind `fit`: the measured sphere asked backwards, a CSV file, and what is wrong with either.
#include <algorithm>
#include <filesystem>
#include <fstream>
#include <gtest/gtest.h>
#include <unistd.h>

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
  EXPECT_EQ(mistake(R"({"kind": "fit", "impact_model": "planar", "free": ["mu", "mu"], )"
                    R"("observations": [{"W": [[1, 0], [0, 1]], "v_before": [1, -1], "v_after": [0.5, 0.5]}]})"),
            "free: names mu twice");
  const std::string seen = R"("observations": [{"W": [[1, 0], [0, 1]], "v_before": [1, -1], "v_after": [0.5, 0.5]}]})";
  EXPECT_EQ(mistake(head + seen), "none");
  EXPECT_EQ(mistake(R"({"kind": "fit", "impact_model": "planar", "free": ["eta0"], )" + seen),
            "free: eta0 goes with compliant only");
  EXPECT_TRUE(mistake(R"({"kind": "fit", "impact_model": "one_step", "free": ["mu"], )" + seen).starts_with("law: "));
  EXPECT_TRUE(mistake(head + R"("observations": [{"W": [[-1, 0], [0, 1]], "v_before": [1, -1], "v_after": [0, 1]}]})")
                  .starts_with("observations: "));
}

/// A scenario of a CSV file with this text.
std::string mistake_in(const std::string& csv, report::Document* document = nullptr, const std::string& more = "") {
  // Tests run side by side, each in a process of its own.
  const auto folder = std::filesystem::temp_directory_path() / ("carom_fit_kind_test_" + std::to_string(::getpid()));
  std::filesystem::create_directories(folder);
  std::ofstream(folder / "x.csv") << csv;
  std::string mistake = "none";
  try {
    const Scenario scenario =
        parse(R"({"kind":"fit","impact_model":"planar","free":["mu","e"],"file":"x.csv")" + more + "}",
              (folder / "x.yaml").string());
    if (document != nullptr) *document = scenario.answer();
  } catch (const BadScenario& bad) {
    mistake = bad.mistakes().front().path + ": " + bad.mistakes().front().message;
  }
  std::filesystem::remove_all(folder);
  return mistake;
}

TEST(FitKind, NamesWhatIsWrongWithAFile) {
  const std::string names = "W_tt,W_tn,W_nn,v_t,v_n,after_t,after_n", row = "\n3.5,0,1,4,-1,3,0.5\n";
  EXPECT_EQ(mistake_in(names + row), "none");
  EXPECT_EQ(mistake_in("\xEF\xBB\xBF" + names + row), "none");
  EXPECT_EQ(mistake_in("\"W_tt\",W_tn,\"W_nn\",v_t,v_n,after_t,after_n" + row), "none");
  EXPECT_EQ(mistake_in("W_tt,W_tn,W_nn,v_t,v_n,after_t,afte_n\n3.5,0,1,4,-1,3,0.5\n"),
            "file: line 1: has an unknown column 'afte_n', did you mean 'after_n'?");
  EXPECT_EQ(mistake_in(names + ",weights\n3.5,0,1,4,-1,3,0.5,1\n"),
            "file: line 1: has an unknown column 'weights', did you mean 'weight'?");
  EXPECT_EQ(mistake_in("W_tt," + names + "\n9,3.5,0,1,4,-1,3,0.5\n"), "file: line 1: has the column W_tt twice");
  EXPECT_EQ(mistake_in("# remark\n" + names + row + "3.5,9,1,4,-1,3,0.5\n"),
            "file: line 4: W must be positive definite");
  EXPECT_EQ(mistake_in(names + ",weight\n3.5,0,1,4,-1,3,0.5,-1\n"), "file: line 2: weight must be >= 0");
  EXPECT_EQ(mistake_in("W_tt,W_tn\n1,2\n"), "file: line 1: has no column W_nn");
  EXPECT_EQ(mistake_in(names + row, nullptr, R"(,"reading":"published")"), "reading: goes with compliant only");
}

TEST(FitKind, OneImpactIsFittedButNotCompared) {
  report::Document document;
  EXPECT_EQ(mistake_in("W_tt,W_tn,W_nn,v_t,v_n,after_t,after_n\n3.5,0,1,4,-1,3,0.5\n", &document, R"(,"compare":true)"),
            "none");
  EXPECT_NEAR(fact(document, "e"), 0.5, 1e-9);
  EXPECT_TRUE(std::any_of(document.notes.begin(), document.notes.end(),
                          [](const std::string& note) { return note.find("two or more") != std::string::npos; }));
}

TEST(FitKind, EachMaterialHasItsOwnNumbers) {
  report::Document document;
  // Central slides: v_t falls by 3.5 mu (1 + e) |v_n|, v_n turns round times e. felt .2, .5; oak .1, .8.
  const std::string text =
      "W_tt,W_tn,W_nn,v_t,v_n,after_t,after_n,material\n"
      "3.5,0,1,4,-1,2.95,0.5,felt\n3.5,0,1,5,-2,2.9,1.0,felt\n"
      "3.5,0,1,4,-1,3.37,0.8,\"old, oak\"\n3.5,0,1,5,-2,3.74,1.6,\"old, oak\"\n";
  EXPECT_EQ(mistake_in(text, &document), "none");
  EXPECT_NEAR(fact(document, "mu_felt"), 0.2, 1e-6);
  EXPECT_NEAR(fact(document, "e_felt"), 0.5, 1e-6);
  EXPECT_NEAR(fact(document, "mu_old__oak"), 0.1, 1e-6);
  EXPECT_NEAR(fact(document, "e_old__oak"), 0.8, 1e-6);
  EXPECT_EQ(mistake_in(text, &document, R"(,"per_material":["mu"])"), "none");
  EXPECT_GT(fact(document, "residual"), 0.01);  // one e for both does not do
  EXPECT_EQ(mistake_in(text, nullptr, R"(,"per_material":["q"])"), "per_material: q is not free");
}

TEST(FitKind, ObservationsByBodies) {
  // A ball that slides throughout: 3.5 mu (1 + e) per m/s of approach at the contact, 1/m and 2.5 of it at the centre.
  const double mu = 0.1, e = 0.6, push = mu * (1 + e);
  const std::string ball = R"({"mass":1,"shape":"sphere","radius":0.1,"position":[0,0,0.1],"velocity":[3,0,-1]})";
  const std::string after = R"([{"velocity":[)" + std::to_string(3 - push) + R"(,0,0.6],"angular_velocity":[0,)" +
                            std::to_string(2.5 * push / 0.1) + ",0]},null]";
  const std::string text = R"({"kind":"fit","impact_model":"spatial","free":["mu","e"],"observations":[{"bodies":[)" +
                           ball + R"(,"immovable"],"contact":{"point":[0,0,0],"normal":[0,0,1]},"after":)" + after +
                           "}]}";
  const report::Document document = parse(text, scenario("x.yaml").string()).answer();
  EXPECT_NEAR(fact(document, "mu"), mu, 1e-5);
  EXPECT_NEAR(fact(document, "e"), e, 1e-5);
}

}  // namespace
}  // namespace carom::scenario
