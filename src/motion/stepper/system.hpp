// Inside the stepper: bodies and pairs as equations of motion that switch where contacts close, open, stick and slip.
#pragma once

#include <vector>

#include "carom/core/switched_system.hpp"

#include "pair.hpp"

namespace carom::stepping {

using Eigen::Index, Eigen::VectorXd;

/// A pair has come together or apart.
struct Crossing {
  double time = 0.0;
  std::size_t pair = 0;
  bool touching = false;              ///< now
  double speed = 0.0;                 ///< normal, of approach or of parting [m/s]
  Vector3d point, normal;             ///< of the contact; into the first
  Vector3d position, velocity, spin;  ///< of the first's body
};

/// What a touch remembers beside the motion of the bodies.
struct TouchMemory {
  Vector3d bristles = Vector3d::Zero();
  double dwell = 0.0, damping = 0.0, touch_speed = 1.0;
};

/// What contacts took since the ledger was opened.
struct Ledger {
  double normal_loss = 0.0, friction_loss = 0.0;  ///< [J]
  Vector3d impulse = Vector3d::Zero();            ///< on bodies, of what does not move [N s]
};

class System final : public SwitchedSystem {
public:
  /// All that changes along a run, to go back to.
  struct Moment {
    VectorXd y;
    std::vector<PointContact> contacts;
    std::vector<int> touches;
  };

  /// @param ledger  whether losses and impulses are followed too
  /// @throws InvalidInput as CompliantStepper
  explicit System(const CompliantScene& scene, bool ledger = false);

  // State: 13 numbers a body (position, orientation x y z w, velocity, angular velocity), then 4 a pair (bristles in
  // world axes, dwell), then the ledger.
  VectorXd y;
  bool located = false;  ///< modes change at crossings only; else they are what the motion says

  const std::vector<Body>& bodies() const { return bodies_; }
  const std::vector<CompliantPair>& pairs() const { return pairs_; }
  const PointContact& contact(std::size_t k) const { return contacts_[k]; }
  int touches(std::size_t k) const { return touches_[k]; }
  const std::vector<Motion>& motions() const { return motions_; }

  void read(const VectorXd& state) const;
  /// The motion of a pair that is read, and the axes it is told in.
  ContactMotion contact_motion(std::size_t k, const PairGeometry& at, const VectorXd& state, Vector3d& t1,
                               Vector3d& t2) const;
  ContactMotion contact_motion(std::size_t k, const VectorXd& state) const;
  /// Puts y into the bodies.
  void write_bodies();
  void normalize();

  // For steps that do not look for crossings. Each begins with a look at where the pairs are, y having been read.
  void look();
  /// The share of a step from `before` to y after which the first pair that is apart touches, just about: 1 if none
  /// does.
  double touch_fraction(const VectorXd& before, double step) const;
  /// What has come together or apart by now.
  /// @return  whether a touch began
  bool begin_and_end_touches(bool at_start = false);
  /// The fastest rate at which bristles of LuGre give way now [1/s]; `of`: of one pair.
  double lugre_rate() const;
  double lugre_rate(std::size_t k) const;

  void save(Moment& moment) const;
  void go_back(const Moment& moment);
  /// A touch goes on that began elsewhere.
  void resume(std::size_t k, const TouchMemory& memory);
  TouchMemory memory(std::size_t k) const;

  /// Follows y for a time, landing on every switch.
  /// @param crossings  those of gaps are added, with times from the beginning; may be null
  SwitchedStop follow_for(double time, std::vector<Crossing>* crossings = nullptr, std::span<const double> times = {},
                          const std::function<void(std::size_t)>& sample = {});

  double stored_energy() const;
  Ledger ledger() const;
  void open_ledger();

  void rate(const VectorXd& state, double* out) const override;
  int guards() const override { return PointContact::guards * static_cast<int>(pairs_.size()); }
  void guard_values(const VectorXd& state, double* values) const override;
  bool crossed(int guard, double t, VectorXd& state) override;
  double longest_step(const VectorXd& state, const double* rate) const override;

private:
  Index pair_at(std::size_t k) const;
  Index ledger_at() const { return pair_at(pairs_.size()); }
  void add_pair(std::size_t k, const VectorXd& state, double* all) const;
  void add_ball_on_plane(std::size_t k, const double* bristles, double* out) const;
  void move(std::size_t i, double* out) const;
  double floor_speed(std::size_t k, const PairGeometry& at, double a) const;
  void begin(std::size_t k, VectorXd& state);
  void end(std::size_t k, VectorXd& state);
  VectorXd scale() const;
  double longest_look() const;

  std::vector<CompliantPair> pairs_;
  Vector3d gravity_;
  std::vector<Body> bodies_;
  bool ledger_;
  std::vector<char> even_;                // inertia the same about every axis
  std::vector<Eigen::Matrix3d> inverse_;  // of the inertias, body axes
  std::vector<PointContact> contacts_;
  std::vector<int> touches_;
  struct Axes {
    bool ball_on_plane;  // a ball about its body's centre of mass against a plane: what real time is spent on
    Vector3d n, t1, t2;
    double radius;
  };
  std::vector<Axes> axes_;
  bool lugre_ = false;
  struct Look {
    double depth;
    PairGeometry at;  // not for a ball on a plane
  };
  std::vector<Look> looks_;
  std::vector<Crossing>* crossings_ = nullptr;
  mutable std::vector<Motion> motions_;
  mutable std::vector<Vector3d> forces_, torques_;
};

}  // namespace carom::stepping
