// Scenes in MuJoCo, the engine of robot learning: soft constraints, one step after the other. Contacts get the
// stiffness and damping that make a lone pair bounce with the restitution asked for.
#include <algorithm>
#include <cmath>
#include <mujoco/mujoco.h>
#include <numbers>
#include <sstream>
#include <stdexcept>

#include "carom/core/error.hpp"

#include "world_engines.hpp"

namespace carom::bench {

namespace {

std::string text(const Eigen::Vector3d& v) {
  std::ostringstream out;
  out.precision(17);
  out << v.x() << ' ' << v.y() << ' ' << v.z();
  return out.str();
}

/// A damped oscillation of half a period `time` that leaves `restitution` of the speed.
std::string contact_spring(double restitution, double time) {
  const double damping = -2.0 * std::log(restitution) / time;
  const double stiffness = std::pow(std::numbers::pi / time, 2) + 0.25 * damping * damping;
  std::ostringstream out;
  out.precision(17);
  out << -stiffness << ' ' << -damping;
  return out.str();
}

std::string text(const Eigen::Quaterniond& q) {
  std::ostringstream out;
  out.precision(17);
  out << q.w() << ' ' << q.x() << ' ' << q.y() << ' ' << q.z();
  return out.str();
}

std::string geom_of(const Shape& shape) {
  if (const auto* ball = std::get_if<Sphere>(&shape)) return "type='sphere' size='" + number_text(ball->radius) + "'";
  return "type='box' size='" + text(Eigen::Vector3d(0.5 * std::get<Box>(shape).size)) + "'";
}

std::string model_of(const WorldProblem& problem, double step) {
  const WorldMaterial& surface = problem.materials.at(0);
  const WorldCloth* cloth = cloth_of(problem);
  constexpr double steps_per_contact = 10.0;
  const std::string spring = contact_spring(restitution_of(problem), steps_per_contact * step);
  std::ostringstream out;
  out.precision(17);
  const std::size_t many = 8 * problem.bodies.size() + 100;  // touching at once
  out << "<mujoco><size nconmax='" << many << "' njmax='" << 6 * many << "' nstack='" << 20000 * many << "'/>"
      << "<option timestep='" << step << "' gravity='" << text(problem.gravity) << "' cone='elliptic'>"
      << "<flag refsafe='disable'/></option><default><geom solref='" << spring
      << "' solimp='.9999 .9999 .001' friction='" << surface.friction << " 0 0' condim='"
      << (surface.friction > 0.0 ? 3 : 1) << "'/></default><worldbody>";
  for (std::size_t k = 0; k < problem.planes.size(); ++k) {
    const bool carries = cloth != nullptr && cloth->plane == k;
    out << "<geom type='plane' size='0 0 1' pos='" << text(problem.planes[k].point) << "' zaxis='"
        << text(problem.planes[k].normal) << '\'';
    if (carries)
      out << " priority='1' condim='6' solref='" << 4.0 * step << " 1' friction='" << cloth->friction.sliding << " 0 "
          << 1.4 * cloth->friction.rolling * radius_of(problem.bodies[0]) << '\'';
    out << "/>";
  }
  for (std::size_t i = 0; i < problem.bodies.size(); ++i) {
    const WorldBody& body = problem.bodies[i];
    out << "<body pos='" << text(body.body.position) << "' quat='" << text(body.body.orientation) << "'>";
    const WorldPendulum* arm = arm_of(problem, i);
    if (arm != nullptr)
      out << "<joint type='hinge' axis='" << text(arm->axis) << "' pos='" << text(arm->anchor - body.body.position)
          << "'/>";
    else if (!body.body.immovable)
      out << "<freejoint/>";
    const double share = arm != nullptr ? inertia_share_on_arms : 1.0;
    if (!body.body.immovable)
      out << "<inertial pos='0 0 0' mass='" << body.body.mass << "' diaginertia='"
          << text(Eigen::Vector3d(share * body.body.inertia.diagonal())) << "'/>";
    for (const WorldPart& part : parts_of(body))
      out << "<geom " << geom_of(part.shape) << " pos='" << text(part.position) << "' quat='" << text(part.orientation)
          << "'/>";
    out << "</body>";
  }
  out << "</worldbody></mujoco>";
  return out.str();
}

class MujocoScene {
public:
  MujocoScene(const WorldProblem& problem, double step) : problem_(problem) {
    const std::string text = model_of(problem, step);
    char error[500] = "";
    mjVFS* files = new mjVFS;
    mj_defaultVFS(files);
    mj_makeEmptyFileVFS(files, "scene.xml", static_cast<int>(text.size()));
    std::copy(text.begin(), text.end(), static_cast<char*>(files->filedata[files->nfile - 1]));
    model_ = mj_loadXML("scene.xml", files, error, sizeof error);
    mj_deleteVFS(files);
    delete files;
    if (model_ == nullptr) throw std::runtime_error(error);
    data_ = mj_makeData(model_);
    cloth_ = -1;
    if (const WorldCloth* cloth = cloth_of(problem)) cloth_ = static_cast<int>(cloth->plane);
    for (std::size_t i = 0; i < problem.bodies.size(); ++i) {
      if (!flies(i)) continue;
      const int at = model_->jnt_dofadr[model_->body_jntadr[i + 1]];
      const Body& body = problem.bodies[i].body;
      const Eigen::Vector3d turning = body.orientation.conjugate() * body.angular_velocity;  // there in body axes
      for (int c = 0; c < 3; ++c) {
        data_->qvel[at + c] = body.velocity[c];
        data_->qvel[at + 3 + c] = turning[c];
      }
    }
  }
  MujocoScene(const MujocoScene&) = delete;
  MujocoScene& operator=(const MujocoScene&) = delete;
  ~MujocoScene() {
    if (data_ != nullptr) mj_deleteData(data_);
    if (model_ != nullptr) mj_deleteModel(model_);
  }

