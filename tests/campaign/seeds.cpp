#include <cmath>

#include "carom/soft/solids.hpp"

#include "campaign.hpp"

namespace carom::campaign {

namespace {

Json ball(double x, double y, double z, const Json& velocity, double radius = 1.0) {
  const double moment = 0.4 * radius * radius;
  return {{"mass", 1}, {"principal", {moment, moment, moment}}, {"position", {x, y, z}}, {"velocity", velocity}};
}

Json contact(int i, int j, const Json& point, const Json& normal, double e, double mu) {
  return {{"bodies", {i, j}}, {"point", point}, {"normal", normal}, {"e", e}, {"mu", mu}};
}

/// Balls in a row along x; the first one flies into them, a little sideways.
Json chain(int count, double exponent, double mu, double e) {
  Json row = {{"model", "simultaneous"}, {"bodies", Json::array()}, {"contacts", Json::array()}};
  for (int i = 0; i < count; ++i)
    row["bodies"].push_back(ball(2.0 * i, 0, 0, i == 0 ? Json({1, 0.1, 0}) : Json({0, 0, 0})));
  for (int i = 0; i + 1 < count; ++i) {
    Json c = contact(i, i + 1, {2.0 * i + 1, 0, 0}, {-1, 0, 0}, e, mu);
    c["stiffness"] = 1;
    c["exponent"] = exponent;
    row["contacts"].push_back(c);
  }
  return row;
}

/// A ball between two walls whose normals lean to both sides.
Json groove(double mu, const Json& eta0) {
  Json row = {{"model", "simultaneous"}, {"bodies", {ball(0, 0, 0, {0.3, 0, -1}), "immovable"}}};
  row["contacts"] = {contact(0, 1, {-0.8, 0, -0.6}, {0.8, 0, 0.6}, 0.5, mu),
                     contact(0, 1, {0.8, 0, -0.6}, {-0.8, 0, 0.6}, 0.5, mu)};
  for (Json& c : row["contacts"]) c["eta0"] = eta0;
  return row;
}

/// A cue ball into a triangle of three, resting on a table.
Json rack(double exponent, double mu) {
  const double h = std::sqrt(3.0);
  Json row = {{"model", "simultaneous"},
              {"bodies",
               {ball(0, 0, 0, {1, 0, 0}), ball(2, 0, 0, {0, 0, 0}), ball(2 + h, 1, 0, {0, 0, 0}),
                ball(2 + h, -1, 0, {0, 0, 0}), "immovable"}}};
  row["bodies"][0]["angular_velocity"] = {0, 5, 1};
  row["contacts"] = {contact(0, 1, {1, 0, 0}, {-1, 0, 0}, 0.9, mu),
                     contact(1, 2, {2 + h / 2, 0.5, 0}, {-h / 2, -0.5, 0}, 0.9, mu),
                     contact(1, 3, {2 + h / 2, -0.5, 0}, {-h / 2, 0.5, 0}, 0.9, mu),
                     contact(2, 3, {2 + h, 0, 0}, {0, 1, 0}, 0.9, mu), contact(0, 4, {0, 0, -1}, {0, 0, 1}, 0.5, mu)};
  for (Json& c : row["contacts"]) c["exponent"] = exponent;
  return row;
}

/// A box falling flat on four corners.
Json box() {
  Json row = {{"model", "simultaneous"},
              {"bodies",
               {{{"mass", 2},
                 {"principal", {0.5, 0.7, 1.0}},
                 {"position", {0, 0, 0.5}},
                 {"velocity", {0.2, 0.1, -1}},
                 {"angular_velocity", {0.1, 0, 0.3}}},
                "immovable"}}};
  row["contacts"] = Json::array();
  for (const double x : {-1.0, 1.0})
    for (const double y : {-0.7, 0.7}) row["contacts"].push_back(contact(0, 1, {x, y, 0}, {0, 0, 1}, 0.6, 0.3));
  return row;
}

void add_pairs(std::vector<Json>& rows) {
  const Json space = {{11.5984, -0.910367, 2.44236}, {-0.910367, 9.90134, 1.95747}, {2.44236, 1.95747, 2.59042}};
  const Json slender = {{3.5, 0.2, 0.5}, {0.2, 3, 0.3}, {0.5, 0.3, 1}};
  const Json falling = {{"mass", 1},
                        {"principal", {0.4, 0.5, 0.6}},
                        {"position", {0.1, 0, 1}},
                        {"velocity", {-1, 0.3, -5}},
                        {"angular_velocity", {0, 2, 0}}};
  const Json free = {{"mass", 3},
                     {"inertia", {{2, 0.1, 0}, {0.1, 3, 0.2}, {0, 0.2, 2.5}}},
                     {"position", {0.2, 0.1, -1}},
                     {"velocity", {0, 0, 0.5}},
                     {"angular_velocity", {0.3, 0, 1}}};
  const Json touch = {{"point", {0, 0, 0}}, {"normal", {0, 0, 1}}};
  for (const char* law : {"newton", "poisson", "energetic"}) {
    rows.push_back({{"model", "planar"},
                    {"law", law},
                    {"W", {{2.5, -1.5}, {-1.5, 2.5}}},
                    {"v", {0.6, -1}},
                    {"mu", 0.7},
                    {"e", 0.5}});
    rows.push_back({{"model", "planar"},
                    {"law", law},
                    {"W", {{4, 1.2}, {1.2, 1}}},
                    {"v", {-0.3, 0}},
                    {"mu", 2.5},
                    {"e", 0.8},
                    {"free_acceleration", -1}});
    rows.push_back({{"model", "spatial"},
                    {"law", law},
                    {"W", space},
                    {"v", {-0.26197634, 0.38632873, -0.07717452}},
                    {"mu", 0.8},
                    {"e", 0.95}});
    rows.push_back({{"model", "spatial"}, {"law", law}, {"W", slender}, {"v", {1, 0.5, -2}}, {"mu", 0.1}, {"e", 0.5}});
    rows.push_back({{"model", "batting"},
                    {"law", law},
                    {"W", slender},
                    {"frame", {{0, 0, 1}, {1, 0, 0}, {0, 1, 0}}},
                    {"object", {{"mass", 1}, {"position", {0.3, -0.1, 0.3}}, {"velocity", {-1, 0.6, -0.4}}}},
                    {"mu", 0.5},
                    {"e", 0.9},
                    {"target", {5, -0.2, -1}},
                    {"objective", "min_bat_speed"}});
    rows.push_back({{"model", "batting"},
                    {"law", law},
                    {"bodies", {falling, free}},
                    {"contact", touch},
                    {"mu", 0.4},
                    {"e", 0.7},
                    {"target", {1, 0.5, 3}},
                    {"gravity", 9.8},
                    {"method", "closed_form"}});
    rows.push_back({{"model", "spatial"},
                    {"law", law},
                    {"bodies", {falling, "immovable"}},
                    {"contact", touch},
                    {"mu", 0.4},
                    {"e", 0.5}});
    rows.push_back(
        {{"model", "spatial"}, {"law", law}, {"bodies", {falling, free}}, {"contact", touch}, {"mu", 0.2}, {"e", 0.9}});
  }
  for (const double eta0 : {0.3, 1.1, 4.0}) {
    rows.push_back(
        {{"model", "compliant"}, {"W", slender}, {"v", {-1, 0.5, -2}}, {"mu", 0.4}, {"e", 0.5}, {"eta0", eta0}});
    rows.push_back({{"model", "compliant"},
                    {"W", {{3.5, 0, 0}, {0, 3.5, 0}, {0, 0, 1}}},
                    {"v", {-1, 0, -2}},
                    {"mu", 0.4},
                    {"e", 0.5},
                    {"eta0", eta0}});
    rows.push_back({{"model", "compliant"},
                    {"bodies", {falling, "immovable"}},
                    {"contact", touch},
                    {"mu", 0.4},
                    {"e", 0.5},
                    {"eta0", eta0}});
    rows.push_back({{"model", "compliant"},
                    {"bodies", {falling, free}},
                    {"contact", touch},
                    {"mu", 0.8},
                    {"e", 1},
                    {"eta0", eta0}});
  }
}

void add_multipoint(std::vector<Json>& rows) {
  const Json corner = {{"mass_matrix", {{1, 0, 0}, {0, 1, 0}, {0, 0, 0.125}}},
                       {"jacobian", {{1, 0, 0.5}, {0, 1, 0}, {0, 1, 0.5}, {-1, 0, 0}}},
                       {"dimension", 2},
                       {"velocity", {4, -5, 0}},
                       {"e", 0.5},
                       {"mu_s", 0.5},
                       {"mu_d", 0.25}};
  // A cube falling on three of its corners, in space.
  Json cube = {{"mass_matrix", Json::array()},
               {"jacobian", Json::array()},
               {"dimension", 3},
               {"velocity", {0.3, 0.1, -1, 0.2, 0, 0.4}},
               {"e", {0.5, 0.6, 0.7}},
               {"mu_s", 0.4},
               {"mu_d", 0.3}};
  for (int i = 0; i < 6; ++i) {
    Json line = {0, 0, 0, 0, 0, 0};
    line[static_cast<std::size_t>(i)] = i < 3 ? 1.0 : 0.17;
    cube["mass_matrix"].push_back(line);
  }
  const double points[3][3] = {{0.5, 0.5, -0.5}, {-0.5, 0.5, -0.5}, {0, -0.5, -0.5}};
  for (const auto& p : points) {
    cube["jacobian"].push_back({1, 0, 0, 0, p[2], -p[1]});
    cube["jacobian"].push_back({0, 1, 0, -p[2], 0, p[0]});
    cube["jacobian"].push_back({0, 0, 1, p[1], -p[0], 0});
  }
  for (const Json& system : {corner, cube})
    for (const char* method : {"rodriguez", "lcp", "compliant"}) {
      Json row = {{"model", "multipoint"}, {"method", method}};
      row.update(system);
      if (std::string(method) == "compliant") {
        row["exponent"] = 1;
        rows.push_back(row);
        row["stiffness_range"] = {0.2, 5};
      }
      rows.push_back(row);
    }
}

void add_worlds(std::vector<Json>& rows) {
  const auto ball = [](double radius, const Json& position) {
    return Json{{"shape", {{"type", "sphere"}, {"radius", radius}}},
                {"mass", 1},
                {"position", position},
                {"velocity", {1, 0.2, -1}},
                {"angular_velocity", {0, 3, 1}}};
  };
  const Json floor = {{"point", {0, 0, 0}}, {"normal", {0, 0, 1}}};
  for (const double e : {0.5, 1.0})
    rows.push_back({{"model", "world"},
                    {"gravity", {0, 0, -9.81}},
                    {"bodies", {ball(0.1, {0, 0, 1}), ball(0.1, {0.5, 0, 1})}},
                    {"planes", {floor}},
                    {"materials", {{{"between", {"default", "default"}}, {"e", e}, {"mu", 0.3}}}},
                    {"end_time", 1},
                    {"max_events", 200},
                    {"sample_times", {0, 0.5, 1}}});
  rows.push_back(
      {{"model", "world"},
       {"gravity", {0, 0, -9.81}},
       {"bodies", {ball(0.03, {0, 0, 0.03}), ball(0.03, {0.2, 0, 0.03})}},
       {"planes", {floor}},
       {"supports", {{{"type", "cloth"}, {"plane", 0}, {"bodies", {0, 1}}, {"mu_slide", 0.2}, {"mu_roll", 0.01}}}},
       {"materials", {{{"between", {"default", "default"}}, {"e", 0.9}, {"mu", 0.1}, {"eta0", 1.1}}}},
       {"end_time", 5},
       {"max_events", 200},
       {"stop", "rest"}});
}

void add_forces(std::vector<Json>& rows) {
  const Json friction = {{"mu_s", 0.45},  {"mu_c", 0.4}, {"sigma0", 1e5}, {"sigma1", 300},
                         {"sigma2", 0.1}, {"v_s", 0.1},  {"tau_dw", 0.01}};
  for (const char* law : {"gonthier", "hunt_crossley", "lankarani_nikravesh", "flores"}) {
    rows.push_back({{"model", "normal_impact"},
                    {"law", law},
                    {"mass", 2},
                    {"stiffness", 1e6},
                    {"exponent", 1.5},
                    {"e", 0.5},
                    {"speed", 3}});
    rows.push_back(
        {{"model", "contact_parameters"}, {"law", law}, {"mass", 1}, {"e", 0.8}, {"duration", 1e-3}, {"speed", 2}});
  }
  rows.push_back({{"model", "contact_parameters"}, {"law", "linear"}, {"mass", 1}, {"e", 0.5}, {"duration", 0.01}});
  rows.push_back({{"model", "stick_slip"},
                  {"plate_speed", 0.1},
                  {"mass", 1},
                  {"spring", 2},
                  {"gravity", 10},
                  {"friction", friction},
                  {"start", "at_rest"},
                  {"end_time", 3},
                  {"sample_times", {0, 1, 3}}});
  rows.push_back({{"model", "sphere_on_plane"},
                  {"mass", 2},
                  {"radius", 0.1},
                  {"stiffness", 1e6},
                  {"exponent", 1.5},
                  {"e", 0.5},
                  {"friction", friction},
                  {"incline", 0.35},
                  {"gravity", 9.81},
                  {"gap", 0.1},
                  {"velocity", {-1, 0.5, 0}},
                  {"angular_velocity", {0, 1, 0}},
                  {"end_time", 0.5},
                  {"sample_times", {0.1, 0.5}}});
  const Json pendulum = {{"model", "pendulum_impact"},
                         {"lengths", {1, 1}},
                         {"masses", {2, 2}},
                         {"inertias", {0.17, 0.17}},
                         {"angles", {0.31, 0.21}},
                         {"rates", {-1, -1}},
                         {"angle_convention", "relative"},
                         {"e", 0.5},
                         {"mu", 0.4}};
  for (const char* law : {"newton", "poisson", "energetic", "regularized"}) {
    Json row = pendulum;
    row["law"] = law;
    if (std::string(law) == "regularized")
      row.update({{"stiffness", 1e9}, {"exponent", 1.5}, {"friction", friction}, {"gravity", 9.81}});
    rows.push_back(row);
  }
}

void add_rods(std::vector<Json>& rows) {
  for (const char* kind : {"viscous", "structural"})
    for (const double damping : {0.0, 0.3, 4.0})
      rows.push_back({{"model", "rod"},
                      {"wave_speed", 5},
                      {"length", 1},
                      {"gravity", 9.81},
                      {"damping", damping},
                      {"damping_kind", kind},
                      {"impact_speed", 4},
                      {"bounces", 2}});
  rows.push_back({{"model", "rod"},
                  {"wave_speed", 5200},
                  {"length", 0.5},
                  {"gravity", 9.81},
                  {"damping", 30},
                  {"damping_kind", "viscous"},
                  {"impact_speed", 1},
                  {"sample_times", {0, 1e-4, 2e-4}}});
}

/// A tetrahedron, and two on a common face, on a table.
void add_soft(std::vector<Json>& rows) {
  for (const char* model : {"fem", "rest_shape"})
    for (const bool two : {false, true}) {
      Json row = {{"model", model},
                  {"vertices", {{0.043, 0.025, 0.071}, {0.087, 0, 0}, {0.043, 0.075, 0}, {0, 0, 0}}},
                  {"tets", Json::array({{0, 1, 2, 3}})},
                  {"young", 5000},
                  {"poisson", 0.3},
                  {"density", 1000},
                  {"gravity", {0, 0, -9.8}},
                  {"fixed", {1, 2, 3}},
                  {"forces", Json::array({{0, 0.01, 0.02, -0.01}})}};
      if (two) {
        row["vertices"].push_back({0.09, 0.07, 0.06});
        row["tets"].push_back({0, 1, 2, 4});
        row["prescribed"] = Json::array({{4, 0, 0.001}});
      }
      rows.push_back(row);
      if (std::string(model) == "fem") continue;
      for (const char* method : {"anderson", "fixed_point", "neo_hookean"}) {
        row["method"] = method;
        row["base"] = two ? "frictionless" : "fixed";
        row["spectrum"] = true;
        rows.push_back(row);
      }
    }
}

/// A coarse box and a coarse ball between two fingers.
void add_squeezes(std::vector<Json>& rows) {
  const TetMesh box = box_mesh({0.06, 0.06, 0.05}, 0.03), ball = round_mesh({{0.03, 0.03, 0.03}}, 0.03);
  for (const TetMesh* mesh : {&box, &ball}) {
    Json row = {{"model", "squeeze"},
                {"vertices", Json::array()},
                {"tets", mesh->tets},
                {"young", 2e4},
                {"poisson", 0.3},
                {"density", 300},
                {"gravity", {0, 0, -9.8}},
                {"table", 0},
                {"fingers",
                 {{{"radius", 0.02}, {"start", {-0.1, 0.002, 0.025}}, {"direction", {1, 0, 0}}},
                  {{"radius", 0.02}, {"start", {0.1, -0.001, 0.025}}, {"direction", {-1, 0, -0.02}}}}},
                {"friction", {{"table", 0.4}, {"finger", 0.6}}},
                {"step", 1e-3}};
    for (const auto& v : mesh->vertices) row["vertices"].push_back({v[0], v[1], v[2]});
    rows.push_back(row);
    row["lift_test"] = "linear";
    row["max_depth"] = 0.004;
    rows.push_back(row);
  }
}

}  // namespace

std::vector<Json> seed_rows() {
  std::vector<Json> rows;
  add_pairs(rows);
  for (const int count : {2, 3, 5, 10})
    for (const double exponent : {1.0, 1.5}) rows.push_back(chain(count, exponent, 0.2, 0.9));
  rows.push_back(chain(4, 1.5, 0.0, 1.0));
  for (const double mu : {0.3, 3.0}) {
    rows.push_back(groove(mu, nullptr));
    rows.push_back(groove(mu, 1.0));
    rows.push_back(rack(1.5, mu));
    rows.push_back(rack(1.0, mu));
  }
  rows.push_back(box());
  add_multipoint(rows);
  add_forces(rows);
  add_rods(rows);
  add_worlds(rows);
  add_soft(rows);
  add_squeezes(rows);
  return rows;
}

}  // namespace carom::campaign
