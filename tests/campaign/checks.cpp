#include <Eigen/Core>
#include <Eigen/Geometry>
#include <Eigen/LU>
#include <cmath>
#include <limits>
#include <set>

#include "campaign.hpp"

namespace carom::campaign {

namespace {

/// Rounding of a row that is sound: far above what is promised, far below what a wrong answer shows.
constexpr double tolerance = 1e-9;
/// What turning a vector from contact axes into world axes may cost, against its length.
constexpr double turning = 1e-12;
/// What rigid solutions of several contacts may miss their cones by, against the largest impulse.
constexpr double rigid_modes = 1e-8;

using Vector3 = Eigen::Vector3d;

struct Wrong {
  std::string text;
};

void require(bool condition, const std::string& what) {
  if (!condition) throw Wrong{what};
}

double number(const Json& value) { return value.is_number() ? value.get<double>() : NAN; }

Eigen::VectorXd vector(const Json& value) {
  Eigen::VectorXd v(static_cast<Eigen::Index>(value.size()));
  for (Eigen::Index i = 0; i < v.size(); ++i) v[i] = number(value[static_cast<std::size_t>(i)]);
  return v;
}

Eigen::MatrixXd matrix(const Json& value) {
  Eigen::MatrixXd m(static_cast<Eigen::Index>(value.size()), static_cast<Eigen::Index>(value[0].size()));
  for (Eigen::Index i = 0; i < m.rows(); ++i) m.row(i) = vector(value[static_cast<std::size_t>(i)]);
  return m;
}

/// a = b, each component against the size of the terms it is the sum of; below the smallest normal number digits are
/// missing from the terms themselves.
void require_equal(const Eigen::VectorXd& a, const Eigen::VectorXd& b, const Eigen::VectorXd& scale,
                   const std::string& what) {
  for (Eigen::Index i = 0; i < a.size(); ++i)
    require(std::abs(a[i] - b[i]) <= std::max(tolerance * scale[i], std::numeric_limits<double>::min()),
            what + " at [" + std::to_string(i) + "]");
}

bool has_flag(const Json& answer, const char* flag) {
  for (const Json& f : answer["flags"])
    if (f == flag) return true;
  return false;
}

/// A value that does not exist needs a flag that says why. An immovable body has no velocities, a contact that is not
/// examined no index, an impact that does not happen no mode, a rod that stays down no lift-off.
void require_no_null(const Json& value, const std::string& path) {
  static const std::set<std::string> may_be_null = {"mode", "examined"};
  if (value.is_object() && value.contains("status") && value["status"] == "no_bounce") return;  // that says why
  require(!value.is_null(), "null without a flag: " + path);
  if (value.is_array())
    for (std::size_t i = 0; i < value.size(); ++i)
      if (!(path == ".bodies" && value[i].is_null())) require_no_null(value[i], path + "[" + std::to_string(i) + "]");
  if (value.is_object())
    for (const auto& [key, item] : value.items())
      if (!may_be_null.contains(key) && key != "id") require_no_null(item, path + "." + key);
}

void check_ledger(const Json& energy, bool never_gains) {
  const double before = number(energy["before"]), after = number(energy["after"]);
  const double normal = number(energy["restitution_loss"]), friction = number(energy["friction_loss"]),
               residual = number(energy["residual"]);
  const double scale = std::max({std::abs(before), std::abs(after), std::abs(normal), std::abs(friction)});
  require(before >= 0.0 && after >= 0.0, "a kinetic energy below zero");
  require(std::abs(before - after - normal - friction - residual) <= tolerance * scale, "the ledger is open");
  if (never_gains) require(after <= before * (1.0 + tolerance), "energy was gained");
}

void check_cone(double normal, double tangential, double mu, double margin, const std::string& where) {
  require(normal >= -margin, "a pulling normal impulse" + where);
  require(tangential <= mu * normal * (1.0 + tolerance) + margin, "outside the friction cone" + where);
}

void check_cone(const Vector3& impulse, const Vector3& normal, double mu, const std::string& where) {
  const double along = impulse.dot(normal);
  check_cone(along, (impulse - along * normal).norm(), mu, turning * impulse.norm(), where);
}

Vector3 vector_or_zero(const Json& body, const char* key) {
  return body.contains(key) && !body[key].is_null() ? Vector3(vector(body[key])) : Vector3::Zero();
}

void check_body(const Json& before, const Json& after, const Vector3& impulse, const Vector3& sizes,
                const std::string& where) {
  if (!before.is_object()) return;
  const double mass = number(before["mass"]);
  const Vector3 v = vector_or_zero(before, "velocity");
  require_equal(vector(after["velocity"]), v + impulse / mass, v.cwiseAbs() + sizes / mass, "momentum of body" + where);
}

/// 1 / the least principal moment, of a body by its moments or its inertia.
double largest_inverse_inertia(const Json& body) {
  if (body.contains("principal") && !body["principal"].is_null()) return 1.0 / vector(body["principal"]).minCoeff();
  const Eigen::Matrix3d inertia = matrix(body["inertia"]);
  return Eigen::Matrix3d(inertia.inverse()).norm();
}

void check_pair(const Json& row, const Json& answer) {
  const bool separated = answer["verdict"] == "separated";
  const Eigen::VectorXd impulse = vector(answer["impulse"]), after = vector(answer["velocity_after"]);
  const bool planar = row["model"] == "planar";
  const bool law_may_gain = row.contains("law") && row["law"] != "energetic";
  check_ledger(answer["energy"], !law_may_gain);
  const double mu = number(row["mu"]);
  if (row.contains("bodies") && row["bodies"].is_array()) {
    Vector3 n = vector(row["contact"]["normal"]);
    n.normalize();
    const Vector3 point = vector(row["contact"]["point"]), p = impulse, sizes = p.cwiseAbs();
    check_cone(p, n, mu, "");
    Vector3 relative = Vector3::Zero(), scale = Vector3::Zero();
    for (std::size_t i = 0; i < 2; ++i) {
      const Json &body = row["bodies"][i], &moved = answer["bodies"][i];
      const double sign = i == 0 ? 1.0 : -1.0;
      check_body(body, moved, sign * p, sizes, "[" + std::to_string(i) + "]");
      if (!body.is_object()) continue;
      const Vector3 arm = point - Vector3(vector(body["position"])), v = vector(moved["velocity"]),
                    w = vector(moved["angular_velocity"]);
      const Vector3 v0 = vector_or_zero(body, "velocity"), w0 = vector_or_zero(body, "angular_velocity");
      relative += sign * (v + w.cross(arm));
      scale.array() += v.norm() + v0.norm() + (w.norm() + w0.norm()) * arm.norm() +
                       p.norm() * arm.squaredNorm() * largest_inverse_inertia(body);
    }
    require_equal(after, relative, scale, "velocity after");
    if (separated) require(relative.dot(n) >= -tolerance * scale[0], "the bodies still approach");
    return;
  }
  Eigen::MatrixXd w = matrix(row["W"]);
  w = (0.5 * w + 0.5 * w.transpose()).eval();
  const Eigen::Index n = planar ? 1 : 2;
  const Eigen::VectorXd v = vector(row["v"]);
  Eigen::VectorXd scale = v.cwiseAbs() + w.cwiseAbs() * impulse.cwiseAbs();
  // Tangential axes are turned inside, with springs all axes are: a vector is right as a whole.
  if (row["model"] == "compliant")
    scale.setConstant(scale.norm());
  else
    scale.head(n).setConstant(scale.head(n).norm());
  require_equal(after, v + w * impulse, scale, "v + W I");
  check_cone(impulse[n], impulse.head(n).norm(), mu, 0.0, "");
  if (separated) require(after[n] >= -tolerance * scale[n], "the bodies still approach");
}

void check_simultaneous(const Json& row, const Json& answer) {
  check_ledger(answer["energy"], true);
  const std::size_t count = row["bodies"].size();
  std::vector<Vector3> impulse(count, Vector3::Zero()), sizes(count, Vector3::Zero());
  for (std::size_t k = 0; k < row["contacts"].size(); ++k) {
    const Json& contact = row["contacts"][k];
    const Vector3 p = vector(answer["contacts"][k]["impulse"]);
    const auto i = contact["bodies"][0].get<std::size_t>(), j = contact["bodies"][1].get<std::size_t>();
    impulse[i] += p, impulse[j] -= p;
    sizes[i] += p.cwiseAbs(), sizes[j] += p.cwiseAbs();
    Vector3 n = vector(contact["normal"]);
    n.normalize();
    const bool has_mu = contact.contains("mu") && !contact["mu"].is_null();
    check_cone(p, n, has_mu ? number(contact["mu"]) : 0.0, " at contact " + std::to_string(k));
  }
  for (std::size_t i = 0; i < count; ++i)
    check_body(row["bodies"][i], answer["bodies"][i], impulse[i], sizes[i], "[" + std::to_string(i) + "]");
}

void check_multipoint(const Json& row, const Json& answer) {
  const Eigen::MatrixXd mass = matrix(row["mass_matrix"]), jacobian = matrix(row["jacobian"]);
  const Eigen::VectorXd before = vector(row["velocity"]);
  for (const Json& solution : answer["solutions"]) {
    const Eigen::VectorXd after = vector(solution["velocity"]);
    Eigen::VectorXd p(jacobian.rows());
    Eigen::Index at = 0;
    for (const Json& impulse : solution["impulses"])
      for (const Json& component : impulse) p[at++] = number(component);
    require(at == p.size(), "impulses of another size");
    const Eigen::MatrixXd symmetric = 0.5 * mass + 0.5 * mass.transpose();
    // Largest entries and stable norms: the squares of numbers near the end of the range are beyond it.
    const double scale =
        (symmetric.cwiseAbs() * after.cwiseAbs().cwiseMax(before.cwiseAbs())).lpNorm<Eigen::Infinity>() +
        jacobian.stableNorm() * p.stableNorm();
    require_equal(symmetric * (after - before), jacobian.transpose() * p,
                  Eigen::VectorXd::Constant(after.size(), scale), "momentum");
    if (row["method"] == "rodriguez") continue;  // its impulses need not obey friction: it says so itself
    const Eigen::Index d = number(row["dimension"]) == 2.0 ? 2 : 3;
    const double mu = number(row[row["method"] == "lcp" ? "mu_s" : "mu_d"]);
    for (Eigen::Index k = 0; k < p.size(); k += d)
      check_cone(p[k + d - 1], p.segment(k, d - 1).norm(), mu, rigid_modes * p.norm(),
                 " at contact " + std::to_string(k / d));
  }
}

void check_rod(const Json& row, const Json& answer) {
  const auto never_negative = [](const Json& owner, const char* key) {
    if (owner.contains(key) && owner[key].is_number())
      require(number(owner[key]) >= 0.0, std::string(key) + " below 0");
  };
  const auto check = [&](const Json& owner) {
    never_negative(owner, "energy_vibration");
    if (number(row["gravity"]) != 0.0) return;
    never_negative(owner, "energy_total");
    never_negative(owner, "energy_translation");
  };
  check(answer);
  for (const char* list : {"events", "samples"})
    if (answer.contains(list))
      for (const Json& item : answer[list]) check(item);
}

/// A plan hits; without one the answer says how near one comes, or that a number was out of range.
void check_batting(const Json& row, const Json& answer) {
  if (!answer["found"].get<bool>()) return;
  const Json& target = row["target"];
  const Json& from =
      row.contains("object") && row["object"].is_object() ? row["object"]["position"] : row["bodies"][0]["position"];
  double distance = 1.0;
  for (std::size_t i = 0; i < 3; ++i)
    distance = std::max(distance, std::abs(target[i].get<double>() - from[i].get<double>()));
  if (!row.contains("method") || row["method"] != "bounding_triangle")
    if (answer["miss_distance"].get<double>() > 2e-9 * distance) throw Wrong{"a plan misses"};
}

/// Supports carry what pulls: forces that the row names, and the weight.
void check_soft(const Json& row, const Json& answer) {
  if (answer["status"] != "ok") return;
  Vector3 sum = Vector3::Zero();
  double size = 0.0;
  const auto add = [&](const Vector3& force) { sum += force, size += force.norm(); };
  for (const Json& reaction : answer["reactions"]) add(vector(reaction));
  if (row.contains("forces"))
    for (const Json& force : row["forces"]) add({number(force[1]), number(force[2]), number(force[3])});
  double mass = 0.0;
  const bool masses = row.contains("masses") && !row["masses"].is_null();
  for (std::size_t t = 0; t < row["tets"].size(); ++t) {
    const auto corner = [&](std::size_t a) -> Vector3 {
      return vector(row["vertices"][static_cast<std::size_t>(number(row["tets"][t][a]))]);
    };
    const Vector3 a = corner(0);
    mass += masses ? number(row["masses"][t])
                   : number(row["density"]) * std::abs((corner(1) - a).cross(corner(2) - a).dot(corner(3) - a)) / 6.0;
  }
  add(mass * vector(row["gravity"]));
  double reach = 0.0, moved = 0.0;  // what rounding of large elastic forces leaves
  for (const Json& v : row["vertices"]) reach = std::max(reach, vector(v).norm());
  for (const Json& d : answer["displacement"]) moved = std::max(moved, vector(d).norm());
  size += 1e-5 * number(row["young"]) * reach * moved;
  const double left = row.contains("tolerance") && row["tolerance"].is_number() ? number(row["tolerance"]) : 1e-10;
  require(!(sum.norm() > (1e-9 + 10.0 * left) * size), "the supports do not carry the loads");
}

/// What was said with a status, and numbers that go with it.
void check_squeeze(const Json& answer) {
  const std::string status = answer["status"];
  require((status == "lifted") == answer["lifted"].get<bool>(), "lifted and its status differ");
  require((status == "lifted") != answer.contains("message"), "a status without its message");
  if (status == "invalid_mesh" || status == "unstable_rest") return;  // nulls
  require_no_null(answer, "");
  require(answer["depth"].get<double>() >= 0.0 && answer["strain"].get<double>() >= 0.0, "a negative depth or strain");
  double depth = 0.0;
  for (const Json& event : answer["events"]) {
    require(event["depth"].get<double>() >= depth, "events out of order");
    depth = event["depth"];
  }
}

void check(const std::string& line, const std::string& text, bool failed) {
  const Json answer = Json::parse(text);
  if (failed) {
    require(answer.contains("error") && answer["error"].contains("field") && answer["error"]["message"].is_string() &&
                !answer["error"]["message"].get<std::string>().empty(),
            "an error row without its members");
    return;
  }
  require(!answer.contains("error"), "an error row that counts as answered");
  const Json row = Json::parse(line);
  require(answer.contains("flags") && answer["flags"].is_array(), "no flags");
  if (row["model"] == "fem" || row["model"] == "rest_shape") return check_soft(row, answer);  // nulls by status
  if (row["model"] == "squeeze") return check_squeeze(answer);
  if (answer["flags"].empty()) require_no_null(answer, "");
  if (has_flag(answer, "overflow") || has_flag(answer, "ill_conditioned")) return;
  const std::string model = row["model"];
  if (model == "rod") return check_rod(row, answer);
  if (model == "batting") return check_batting(row, answer);
  if (model == "multipoint") return check_multipoint(row, answer);
  if (model == "simultaneous") return check_simultaneous(row, answer);
  check_pair(row, answer);
}

}  // namespace

std::string wrong_with(const std::string& line, const std::string& answer, bool failed) {
  try {
    check(line, answer, failed);
  } catch (const Wrong& wrong) {
    return wrong.text;
  } catch (const std::exception& error) {
    return std::string("the answer cannot be read: ") + error.what();
  }
  return "";
}

}  // namespace carom::campaign
