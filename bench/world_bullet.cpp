// Scenes in Bullet, an engine of games and robot simulation: sequential impulses, one step after the other. Its
// manual's advice is followed: thin margins for small things, continuous detection for fast ones, more iterations for
// stacks.
#include <algorithm>
#include <btBulletDynamicsCommon.h>
#include <cmath>
#include <memory>

#include "world_engines.hpp"

namespace carom::bench {

namespace {

btVector3 vector(const Eigen::Vector3d& v) { return {v.x(), v.y(), v.z()}; }
Eigen::Vector3d vector(const btVector3& v) { return {v.x(), v.y(), v.z()}; }

/// Bullet multiplies the coefficients of two touching bodies.
class BulletScene {
public:
  explicit BulletScene(const WorldProblem& problem)
      : problem_(problem), dispatcher_(&configuration_), world_(&dispatcher_, &broadphase_, &solver_, &configuration_) {
    const double bounce = std::sqrt(restitution_of(problem)), rough = std::sqrt(problem.materials.at(0).friction);
    const WorldCloth* cloth = cloth_of(problem);
    if (cloth != nullptr) cloth_ = problem.bodies.size() + cloth->plane;
    world_.setGravity(vector(problem.gravity));
    // Overlaps are mended apart from velocities, whatever their depth: as it comes, Bullet mends shallow ones by giving
    // speed, and the cradle gains thirty times its energy.
    world_.getSolverInfo().m_splitImpulse = 1;
    world_.getSolverInfo().m_splitImpulsePenetrationThreshold = 0.0;
    world_.getSolverInfo().m_restitutionVelocityThreshold = 0.0;  // slow impacts bounce too
    world_.getSolverInfo().m_numIterations = 50;
    world_.getDispatchInfo().m_allowedCcdPenetration = 1e-4;  // [m]; as it comes 4 cm
    // The plane's friction is that of the cloth over that of the balls; a torque of rolling friction is a length.
    const double on_cloth = cloth == nullptr ? rough : cloth->friction.sliding / std::max(rough, 1e-3);
    for (std::size_t i = 0; i < problem.bodies.size(); ++i) {
      const WorldBody& body = problem.bodies[i];
      const Eigen::Vector3d moments = body.body.inertia.diagonal();
      btRigidBody::btRigidBodyConstructionInfo info(body.body.immovable ? 0.0 : body.body.mass, nullptr, solid(body),
                                                    body.body.immovable ? btVector3(0, 0, 0) : vector(moments));
      info.m_restitution = bounce;
      info.m_friction = rough;
      if (cloth != nullptr) info.m_rollingFriction = 1.4 * cloth->friction.rolling * radius_of(body) / on_cloth;
      info.m_linearDamping = info.m_angularDamping = 0.0;
      info.m_startWorldTransform = placed(body.body.position, body.body.orientation);
      add(info, i);
      if (body.body.immovable) continue;
      bodies_.back()->setLinearVelocity(vector(body.body.velocity));
      bodies_.back()->setAngularVelocity(vector(body.body.angular_velocity));
      bodies_.back()->setFlags(BT_ENABLE_GYROSCOPIC_FORCE_IMPLICIT_BODY);
      if (const auto* ball = std::get_if<Sphere>(&body.shape); ball != nullptr && body.parts.empty()) {
        bodies_.back()->setCcdMotionThreshold(ball->radius);
        bodies_.back()->setCcdSweptSphereRadius(0.5 * ball->radius);
      }
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
      add(info, problem.bodies.size() + k);
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
    touching_.clear();
    for (int i = 0; i < dispatcher_.getNumManifolds(); ++i) {
      const btPersistentManifold* pair = dispatcher_.getManifoldByIndexInternal(i);
      const auto first = static_cast<std::size_t>(pair->getBody0()->getUserIndex()),
                 second = static_cast<std::size_t>(pair->getBody1()->getUserIndex());
      if (first == cloth_ || second == cloth_) continue;
      for (int k = 0; k < pair->getNumContacts(); ++k)
        if (pair->getContactPoint(k).getAppliedImpulse() > 0.0) {
          touching_.emplace_back(first, second);
          break;
        }
    }
  }

  const std::vector<Touching>& touching() const { return touching_; }
  std::vector<Body> bodies() const {
    std::vector<Body> now;
    for (std::size_t i = 0; i < problem_.bodies.size(); ++i) {
      Body body = problem_.bodies[i].body;
      if (!body.immovable) {
        const btTransform& at = bodies_[i]->getWorldTransform();
        const btQuaternion q = at.getRotation();
        body.position = vector(at.getOrigin());
        body.orientation = Eigen::Quaterniond(q.w(), q.x(), q.y(), q.z());
        body.velocity = vector(bodies_[i]->getLinearVelocity());
        body.angular_velocity = vector(bodies_[i]->getAngularVelocity());
      }
      now.push_back(body);
    }
    return now;
  }

private:
  static btTransform placed(const Eigen::Vector3d& position, const Eigen::Quaterniond& q) {
    return btTransform(btQuaternion(q.x(), q.y(), q.z(), q.w()), vector(position));
  }

  btCollisionShape* keep(std::unique_ptr<btCollisionShape> shape) {
    shapes_.push_back(std::move(shape));
    return shapes_.back().get();
  }

  btCollisionShape* solid(const Shape& shape) {
    if (const auto* ball = std::get_if<Sphere>(&shape)) return keep(std::make_unique<btSphereShape>(ball->radius));
    const Eigen::Vector3d half = 0.5 * std::get<Box>(shape).size;
    auto box = std::make_unique<btBoxShape>(vector(half));
    box->setMargin(0.05 * half.minCoeff());  // as it comes 4 cm: more than a domino is thick
    return keep(std::move(box));
  }

  btCollisionShape* solid(const WorldBody& body) {
    const std::vector<WorldPart> parts = parts_of(body);
    if (body.parts.empty()) return solid(body.shape);
    auto all = std::make_unique<btCompoundShape>();
    for (const WorldPart& part : parts) all->addChildShape(placed(part.position, part.orientation), solid(part.shape));
    return keep(std::move(all));
  }

  void add(const btRigidBody::btRigidBodyConstructionInfo& info, std::size_t number) {
    bodies_.push_back(std::make_unique<btRigidBody>(info));
    bodies_.back()->setUserIndex(static_cast<int>(number));
    bodies_.back()->setActivationState(DISABLE_DEACTIVATION);
    world_.addRigidBody(bodies_.back().get());
  }

  const WorldProblem& problem_;
  btDefaultCollisionConfiguration configuration_;
  btCollisionDispatcher dispatcher_;
  btDbvtBroadphase broadphase_;
  btSequentialImpulseConstraintSolver solver_;
  btDiscreteDynamicsWorld world_;
  std::vector<std::unique_ptr<btCollisionShape>> shapes_;
  std::vector<std::unique_ptr<btRigidBody>> bodies_;
  std::vector<std::unique_ptr<btTypedConstraint>> joints_;
  std::size_t cloth_ = static_cast<std::size_t>(-1);
  std::vector<Touching> touching_;
};

}  // namespace

EngineRun run_bullet(const WorldProblem& problem, double step) {
  return follow([&] { return std::make_unique<BulletScene>(problem); }, problem, step);
}

}  // namespace carom::bench
