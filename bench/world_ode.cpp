// Scenes in ODE, the engine of many robot simulators: its iterative method (dWorldQuickStep) with the iterations that
// Gazebo takes. The pivoting one (dWorldStep) loses its way where contacts are redundant, as in a rack of balls. Error
// reduction and softness are its defaults; overlaps are mended slowly, as the manual advises against popping;
// restitution is used however slow an impact is.
#include <Eigen/Geometry>
#include <memory>
#include <ode/ode.h>

#include "world_engines.hpp"

namespace carom::bench {

namespace {

class OdeScene {
public:
  explicit OdeScene(const WorldProblem& problem) : problem_(problem) {
    dInitODE2(0);
    dRandSetSeed(0);  // its iterations come in a random order, which would go on from one run to the next
    world_ = dWorldCreate();
    space_ = dHashSpaceCreate(nullptr);
    joints_ = dJointGroupCreate(0);
    dWorldSetGravity(world_, problem.gravity.x(), problem.gravity.y(), problem.gravity.z());
    dWorldSetERP(world_, 0.2);    // the default; .1 to .8 are recommended
    dWorldSetCFM(world_, 1e-10);  // the default in double precision
    dWorldSetContactMaxCorrectingVel(world_, 0.1);
    dWorldSetQuickStepNumIterations(world_, 50);
    if (const WorldCloth* cloth = cloth_of(problem)) cloth_ = problem.bodies.size() + cloth->plane;
    for (std::size_t i = 0; i < problem.bodies.size(); ++i) add(i);
    for (std::size_t k = 0; k < problem.planes.size(); ++k) {
      const Eigen::Vector3d n = problem.planes[k].normal.normalized();
      const dGeomID plane = dCreatePlane(space_, n.x(), n.y(), n.z(), n.dot(problem.planes[k].point));
      name(plane, problem.bodies.size() + k);
    }
    for (std::size_t i = 0; i < problem.bodies.size(); ++i)
      if (const WorldPendulum* arm = arm_of(problem, i)) {
        const dJointID hinge = dJointCreateHinge(world_, nullptr);
        dJointAttach(hinge, bodies_[i], nullptr);
        dJointSetHingeAnchor(hinge, arm->anchor.x(), arm->anchor.y(), arm->anchor.z());
        dJointSetHingeAxis(hinge, arm->axis.x(), arm->axis.y(), arm->axis.z());
      }
  }
  OdeScene(const OdeScene&) = delete;
  OdeScene& operator=(const OdeScene&) = delete;
  ~OdeScene() {
    dJointGroupDestroy(joints_);
    dSpaceDestroy(space_);
    dWorldDestroy(world_);
    dCloseODE();
  }

  void step(double time) {
    touching_.clear();
    pairs_.clear();
    feedback_.clear();
    dSpaceCollide(space_, this, near);
    dWorldQuickStep(world_, time);
    for (std::size_t k = 0; k < pairs_.size(); ++k) {
      const dJointFeedback& f = *feedback_[k];
      const double first = std::abs(f.f1[0]) + std::abs(f.f1[1]) + std::abs(f.f1[2]),
                   second = std::abs(f.f2[0]) + std::abs(f.f2[1]) + std::abs(f.f2[2]);
      if (first + second > 0.0) touching_.push_back(pairs_[k]);
    }
    dJointGroupEmpty(joints_);
  }

  const std::vector<Touching>& touching() const { return touching_; }
  std::vector<Body> bodies() const {
    std::vector<Body> now;
    for (std::size_t i = 0; i < problem_.bodies.size(); ++i) {
      Body body = problem_.bodies[i].body;
      if (bodies_[i] != nullptr) {
        const dReal *x = dBodyGetPosition(bodies_[i]), *q = dBodyGetQuaternion(bodies_[i]),
                    *v = dBodyGetLinearVel(bodies_[i]), *w = dBodyGetAngularVel(bodies_[i]);
        body.position = Eigen::Vector3d(x[0], x[1], x[2]);
        body.orientation = Eigen::Quaterniond(q[0], q[1], q[2], q[3]);
        body.velocity = Eigen::Vector3d(v[0], v[1], v[2]);
        body.angular_velocity = Eigen::Vector3d(w[0], w[1], w[2]);
        if (arm_of(problem_, i) != nullptr) body.angular_velocity.setZero();
      }
      now.push_back(body);
    }
    return now;
  }

private:
  void name(dGeomID geom, std::size_t number) {
    numbers_.push_back(std::make_unique<std::size_t>(number));
    dGeomSetData(geom, numbers_.back().get());
  }

