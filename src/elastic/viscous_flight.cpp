// Flights of the viscous rod that are long against its waves: jumped over, not marched through.
#include <cmath>
#include <limits>

#include "carom/core/linear_algebra.hpp"
#include "carom/elastic/rod.hpp"

#include "sideways_kernel.hpp"
#include "viscous_motion.hpp"

namespace carom::elastic {

namespace {

using std::size_t;

/// A flight at least this much longer is jumped over.
constexpr double shortest_jump = 8.0;

/// Vibration e^-this of itself is nothing.
constexpr double dead_exponent = 45.0;

/// Above the height that vibration can reach by this factor the bottom is safe from the ground.
constexpr double safe_height = 1.01;

/// Where two panels meet the later one answers.
constexpr double moment_after = 1e-9;

/// More points than this in one unit make the map of a period dearer than a long march.
constexpr int largest_period = 400;

/// When does the centre of mass, now above it, fall to this height? Infinite: never.
double fall_time(const ViscousRod& rod, const CentreOfMass& from, double height) {
  constexpr double never = std::numeric_limits<double>::infinity();
  const auto above = [&](double t) { return free_flight(rod, from, t).h - height; };
  const double apex = from.p <= 0.0 || rod.gamma == 0.0 ? 0.0
                      : rod.rho > 0.0 ? std::log1p(2.0 * rod.rho * from.p / rod.gamma) / (2.0 * rod.rho)
                                      : from.p / rod.gamma;
  if (rod.gamma == 0.0 && (from.p >= 0.0 || (rod.rho > 0.0 && from.h + from.p / (2.0 * rod.rho) > height)))
    return never;
  double low = apex, high = std::max(1.0, 2.0 * apex);
  if (!std::isfinite(high)) return never;
  while (above(high) >= 0.0) {
    low = high, high *= 2.0;
    if (!std::isfinite(high)) return never;
  }
  return falling_root_of(above, low, high, above(low), above(high));
}

}  // namespace

/// What the vibration at the bottom does in whole units of flight: u(t + m) from u(t), as a matrix on the points of the
/// panels of one unit. In the air the breakpoints only move along, so the march is the same linear map each time; its
/// powers come by squaring. Kept as e^{-rho m} (I + E): E is of order rho, and so are its errors.
class PeriodMap {
public:
  using Panel = ViscousMotion::Panel;
  PeriodMap(double rho, const Panel* panels, size_t count) : rho_(rho) {
    Eigen::Index size = 0;
    for (size_t k = 0; k < count; ++k) size += panels[k].order;
    if (rho == 0.0) return;
    const double rho2 = rho * rho, start = panels[0].a;
    const auto kernel = [&](double lag) {  // of the bottom's velocity (viscous_motion.hpp)
      const BesselPair j = bessel_pair(0.25 * rho2 * lag * (1.0 - lag));
      const double decay = std::exp(-rho * lag), strain = decay * rho2 * j.j1_over_z;
      return decay * rho * j.j0 - strain * (0.5 - lag);
    };
    // Row i: the point one unit after point i, from what lies since (old) and what comes anew up to it.
    Eigen::MatrixXd old = Eigen::MatrixXd::Zero(size, size), fresh = old;
    Eigen::Index row = 0;
    for (size_t k = 0; k < count; ++k) {
      const Panel& p = panels[k];
      const GaussRule& rule = gauss_rule(p.order);
      const auto n = static_cast<size_t>(p.order);
      const Eigen::Index first = row;
      for (size_t i = 0; i < n; ++i, ++row) {
        const double t = p.a - start + p.len * rule.x[i];
        Eigen::Index column = 0;
        for (size_t l = 0; l < count; column += panels[l].order, ++l) {
          if (l == k) continue;
          const Panel& other = panels[l];
          const GaussRule& its = gauss_rule(other.order);
          for (size_t q = 0; q < static_cast<size_t>(other.order); ++q) {
            const double s = other.a - start + other.len * its.x[q], weight = other.len * its.weight[q];
            const Eigen::Index c = column + static_cast<Eigen::Index>(q);
            (l < k ? fresh : old)(row, c) = weight * kernel(l < k ? t - s : 1.0 + t - s);
          }
        }
        double basis[max_order];
        for (size_t q = 0; q < n; ++q) {
          const double before = p.len * rule.x[i], after = p.len - before, y = rule.x[q];
          const double of_new = before * rule.weight[q] * kernel(before * (1.0 - y));
          const double of_old = after * rule.weight[q] * kernel(1.0 - after * y);
          rule.lagrange(rule.x[i] + (1.0 - rule.x[i]) * y, basis);
          for (size_t j = 0; j < n; ++j) {
            const Eigen::Index c = first + static_cast<Eigen::Index>(j);
            fresh(row, c) += of_new * rule.basis[i][q][j];
            old(row, c) += of_old * basis[j];
          }
        }
      }
    }
    const Eigen::MatrixXd sum = fresh + std::exp(rho) * old;
    fresh.diagonal().array() += 1.0;
    SquareSolver solver(fresh.rows());
    solver.compute(fresh);
    powers_.push_back(-solver.solve(sum));
  }

