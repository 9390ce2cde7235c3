// Scenes in MuJoCo, the engine of robot learning: soft constraints, one step after the other. Contacts get the
// stiffness and damping that make a lone pair bounce with the restitution asked for.
#include <algorithm>
#include <chrono>
#include <cmath>
#include <mujoco/mujoco.h>
#include <numbers>
#include <set>
#include <sstream>
#include <stdexcept>

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

std::string model_of(const WorldProblem& problem, double step) {
  const WorldMaterial& surface = problem.materials.at(0);
  const WorldCloth* cloth = cloth_of(problem);
  constexpr double steps_per_contact = 10.0;
  const std::string spring = contact_spring(std::get<double>(surface.restitution), steps_per_contact * step);
  std::ostringstream out;
  out.precision(17);
  const std::size_t many = 2 * problem.bodies.size() + 100;  // touching at once
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
    out << "<body pos='" << text(body.body.position) << "'>";
    const WorldPendulum* arm = nullptr;
    for (const WorldSupport& support : problem.supports)
      if (const auto* found = std::get_if<WorldPendulum>(&support); found != nullptr && found->body == i) arm = found;
    if (arm != nullptr)
      out << "<joint type='hinge' axis='" << text(arm->axis) << "' pos='" << text(arm->anchor - body.body.position)
          << "'/>";
    else
      out << "<freejoint/>";
    // Balls on arms do not turn in our scenes; here they turn with the arm, with next to no inertia.
    const double inertia = (arm != nullptr ? 1e-9 : 1.0) * body.body.inertia(0, 0);
    out << "<inertial pos='0 0 0' mass='" << body.body.mass << "' diaginertia='"
        << text(Eigen::Vector3d::Constant(inertia)) << "'/><geom type='sphere' size='" << radius_of(body)
        << "'/></body>";
  }
  out << "</worldbody></mujoco>";
  return out.str();
}

class MujocoScene {
public:
  MujocoScene(const WorldProblem& problem, double step) {
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
      const int joint = model_->body_jntadr[i + 1], at = model_->jnt_dofadr[joint];
      if (model_->jnt_type[joint] != mjJNT_FREE) continue;
      const Body& body = problem.bodies[i].body;
      for (int c = 0; c < 3; ++c) {
        data_->qvel[at + c] = body.velocity[c];
        data_->qvel[at + 3 + c] = body.angular_velocity[c];
      }
    }
  }
  MujocoScene(const MujocoScene&) = delete;
  MujocoScene& operator=(const MujocoScene&) = delete;
  ~MujocoScene() {
    if (data_ != nullptr) mj_deleteData(data_);
    if (model_ != nullptr) mj_deleteModel(model_);
  }

  void step() {
    mj_step(model_, data_);
    now_.clear();
    for (int i = 0; i < data_->ncon; ++i) {
      const mjContact& contact = data_->contact[i];
      if (contact.geom1 == cloth_ || contact.geom2 == cloth_) continue;
      now_.insert({contact.geom1, contact.geom2});
    }
    for (const auto& pair : now_) impacts_ += before_.count(pair) == 0 ? 1 : 0;
    std::swap(now_, before_);
  }

  std::size_t impacts() const { return impacts_; }
  std::vector<Body> bodies(const WorldProblem& problem) {
    mj_forward(model_, data_);
    std::vector<Body> after;
    for (std::size_t i = 0; i < problem.bodies.size(); ++i) {
      Body body = problem.bodies[i].body;
      mjtNum velocity[6];
      mj_objectVelocity(model_, data_, mjOBJ_BODY, static_cast<int>(i) + 1, velocity, 0);
      const int joint = model_->body_jntadr[i + 1];
      for (int c = 0; c < 3; ++c) {
        body.position[c] = data_->xipos[3 * (i + 1) + static_cast<std::size_t>(c)];
        body.velocity[c] = velocity[3 + c];
        body.angular_velocity[c] = model_->jnt_type[joint] == mjJNT_FREE ? velocity[c] : 0.0;
      }
      after.push_back(body);
    }
    return after;
  }

private:
  mjModel* model_ = nullptr;
  mjData* data_ = nullptr;
  int cloth_ = -1;
  std::set<std::pair<int, int>> before_, now_;
  std::size_t impacts_ = 0;
};

}  // namespace

EngineRun run_mujoco(const WorldProblem& problem, double step) {
  MujocoScene scene(problem, step);
  const auto start = std::chrono::steady_clock::now();
  const auto steps = static_cast<long>(std::lround(problem.end_time / step));
  for (long i = 0; i < steps; ++i) scene.step();
  EngineRun run;
  run.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  run.impacts = scene.impacts();
  run.after = scene.bodies(problem);
  return run;
}

}  // namespace carom::bench
