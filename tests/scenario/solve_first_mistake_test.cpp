// The first bad field of a row, in the order of the input, is the one that is named: whether it is found while reading,
// by a check of several fields, or by the library.
#include <functional>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>
#include <random>

#include "carom/scenario/solve.hpp"

namespace carom::scenario {
namespace {

using nlohmann::ordered_json;

/// The field that the answer blames; "" for a row that is answered.
std::string blamed(const std::string& row) {
  bool failed = false;
  const ordered_json answer = ordered_json::parse(solve_row(row, failed));
  return failed ? answer["error"]["field"].get<std::string>() : "";
}

TEST(FirstMistake, IsNamedWhateverFindsIt) {
  const std::string ball = R"({"mass":1,"principal":[0.4,0.4,0.4],"position":[0,0,1],"velocity":[-1,0,-5]})";
  const std::string touch = R"("point":[0,0,0],"normal":[0,0,1])";
  EXPECT_EQ(blamed(R"({"model":"simultaneous","bodies":[)" + ball + R"(,"immovable"],"contacts":[{"bodies":[0,9],)" +
                   touch + R"(,"e":1},{"bodies":[0,1],)" + touch + R"(,"e":2}]})"),
            "contacts[0].bodies");
  EXPECT_EQ(
      blamed(R"({"model":"simultaneous","bodies":[)" + ball + R"(,"immovable"],"contacts":[{"e":2,"bodies":[0,9],)" +
             touch + R"(},{"bodies":[0,1],)" + touch + R"(,"e":2}]})"),
      "contacts[0].e");
  EXPECT_EQ(blamed(R"({"model":"simultaneous","contacts":[{"bodies":[0,9],)" + touch + R"(,"e":1}],"bodies":[)" + ball +
                   R"(,{"mass":-1}]})"),
            "contacts[0].bodies");
  EXPECT_EQ(blamed(R"({"model":"simultaneous","contacts":[{"bodies":[0,9],)" + touch + R"(,"e":1}],"bodies":7})"),
            "bodies");
  // Of two repeated contacts the one that comes first in the input, not in the library's order.
  EXPECT_EQ(blamed(R"({"model":"simultaneous","bodies":[)" + ball + "," + ball + R"(,"immovable"],"contacts":[)" +
                   R"({"bodies":[1,2],)" + touch + R"(,"e":1},{"bodies":[0,2],)" + touch +
                   R"(,"e":1},{"bodies":[1,2],)" + touch + R"(,"e":1},{"bodies":[0,2],)" + touch + R"(,"e":1}]})"),
            "contacts[2]");
  EXPECT_EQ(blamed(R"({"model":"multipoint","method":"lcp","mass_matrix":[[-1,0,0],[0,1,0],[0,0,0.125]],)"
                   R"("jacobian":[[1,0,0.5],[0,1,0],[0,1,0.5],[-1,0,0]],"dimension":2,"velocity":[4,-5,0],"e":0.5,)"
                   R"("mu_s":-0.5,"mu_d":0.25})"),
            "mass_matrix");
  EXPECT_EQ(
      blamed(R"({"model":"spatial","law":"energetic","bodies":[{"principal":[-1,1,1],"mass":-1,"position":[0,0,1]},)"
             R"("immovable"],"contact":{)" +
             touch + R"(},"mu":1,"e":0.5})"),
      "bodies[0].principal");
  EXPECT_EQ(blamed(R"({"model":"spatial","law":"energetic","bodies":["immovable","immovable"],"contact":{)" + touch +
                   R"(},"mu":-1,"e":0.5})"),
            "bodies");
  // The bodies make no contact space that a double can hold: said of them, not of the library's W.
  EXPECT_EQ(
      blamed(R"({"model":"spatial","law":"energetic","bodies":[{"principal":[1e-310,1e-310,1e-310],"mass":1e-310,)"
             R"("position":[1,0,1]},"immovable"],"contact":{)" +
             touch + R"(},"mu":-1,"e":0.5})"),
      "bodies");
  // Two fields that do not go together: the second.
  EXPECT_EQ(blamed(R"({"model":"spatial","bodies":[{"principal":[1,1,1],"mass":1,"inertia":[[1,0,0],[0,1,0],[0,0,1]],)"
                   R"("position":[0,0,1]},"immovable"],"mu":-1})"),
            "bodies[0].inertia");
  EXPECT_EQ(blamed(R"({"model":"spatial","bodies":[{"inertia":[[1,0,0],[0,1,0],[0,0,1]],"mass":1,"principal":[1,1,1],)"
                   R"("position":[0,0,1]},"immovable"],"mu":-1})"),
            "bodies[0].principal");
  EXPECT_EQ(blamed(R"({"model":"spatial","v":[0,0,-1],"bodies":["immovable","immovable"],"W":[[1]]})"), "bodies");
  // What is missing comes after all that is there.
  EXPECT_EQ(blamed(R"({"model":"spatial","bodies":[{"principal":[1,1,1],"mass":1},"immovable"],"mu":-1,"e":2})"),
            "bodies[0].position");
  EXPECT_EQ(blamed(R"({"model":"planar","law":"newton","v":[0,-1],"mu":1,"e":2})"), "e");
}

TEST(FirstMistake, OverflowsDoNotHideIt) {
  bool failed = false;
  EXPECT_EQ(solve_row(R"({"id":1,"model":"planar","law":"poisson","W":[[1e999,1e999],[1e999,1e999]],"v":[1e999,1e999],)"
                      R"("mu":1e999,"e":1e999,"free_acceleration":1e999})",
                      failed),
            R"({"id":1,"error":{"field":"W","message":"is too large for a double, got 1e999 at [0][0]"}})");
}

/// A way to spoil one field of a good row.
struct Spoiled {
  std::string where;  ///< JSON pointer
  std::string value;  ///< what to put there, as JSON
  std::string field;  ///< the name that must be blamed
};

struct Model {
  std::string row;
  std::vector<Spoiled> ways;
};

const std::string ball = R"({"mass":1,"principal":[0.4,0.4,0.4],"orientation":[1,0,0,0],"position":[0,0,1],)"
                         R"("velocity":[-1,0,-5],"angular_velocity":[0,2,0]})";
const std::string pair = R"("bodies":[)" + ball + "," + ball + R"(],"contact":{"point":[0,0,0],"normal":[0,0,1]})";

const std::vector<Spoiled> pair_ways = {
    {"/mu", "-1", "mu"},
    {"/mu", "1e999", "mu"},
    {"/e", "2", "e"},
    {"/e", "null", "e"},
    {"/bodies", R"(["immovable","immovable"])", "bodies"},
    {"/bodies", "[]", "bodies"},
    {"/bodies/0", "7", "bodies[0]"},
    {"/bodies/0/mass", "0", "bodies[0].mass"},
    {"/bodies/0/principal", "[-1,1,1]", "bodies[0].principal"},
    {"/bodies/0/orientation", "[1,1,0,0]", "bodies[0].orientation"},
    {"/bodies/0/maas", "1", "bodies[0].maas"},
    {"/bodies/1/position", "[0,0]", "bodies[1].position"},
    {"/contact/normal", "[0,0,2]", "contact.normal"},
    {"/contact/point", "0", "contact.point"},
    {"/colour", "[1,[2]]", "colour"},
};

std::vector<Model> models() {
  std::vector<Model> all;
  all.push_back(
      {R"({"id":1,"model":"planar","law":"poisson","W":[[2.5,-1.5],[-1.5,2.5]],"v":[0.6,-1],"mu":0.7,"e":0.5})",
       {{"/law", "\"warp\"", "law"},
        {"/W", "[[1,2],[2,1]]", "W"},
        {"/W", "[[1,0],[0,1e999]]", "W"},
        {"/v", "[0]", "v"},
        {"/mu", "-1", "mu"},
        {"/e", "1.5", "e"},
        {"/free_acceleration", "\"down\"", "free_acceleration"},
        {"/nu", "0", "nu"}}});
  all.push_back({R"({"model":"spatial","law":"newton","mu":0.4,"e":0.5,)" + pair + "}", pair_ways});
  all.push_back({R"({"model":"compliant","eta0":1,"mu":0.4,"e":0.5,)" + pair + "}", pair_ways});
  all.push_back(
      {R"({"model":"simultaneous","tolerance":1e-8,"bodies":[)" + ball + "," + ball +
           R"(,"immovable"],"contacts":[{"bodies":[0,2],"point":[0,0,0],"normal":[0,0,1],"e":1,"mu":0.1},)"
           R"({"bodies":[1,2],"point":[0,0,0],"normal":[0,0,1],"e":1},{"bodies":[1,2],"point":[1,0,0],"normal":[0,0,1],)"
           R"("e":0.5}]})",
       {{"/tolerance", "0", "tolerance"},
        {"/bodies/0/mass", "-1", "bodies[0].mass"},
        {"/bodies/1/principal", "[1,1,-1]", "bodies[1].principal"},
        {"/contacts/0/bodies", "[0,9]", "contacts[0].bodies"},
        {"/contacts/0/bodies", "[0,0]", "contacts[0].bodies"},
        {"/contacts/1/bodies", "[2,2]", "contacts[1].bodies"},
        {"/contacts/1/e", "2", "contacts[1].e"},
        {"/contacts/0/mu", "-1", "contacts[0].mu"},
        {"/contacts/2/normal", "[0,0,2]", "contacts[2].normal"},
        {"/contacts/2/exponent", "2", "contacts[2].exponent"},
        {"/contacts/2/stiffness", "0", "contacts[2].stiffness"}}});
  all.push_back({R"({"model":"multipoint","method":"compliant","mass_matrix":[[1,0,0],[0,1,0],[0,0,0.125]],)"
                 R"("jacobian":[[1,0,0.5],[0,1,0],[0,1,0.5],[-1,0,0]],"dimension":2,"velocity":[4,-5,0],"e":[0.5,0.5],)"
                 R"("mu_s":0.5,"mu_d":0.25,"examine":1,"stiffness":[1,2],"exponent":1,"stiffness_range":[0.5,2]})",
                 {{"/method", "\"guess\"", "method"},
                  {"/mass_matrix", "[[-1,0,0],[0,1,0],[0,0,1]]", "mass_matrix"},
                  {"/mass_matrix", "[[1,2,0],[2,1,0],[0,0,1]]", "mass_matrix"},
                  {"/jacobian", "[[1,0],[0,1],[1,1],[0,1]]", "jacobian"},
                  {"/velocity", "[1,2]", "velocity"},
                  {"/mu_s", "-0.5", "mu_s"},
                  {"/mu_d", "-1", "mu_d"},
                  {"/examine", "5", "examine"},
                  {"/stiffness", "[1,2,3]", "stiffness"},
                  {"/exponent", "2", "exponent"},
                  {"/stiffness_range", "[2,1]", "stiffness_range"}}});
  all.push_back({R"({"model":"rod","wave_speed":1,"length":1,"gravity":0.1,"damping":0,"damping_kind":"viscous",)"
                 R"("impact_speed":1,"bounces":2,"sample_times":[0,0.5]})",
                 {{"/wave_speed", "0", "wave_speed"},
                  {"/length", "-1", "length"},
                  {"/damping_kind", "\"none\"", "damping_kind"},
                  {"/bounces", "0", "bounces"},
                  {"/sample_times", "[1,1]", "sample_times"},
                  {"/contact", "\"glue\"", "contact"}}});
  const std::string soft = R"("vertices":[[0.04,0.03,0.07],[0.09,0,0],[0.04,0.07,0],[0,0,0]],"tets":[[0,1,2,3]],)"
                           R"("young":5000,"poisson":0.3,"density":1000,"gravity":[0,0,-9.8],"fixed":[1,2,3],)"
                           R"("forces":[[0,1,0,0]],"prescribed":[[0,0,0.001]])";
  const std::vector<Spoiled> soft_mistakes = {{"/vertices/1", "[1,2]", "vertices[1]"},
                                              {"/tets/0", "[0,1,2,4]", "tets[0]"},
                                              {"/young", "0", "young"},
                                              {"/poisson", "0.5", "poisson"},
                                              {"/density", "-1", "density"},
                                              {"/gravity", "[0,0]", "gravity"},
                                              {"/fixed/1", "4", "fixed[1]"},
                                              {"/fixed/2", "1", "fixed[2]"},
                                              {"/forces/0", "[9,1,1,1]", "forces[0]"},
                                              {"/prescribed/0", "[1,0,0]", "prescribed[0]"},
                                              {"/prescribed/0", "[0,7,0]", "prescribed[0]"}};
  all.push_back({R"({"model":"fem",)" + soft + "}", soft_mistakes});
  all.push_back({R"({"model":"rest_shape",)" + soft + R"(,"method":"newton","damping":1,"tolerance":1e-9})",
                 {{"/method", "\"guess\"", "method"},
                  {"/damping", "0", "damping"},
                  {"/tolerance", "0", "tolerance"},
                  {"/tets/0", "[0,1,2,4]", "tets[0]"}}});
  all.push_back(
      {R"({"model":"world","gravity":[0,0,-9.81],"bodies":[)"
       R"({"shape":{"type":"sphere","radius":0.1},"mass":1,"principal":[0.004,0.004,0.004],"position":[0,0,0.1],)"
       R"("velocity":[1,0,0],"material":"ivory"},)"
       R"({"shape":{"type":"sphere","radius":0.1},"mass":1,"position":[3,0,1],"material":"bob"},)"
       R"({"shape":{"type":"sphere","radius":0.2},"position":[2,2,1],"immovable":true}],)"
       R"("planes":[{"point":[0,0,0],"normal":[0,0,1],"material":"table"}],)"
       R"("tubes":[{"point":[0,0,0],"axis":[0,0,1],"radius":9}],)"
       R"("materials":[{"between":["ivory","default"],"e":0.9,"mu":0.1,"mu_s":0.2,"eta0":1.1,"model":"compliant"},)"
       R"({"between":["table","default"],"e":0.5},{"between":["ivory","table"],"e":{"table":[[0,1],[1,0.9],[2,0.8]]}},)"
       R"({"between":["ivory","bob"],"e":0.9},{"between":["bob","default"],"e":0.9},)"
       R"({"between":["bob","table"],"e":0.9}],)"
       R"("supports":[{"type":"cloth","plane":0,"bodies":[0],"mu_slide":0.2,"mu_roll":0.01,"mu_spin":0.01},)"
       R"({"type":"pendulum","body":1,"anchor":[3,0,2],"axis":[0,1,0],"motion":"exact"}],)"
       R"("groups":{"model":"rodriguez","examine":"plane:0"},"end_time":0.1,"sample_times":[0,0.05,0.1],)"
       R"("stop":"rest","zeno_speed":1e-6,"touch_tolerance":1e-6,"micro_speed":1e-3,"max_events":100})",
       {{"/gravity", "[0,0]", "gravity"},
        {"/bodies/0/shape/radius", "0", "bodies[0].shape.radius"},
        {"/bodies/0/principal", "[0.004,0.004,0.005]", "bodies[0].principal"},
        {"/bodies/0/mass", "-1", "bodies[0].mass"},
        {"/bodies/1/position", "[0,0,0.25]", "bodies[1].position"},
        {"/bodies/2/velocity", "[0,0,1]", "bodies[2].velocity"},
        {"/planes/0/normal", "[0,0,2]", "planes[0].normal"},
        {"/tubes/0/radius", "0", "tubes[0].radius"},
        {"/materials/0/e", "1.5", "materials[0].e"},
        {"/materials/0/mu_s", "0.05", "materials[0].mu_s"},
        {"/materials/2/e/table/2/0", "1", "materials[2].e.table[2]"},
        {"/materials/3/exponent", "2", "materials[3].exponent"},
        {"/supports/0/mu_slide", "-1", "supports[0].mu_slide"},
        {"/supports/0/plane", "4", "supports[0].plane"},
        {"/supports/1/axis", "[0,2,0]", "supports[1].axis"},
        {"/supports/1/motion", "\"wild\"", "supports[1].motion"},
        {"/groups/model", "\"all\"", "groups.model"},
        {"/groups/examine", "\"plane:7\"", "groups.examine"},
        {"/sample_times", "[0,0,0.1]", "sample_times[1]"},
        {"/stop", "\"never\"", "stop"},
        {"/zeno_speed", "-1", "zeno_speed"},
        {"/micro_speed", "0", "micro_speed"},
        {"/max_events", "0.5", "max_events"}}});
  return all;
}

/// The same JSON with the members of every object in another order.
ordered_json shuffled(const ordered_json& value, std::mt19937_64& rng) {
  if (value.is_array()) {
    ordered_json result = ordered_json::array();
    for (const auto& item : value) result.push_back(shuffled(item, rng));
    return result;
  }
  if (!value.is_object()) return value;
  std::vector<std::string> keys;
  for (const auto& member : value.items()) keys.push_back(member.key());
  std::shuffle(keys.begin(), keys.end(), rng);
  ordered_json result = ordered_json::object();
  for (const auto& key : keys) result[key] = shuffled(value[key], rng);
  return result;
}

/// A row with placeholders spoiled: each is unique in the text, so that values no JSON library writes can stand there.
std::string spoiled(ordered_json row, const Spoiled& one, const Spoiled& other, std::mt19937_64& rng, bool& one_first) {
  row[ordered_json::json_pointer(one.where)] = "<one>";
  row[ordered_json::json_pointer(other.where)] = "<other>";
  std::string text = shuffled(row, rng).dump();
  one_first = text.find("\"<one>\"") < text.find("\"<other>\"");
  text.replace(text.find("\"<one>\""), 7, one.value);
  return text.replace(text.find("\"<other>\""), 9, other.value);
}

TEST(FirstMistake, TheModelsRowsAreGood) {
  for (const Model& model : models()) EXPECT_EQ(blamed(model.row), "") << model.row;
}

TEST(FirstMistake, EveryWayToSpoilARowIsBlamedOnItsField) {
  std::mt19937_64 rng(3);
  for (const Model& model : models())
    for (const Spoiled& way : model.ways) {
      ordered_json row = ordered_json::parse(model.row);
      row[ordered_json::json_pointer(way.where)] = "<one>";
      std::string text = shuffled(row, rng).dump();
      text.replace(text.find("\"<one>\""), 7, way.value);
      EXPECT_EQ(blamed(text), way.field) << text;
    }
}

TEST(FirstMistake, OfTwoInAnyOrder) {
  std::mt19937_64 rng(4);
  int tried = 0;
  for (const Model& model : models())
    for (const Spoiled& one : model.ways)
      for (const Spoiled& other : model.ways) {
        // Not both in the same field, nor one around the other.
        if (one.where.starts_with(other.where) || other.where.starts_with(one.where)) continue;
        bool one_first = false;
        const std::string text = spoiled(ordered_json::parse(model.row), one, other, rng, one_first);
        EXPECT_EQ(blamed(text), one_first ? one.field : other.field) << text;
        ++tried;
      }
  EXPECT_GT(tried, 500);
}

}  // namespace
}  // namespace carom::scenario