  /// The vibration m whole units later.
  Eigen::VectorXd after(double m, const Eigen::VectorXd& vibration) {
    Eigen::VectorXd u = vibration;
    if (rho_ == 0.0) return u;
    const double whole = m;
    for (size_t j = 0; m >= 1.0; ++j) {
      if (j == powers_.size()) powers_.push_back(2.0 * powers_[j - 1] + powers_[j - 1] * powers_[j - 1]);
      const double half = std::floor(0.5 * m);
      if (m - 2.0 * half == 1.0) u += powers_[j] * u;
      m = half;
    }
    return std::exp(-rho_ * whole) * u;
  }

private:
  double rho_;
  std::vector<Eigen::MatrixXd> powers_;  // (I + E)^(2^j) - I
};

CentreOfMass ViscousMotion::glide(double t) const {
  if (long_flight_ && !long_flight_->never && t > long_flight_->landing - shortest_jump)
    return free_flight(rod_, long_flight_->low, t - long_flight_->landing);
  return free_flight(rod_, carry(panels_.back(), panels_.back().len), t);
}

bool ViscousMotion::flies_long() {
  const double now = end(), flown = now - since_;
  if (flown < next_look_ || std::abs(panels_[back_].a - (now - 1.0)) > same_time * (1.0 + now)) return false;
  next_look_ = 2.0 * flown;
  const CentreOfMass middle = carry(panels_[find(now - 0.5)], now - 0.5 - panels_[find(now - 0.5)].a), c = glide(0.0);
  const double moving = along(now - 0.5).energy;
  // |z(0)| <= sqrt(L/3) |z_x| <= sqrt(2 e_z / 3)/2 with e_z the vibration energy per length, which only falls.
  constexpr double rounding = 1e-13;
  const double vibration = std::max(0.0, moving - 0.5 * middle.p * middle.p) + rounding * moving;
  const double reach = safe_height * 0.5 * std::sqrt(2.0 * vibration / 3.0);
  if (!(c.h > reach)) return false;
  const double safe = fall_time(rod_, c, reach);
  int points = 0;
  for (size_t k = back_; k < panels_.size(); ++k) points += panels_[k].order;
  if (safe < shortest_jump || points > largest_period) return false;
  LongFlight flight;
  if (!std::isfinite(safe)) {
    flight.never = stays_ = rod_.gamma == 0.0;
    limited_ = !stays_;  // it will, but no double tells when
    if (limited_) return true;
  } else if (rod_.rho * safe > dead_exponent) {
    flight.still = true;
    flight.wait = flight.landing = fall_time(rod_, c, 0.0);
    flight.impact_speed = -glide(flight.wait).p;
    flight.low = {-flight.impact_speed, 0.0};
  } else if (safe > rod_longest_time) {
    limited_ = true;
    return true;
  } else {
    flight.wait = std::floor(safe) - 2.0;  // room for what looks half a unit ahead
    flight.landing = safe;
    flight.low = {glide(safe).p, reach};
  }
  long_flight_ = flight;
  return true;
}

std::unique_ptr<ViscousMotion> ViscousMotion::later(double periods, int units) const {
  size_t first = find(end() - 1.0 + same_time * (1.0 + end()));
  if (std::abs(panels_[first].a - (end() - 1.0)) > 1e-9) ++first;
  if (!period_) period_ = std::make_shared<PeriodMap>(rod_.rho, &panels_[first], panels_.size() - first);
  // The vibration at the points of the last unit: velocity of the bottom less that of the centre of mass.
  std::vector<double> flat;
  for (size_t k = first; k < panels_.size(); ++k) {
    const Panel& p = panels_[k];
    const GaussRule& rule = gauss_rule(p.order);
    for (size_t i = 0; i < static_cast<size_t>(p.order); ++i)
      flat.push_back(p.value[i] - free_flight(rod_, p.centre, p.len * rule.x[i]).p);
  }
  const Eigen::VectorXd vibration =
      Eigen::Map<const Eigen::VectorXd>(flat.data(), static_cast<Eigen::Index>(flat.size()));

  std::unique_ptr<ViscousMotion> next(new ViscousMotion(rod_));
  next->first_contact_ = next->contact_ = false;
  next->since_ = since_ - end() - periods;
  next->next_look_ = std::numeric_limits<double>::infinity();
  double gap_end = 0.0;
  for (int unit = 0; unit <= units; ++unit) {
    const Eigen::VectorXd u = period_->after(periods + unit, vibration);
    Eigen::Index at = 0;
    for (size_t k = first; k < panels_.size(); ++k) {
      Panel panel = panels_[k];
      const GaussRule& rule = gauss_rule(panel.order);
      const double since = panel.a - end();  // in [-1, 0)
      panel.a = since + unit;
      panel.block = -1;
      panel.centre = glide(periods + unit + since);
      panel.gap_start = gap_end;
      for (size_t i = 0; i < static_cast<size_t>(panel.order); ++i)
        panel.value[i] = u[at++] + free_flight(rod_, panel.centre, panel.len * rule.x[i]).p;
      gap_end += panel.len * rule.integrate(panel.value, 1.0);
      next->panels_.push_back(panel);
    }
  }
  // The gap follows from the height of the centre of mass and the strain below it, here half a unit ago.
  const Panel& middle = next->panels_[next->find(-0.5)];
  const double strained = next->along(-0.5).sag;
  const double shift = free_flight(rod_, middle.centre, -0.5 - middle.a).h - strained - next->gap(middle, -0.5);
  for (Panel& panel : next->panels_) {
    const GaussRule& rule = gauss_rule(panel.order);
    panel.gap_start += shift;
    for (size_t i = 0; i < static_cast<size_t>(panel.order); ++i) {
      panel.gap[i] = panel.gap_start;
      for (size_t j = 0; j < static_cast<size_t>(panel.order); ++j)
        panel.gap[i] += panel.len * rule.integral[i][j] * panel.value[j];
    }
  }
  if (units > 0) next->long_flight_ = LongFlight{};
  return next;
}

ViscousBounces::ViscousBounces(const ViscousRod& rod, const Liftoff& first) : rod_(rod) {
  marches_.push_back({0.0, false, std::make_unique<ViscousMotion>(rod, first)});
}

double ViscousBounces::flight_end(const March& march) const {
  const auto& flight = march.motion->long_flight();
  if (!flight || flight->never) return std::numeric_limits<double>::infinity();
  return march.start + march.motion->end() + flight->wait;
}

bool ViscousBounces::go_on() {
  const March& last = marches_.back();
  const double start = flight_end(last);
  if (!std::isfinite(start)) return false;
  if (marches_.size() >= rod_max_flights) return !(limited_ = true);
  const LongFlight flight = *last.motion->long_flight();
  if (flight.still) {
    const ViscousRod again{rod_.rho, rod_.gamma, flight.impact_speed};
    marches_.push_back({start, true, std::make_unique<ViscousMotion>(again, viscous_liftoff(again))});
  } else {
    marches_.push_back({start, false, last.motion->later(flight.wait)});
  }
  return true;
}

const std::vector<BottomEvent>& ViscousBounces::follow(size_t lifts) {
  size_t before = 0;
  for (const March& march : marches_) before += march.motion->lifts();
  before -= marches_.back().motion->lifts();
  for (;;) {
    ViscousMotion& last = *marches_.back().motion;
    last.follow(lifts > before ? lifts - before : 0);
    if (last.limited()) limited_ = true;
    before += last.lifts();
    if (before >= lifts || last.stays() || !last.long_flight() || !go_on()) break;
  }
  events_.clear();
  for (const March& march : marches_) {
    if (march.touches) events_.push_back({BottomEvent::touch, march.start});
    for (const BottomEvent& event : march.motion->follow(0)) events_.push_back({event.type, march.start + event.t});
  }
  return events_;
}

ViscousBounces::Place ViscousBounces::place(double t, double ahead) {
  for (;;) {
    const March& last = marches_.back();
    last.motion->advance(t + ahead - last.start);
    if (last.motion->limited()) limited_ = true;
    if (!(t >= flight_end(last)) || !go_on()) break;
  }
  size_t k = marches_.size() - 1;
  while (k > 0 && marches_[k].start > t) --k;
  const March& march = marches_[k];
  const auto& flight = march.motion->long_flight();
  const double local = t - march.start, flown = local - march.motion->end();
  if (!flight || flown + ahead <= 0.0) return {march.motion.get(), local, {}};
  if (rod_.rho * flown > dead_exponent || (flight->still && t + 1.0 > flight_end(march)))
    return {nullptr, 0.0, march.motion->glide(flown)};
  // A look into the flight: three units of it around t.
  const double periods = std::max(0.0, std::floor(flown)), start = march.start + march.motion->end() + periods;
  if (!window_ || window_start_ != start) window_ = march.motion->later(periods, 2), window_start_ = start;
  return {window_.get(), flown - periods, {}};
}

RodTrace ViscousBounces::at(double t) {
  const Place where = place(t, moment_after);
  if (!where.motion) return {0.0, where.centre.h, where.centre, false};
  return where.motion->at(where.t);
}

double ViscousBounces::displacement(double x, double t) {
  const Place where = place(t, x + moment_after);
  return where.motion ? where.motion->displacement(x, where.t) : where.centre.h;
}

double ViscousBounces::velocity(double x, double t) {
  const Place where = place(t, x + moment_after);
  return where.motion ? where.motion->velocity(x, where.t) : where.centre.p;
}

RodEnergy ViscousBounces::energy(double t) {
  if (rod_.rho == 0.0) return {0.5 * rod_.mu * rod_.mu, 0.0};
  const Place where = place(t, 0.5 + moment_after);
  if (!where.motion) {
    const double p = where.centre.p;
    return {0.5 * p * p + rod_.gamma * where.centre.h, 2.0 * rod_.rho * p * p};
  }
  return where.motion->energy(where.t);
}

}  // namespace carom::elastic
