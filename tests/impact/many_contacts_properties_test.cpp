// The models of many contacts have the properties every impact model must have.
#include <algorithm>
#include <gtest/gtest.h>

#include "carom/impact/multipoint.hpp"
#include "carom/impact/simultaneous.hpp"

#include "impact/multipoint_random.hpp"
#include "impact/properties.hpp"
#include "impact/simultaneous_random.hpp"

namespace carom::testing {
namespace {

/// Random scenes as mechanical systems: springs of both kinds, all kinds of friction in turn.
struct SimultaneousModel : SystemModel<SimultaneousSystemProblem, SimultaneousModel> {
  static constexpr int dimension = 3, trials = 60;
  static constexpr double balance = 1e-9, symmetry = 1e-7;
  static constexpr bool scales_exactly = false, friction_loses = true;  // Hertz springs know speeds
  struct Cases {
    explicit Cases(std::uint64_t seed) : rng(seed) {}
    Problem next() {
      const auto friction = static_cast<SceneFriction>(count % 3);
      const SimultaneousProblem scene = random_scene(rng, count % 2 == 0 ? 1.0 : 1.5, friction, count % 5 == 0, 5);
      ++count;
      Problem problem;
      problem.system = system_of(scene.bodies, std::vector<PairContact>(scene.contacts.begin(), scene.contacts.end()));
      problem.springs.assign(scene.contacts.begin(), scene.contacts.end());
      return problem;
    }
    Rng rng;
    int count = 0;
  };
  static MechanicalSystem& system(Problem& p) { return p.system; }
  static Answer solve(const Problem& p) {
    const SimultaneousSystemImpact r = simultaneous_impact(p);
    Answer a{r, Eigen::VectorXd(p.system.jacobian.rows()), Eigen::VectorXd(p.system.jacobian.rows())};
    for (std::size_t k = 0; k < r.contacts.size(); ++k) {
      a.impulse.segment<3>(3 * static_cast<Eigen::Index>(k)) = r.contacts[k].impulse;
      a.velocity_after.segment<3>(3 * static_cast<Eigen::Index>(k)) = r.contacts[k].velocity_after;
    }
    return a;
  }
  static Eigen::VectorXd friction(const Problem& p) {
    Eigen::VectorXd mu(static_cast<Eigen::Index>(p.springs.size()));
    for (Eigen::Index k = 0; k < mu.size(); ++k) mu[k] = p.springs[static_cast<std::size_t>(k)].material.friction;
    return mu;
  }
  static bool dissipative(const Problem&) { return true; }
  static Problem reversed(Problem p) {
    reverse_contacts(p.system, dimension);
    std::reverse(p.springs.begin(), p.springs.end());
    return p;
  }
};

/// What the two rigid methods for several points share. A problem is one with an answer that is not one of a continuum.
struct ComplementarityModel : SystemModel<MultipointProblem, ComplementarityModel> {
  static constexpr int dimension = 2, trials = 300;
  static constexpr double balance = 1e-9, symmetry = 1e-7;
  static constexpr bool scales_exactly = false, friction_loses = false;  // see MultipointSolution::friction_gain
  struct Cases {
    explicit Cases(std::uint64_t seed) : rng(seed) {}
    Problem next() {
      for (;;) {
        Problem p = random_planar_multipoint(rng, 2 + static_cast<int>(rng() % 3));
        const MultipointImpact r = multipoint_lcp(p);
        const bool continuum = std::any_of(r.solutions.begin(), r.solutions.end(),
                                           [](const auto& s) { return s.status == MultipointStatus::continuum; });
        if (!r.solutions.empty() && !continuum && r.flags == Flags{}) return p;
      }
    }
    std::mt19937_64 rng;
  };
  static MechanicalSystem& system(Problem& p) { return p; }
  static Answer solve(const Problem& p) {
    const MultipointSolution s = multipoint_lcp(p).solutions.at(0);
    return {s, s.impulses.reshaped(), p.jacobian * s.velocity};
  }
  static Eigen::VectorXd friction(const Problem& p) {
    return Eigen::VectorXd::Constant(p.jacobian.rows() / dimension, p.static_friction);
  }
  static bool dissipative(const Problem&) { return false; }  // Newton's law
  static Problem reversed(Problem p) {
    reverse_contacts(p, dimension);
    return p;
  }
};

/// Springs at the points of one body.
struct SprungPointsModel : SystemModel<MultipointProblem, SprungPointsModel> {
  static constexpr int dimension = 3, trials = 100;
  static constexpr double balance = 1e-9, symmetry = 1e-7;
  static constexpr bool scales_exactly = false, friction_loses = true;
  struct Cases {
    explicit Cases(std::uint64_t seed) : rng(seed) {}
    Problem next() { return random_spatial_multipoint(rng, 1 + static_cast<int>(rng() % 3)); }
    std::mt19937_64 rng;
  };
  static MechanicalSystem& system(Problem& p) { return p; }
  static Answer solve(const Problem& p) {
    const MultipointSolution s = multipoint_compliant(p, {}).solutions.at(0);
    return {s, s.impulses.reshaped(), p.jacobian * s.velocity};
  }
  static Eigen::VectorXd friction(const Problem& p) {
    return Eigen::VectorXd::Constant(p.jacobian.rows() / dimension, p.dynamic_friction);
  }
  static bool dissipative(const Problem&) { return true; }
  static Problem reversed(Problem p) {
    reverse_contacts(p, dimension);
    return p;
  }
};

using ManyContacts = ::testing::Types<SimultaneousModel, ComplementarityModel, SprungPointsModel>;
struct ManyContactsNames {
  template <class Model>
  static std::string GetName(int index) {
    return std::array{"Simultaneous", "Complementarity", "SprungPoints"}[static_cast<std::size_t>(index)];
  }
};
INSTANTIATE_TYPED_TEST_SUITE_P(ManyContacts, ImpactProperties, ManyContacts, ManyContactsNames);
INSTANTIATE_TYPED_TEST_SUITE_P(ManyContacts, ManyContactsProperties, ManyContacts, ManyContactsNames);

}  // namespace
}  // namespace carom::testing