  void step(double) {
    mj_step(model_, data_);
    touching_.clear();
    for (int i = 0; i < data_->ncon; ++i) {
      const mjContact& contact = data_->contact[i];
      if (contact.geom1 == cloth_ || contact.geom2 == cloth_ || contact.efc_address < 0) continue;
      touching_.emplace_back(number(contact.geom1), number(contact.geom2));
    }
  }

  const std::vector<Touching>& touching() const { return touching_; }
  std::vector<Body> bodies() const {
    std::vector<Body> now;
    for (std::size_t i = 0; i < problem_.bodies.size(); ++i) {
      Body body = problem_.bodies[i].body;
      if (flies(i)) {  // the state itself: what is derived from it is that of the step before
        const int joint = model_->body_jntadr[i + 1];
        const mjtNum *q = data_->qpos + model_->jnt_qposadr[joint], *v = data_->qvel + model_->jnt_dofadr[joint];
        body.position = Eigen::Vector3d(q[0], q[1], q[2]);
        body.orientation = Eigen::Quaterniond(q[3], q[4], q[5], q[6]).normalized();
        body.velocity = Eigen::Vector3d(v[0], v[1], v[2]);
        body.angular_velocity = body.orientation * Eigen::Vector3d(v[3], v[4], v[5]);
      } else if (const WorldPendulum* arm = arm_of(problem_, i)) {
        const int joint = model_->body_jntadr[i + 1];
        const double angle = data_->qpos[model_->jnt_qposadr[joint]], rate = data_->qvel[model_->jnt_dofadr[joint]];
        const Eigen::Vector3d axis = arm->axis.normalized();
        const Eigen::Vector3d out = Eigen::AngleAxisd(angle, axis) * (body.position - arm->anchor);
        body.position = arm->anchor + out;
        body.velocity = rate * axis.cross(out);
        body.angular_velocity.setZero();
      }
      now.push_back(body);
    }
    return now;
  }

private:
  bool flies(std::size_t i) const { return !problem_.bodies[i].body.immovable && arm_of(problem_, i) == nullptr; }
  /// Planes are geoms of the world, one each, before all others.
  std::size_t number(int geom) const {
    const int body = model_->geom_bodyid[geom];
    return body > 0 ? static_cast<std::size_t>(body - 1) : problem_.bodies.size() + static_cast<std::size_t>(geom);
  }

  const WorldProblem& problem_;
  mjModel* model_ = nullptr;
  mjData* data_ = nullptr;
  int cloth_ = -1;
  std::vector<Touching> touching_;
};

}  // namespace

EngineRun run_mujoco(const WorldProblem& problem, double step) {
  return follow([&] { return std::make_unique<MujocoScene>(problem, step); }, problem, step);
}

}  // namespace carom::bench
