// Scenes in Bullet, an engine of games and robot simulation: sequential impulses, one step after the other.
#include <algorithm>
#include <btBulletDynamicsCommon.h>
#include <chrono>
#include <cmath>
#include <memory>
#include <set>

#include "world_engines.hpp"

namespace carom::bench {

namespace {

btVector3 vector(const Eigen::Vector3d& v) { return {v.x(), v.y(), v.z()}; }
Eigen::Vector3d vector(const btVector3& v) { return {v.x(), v.y(), v.z()}; }

/// Bullet multiplies the coefficients of two touching bodies.
class BulletScene {
public:
  explicit BulletScene(const WorldProblem& problem)
      : dispatcher_(&configuration_), world_(&dispatcher_, &broadphase_, &solver_, &configuration_) {
    const WorldMaterial& surface = problem.materials.at(0);
    const double bounce = std::sqrt(std::get<double>(surface.restitution)), rough = std::sqrt(surface.friction);
    const WorldCloth* cloth = cloth_of(problem);
    world_.setGravity(vector(problem.gravity));
    // Overlaps are mended apart from velocities, whatever their depth: as it comes, Bullet mends shallow ones by giving
    // speed, and the cradle gains thirty times its energy.
    world_.getSolverInfo().m_splitImpulse = 1;
    world_.getSolverInfo().m_splitImpulsePenetrationThreshold = 0.0;
    // The plane's friction is that of the cloth over that of the balls; a torque of rolling friction is a length.
    const double on_cloth = cloth == nullptr ? rough : cloth->friction.sliding / std::max(rough, 1e-3);
    for (const WorldBody& body : problem.bodies) {
      shapes_.push_back(std::make_unique<btSphereShape>(radius_of(body)));
      const double inertia = body.body.inertia(0, 0);
      btRigidBody::btRigidBodyConstructionInfo info(body.body.mass, nullptr, shapes_.back().get(),
                                                    btVector3(inertia, inertia, inertia));
      info.m_restitution = bounce;
      info.m_friction = rough;
      if (cloth != nullptr) info.m_rollingFriction = 1.4 * cloth->friction.rolling * radius_of(body) / on_cloth;
      info.m_linearDamping = info.m_angularDamping = 0.0;
      info.m_startWorldTransform.setIdentity();
      info.m_startWorldTransform.setOrigin(vector(body.body.position));
      add(info);
      bodies_.back()->setLinearVelocity(vector(body.body.velocity));
      bodies_.back()->setAngularVelocity(vector(body.body.angular_velocity));
    }
    for (std::size_t k = 0; k < problem.planes.size(); ++k) {
      const WorldPlane& plane = problem.planes[k];
      const Eigen::Vector3d normal = plane.normal.normalized();
      shapes_.push_back(std::make_unique<btStaticPlaneShape>(vector(normal), normal.dot(plane.point)));
      btRigidBody::btRigidBodyConstructionInfo info(0.0, nullptr, shapes_.back().get());
      const bool carries = cloth != nullptr && cloth->plane == k;
      info.m_restitution = carries ? 0.0 : bounce;
      info.m_friction = carries ? on_cloth : rough;
      info.m_startWorldTransform.setIdentity();
      add(info);
      if (carries) cloth_ = bodies_.back().get();
    }
    for (const WorldSupport& support : problem.supports)
      if (const auto* arm = std::get_if<WorldPendulum>(&support)) {
        const Eigen::Vector3d pivot = arm->anchor - problem.bodies[arm->body].body.position;
        btVector3 axis = vector(arm->axis);
        joints_.push_back(std::make_unique<btHingeConstraint>(*bodies_[arm->body], vector(pivot), axis));
        world_.addConstraint(joints_.back().get());
      }
  }
  BulletScene(const BulletScene&) = delete;
  BulletScene& operator=(const BulletScene&) = delete;
  ~BulletScene() {
    for (const auto& joint : joints_) world_.removeConstraint(joint.get());
    for (const auto& body : bodies_) world_.removeRigidBody(body.get());
  }

  void step(double time) {
    world_.stepSimulation(time, 0);
    now_.clear();
    for (int i = 0; i < dispatcher_.getNumManifolds(); ++i) {
      const btPersistentManifold* pair = dispatcher_.getManifoldByIndexInternal(i);
      if (pair->getBody0() == cloth_ || pair->getBody1() == cloth_) continue;
      for (int k = 0; k < pair->getNumContacts(); ++k)
        if (pair->getContactPoint(k).getAppliedImpulse() > 0.0) {
          now_.insert({pair->getBody0(), pair->getBody1()});
          break;
        }
    }
    for (const auto& pair : now_) impacts_ += before_.count(pair) == 0 ? 1 : 0;
    std::swap(now_, before_);
  }

  std::size_t impacts() const { return impacts_; }
  std::vector<Body> bodies(const WorldProblem& problem) const {
    std::vector<Body> after;
    for (std::size_t i = 0; i < problem.bodies.size(); ++i) {
      Body body = problem.bodies[i].body;
      body.position = vector(bodies_[i]->getWorldTransform().getOrigin());
      body.velocity = vector(bodies_[i]->getLinearVelocity());
      body.angular_velocity = vector(bodies_[i]->getAngularVelocity());
      after.push_back(body);
    }
    return after;
  }

private:
  void add(const btRigidBody::btRigidBodyConstructionInfo& info) {
    bodies_.push_back(std::make_unique<btRigidBody>(info));
    bodies_.back()->setActivationState(DISABLE_DEACTIVATION);
    world_.addRigidBody(bodies_.back().get());
  }

  btDefaultCollisionConfiguration configuration_;
  btCollisionDispatcher dispatcher_;
  btDbvtBroadphase broadphase_;
  btSequentialImpulseConstraintSolver solver_;
  btDiscreteDynamicsWorld world_;
  std::vector<std::unique_ptr<btCollisionShape>> shapes_;
  std::vector<std::unique_ptr<btRigidBody>> bodies_;
  std::vector<std::unique_ptr<btTypedConstraint>> joints_;
  const btRigidBody* cloth_ = nullptr;
  std::set<std::pair<const btCollisionObject*, const btCollisionObject*>> before_, now_;
  std::size_t impacts_ = 0;
};

}  // namespace

EngineRun run_bullet(const WorldProblem& problem, double step) {
  BulletScene scene(problem);
  const auto start = std::chrono::steady_clock::now();
  const auto steps = static_cast<long>(std::lround(problem.end_time / step));
  for (long i = 0; i < steps; ++i) scene.step(step);
  EngineRun run;
  run.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  run.impacts = scene.impacts();
  run.after = scene.bodies(problem);
  return run;
}

}  // namespace carom::bench