  void add(std::size_t i) {
    const WorldBody& given = problem_.bodies[i];
    const Eigen::Quaterniond& q = given.body.orientation;
    dBodyID body = nullptr;
    if (!given.body.immovable) {
      body = dBodyCreate(world_);
      dMass mass;
      const double share = arm_of(problem_, i) != nullptr ? inertia_share_on_arms : 1.0;
      const Eigen::Matrix3d& j = given.body.inertia;
      dMassSetParameters(&mass, given.body.mass, 0, 0, 0, share * j(0, 0), share * j(1, 1), share * j(2, 2),
                         share * j(0, 1), share * j(0, 2), share * j(1, 2));
      dBodySetMass(body, &mass);
      const Eigen::Vector3d &x = given.body.position, &v = given.body.velocity, &w = given.body.angular_velocity;
      dBodySetPosition(body, x.x(), x.y(), x.z());
      const dQuaternion turned = {q.w(), q.x(), q.y(), q.z()};
      dBodySetQuaternion(body, turned);
      dBodySetLinearVel(body, v.x(), v.y(), v.z());
      dBodySetAngularVel(body, w.x(), w.y(), w.z());
      dBodySetGyroscopicMode(body, 1);
    }
    bodies_.push_back(body);
    for (const WorldPart& part : parts_of(given)) {
      dGeomID geom = nullptr;
      if (const auto* ball = std::get_if<Sphere>(&part.shape)) {
        geom = dCreateSphere(space_, ball->radius);
      } else {
        const Eigen::Vector3d& size = std::get<Box>(part.shape).size;
        geom = dCreateBox(space_, size.x(), size.y(), size.z());
      }
      name(geom, i);
      const Eigen::Quaterniond& p = part.orientation;
      if (body != nullptr) {
        dGeomSetBody(geom, body);
        const dQuaternion turned = {p.w(), p.x(), p.y(), p.z()};
        if (!given.parts.empty()) {
          dGeomSetOffsetPosition(geom, part.position.x(), part.position.y(), part.position.z());
          dGeomSetOffsetQuaternion(geom, turned);
        }
        continue;
      }
      const Eigen::Vector3d at = given.body.position + q * part.position;
      const Eigen::Quaterniond all = q * p;
      const dQuaternion turned = {all.w(), all.x(), all.y(), all.z()};
      dGeomSetPosition(geom, at.x(), at.y(), at.z());
      dGeomSetQuaternion(geom, turned);
    }
  }

  static void near(void* data, dGeomID a, dGeomID b) {
    auto& scene = *static_cast<OdeScene*>(data);
    const dBodyID first = dGeomGetBody(a), second = dGeomGetBody(b);
    if (first == nullptr && second == nullptr) return;
    if (first == second) return;
    constexpr int most = 16;
    dContactGeom found[most];
    const int count = dCollide(a, b, most, found, sizeof(dContactGeom));
    const Touching pair = {*static_cast<std::size_t*>(dGeomGetData(a)), *static_cast<std::size_t*>(dGeomGetData(b))};
    const bool on_cloth = pair.first == scene.cloth_ || pair.second == scene.cloth_;
    for (int k = 0; k < count; ++k) {
      dContact contact = {};
      contact.geom = found[k];
      contact.surface.mode = dContactBounce | dContactApprox1;  // friction in proportion to the normal force
      contact.surface.mu = on_cloth ? cloth_of(scene.problem_)->friction.sliding : scene.problem_.materials[0].friction;
      contact.surface.bounce = on_cloth ? 0.0 : restitution_of(scene.problem_);
      contact.surface.bounce_vel = 0.0;
      const dJointID joint = dJointCreateContact(scene.world_, scene.joints_, &contact);
      dJointAttach(joint, first, second);
      if (on_cloth) continue;
      scene.feedback_.push_back(std::make_unique<dJointFeedback>());
      dJointSetFeedback(joint, scene.feedback_.back().get());
      scene.pairs_.push_back(pair);
    }
  }

  const WorldProblem& problem_;
  dWorldID world_ = nullptr;
  dSpaceID space_ = nullptr;
  dJointGroupID joints_ = nullptr;
  std::vector<dBodyID> bodies_;
  std::vector<std::unique_ptr<std::size_t>> numbers_;
  std::size_t cloth_ = static_cast<std::size_t>(-1);
  std::vector<Touching> pairs_, touching_;
  std::vector<std::unique_ptr<dJointFeedback>> feedback_;
};

}  // namespace

EngineRun run_ode(const WorldProblem& problem, double step) {
  return follow([&] { return std::make_unique<OdeScene>(problem); }, problem, step);
}

}  // namespace carom::bench
