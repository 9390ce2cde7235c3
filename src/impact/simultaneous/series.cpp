// Linear springs without friction: between events u' = W K d, d' = -u (or -u/e^2) has constant coefficients. Its power
// series is summed to rounding: one product with W per order, no eigenproblem after every event, and events are roots
// of polynomials, found with a bound that cannot miss one.
#include <algorithm>
#include <cmath>
#include <limits>

#include "power_series.hpp"
#include "system.hpp"
#include "tuning.hpp"

namespace carom::simultaneous {

namespace {

class SeriesRun {
public:
  SeriesRun(const System<1>& system, Work& work, Log& log)
      : system_(system),
        work_(work),
        log_(log),
        m_(system.size()),
        impulse_(m_, 0.0),
        d_(m_, 0.0),
        between_(m_, 0.0),
        state_(m_),
        u_(m_),
        x_(m_),
        force_(m_),
        answer_(m_),
        vector_(m_),
        space_(m_) {}

  Outcome run() {
    Outcome out;
    settle();
    while (any_closed() && out.finished) {
      step();
      if (is_idle(
              state_, [&](std::size_t c) { return system_.spring(c); }, [&](std::size_t c) { return value(u_[c], h_); },
              [&](std::size_t c) { return d_[c]; }))
        release();
      ++out.steps;
      work_.spend(step_overhead + series_work * system_.effort());
      out.overflow = !std::isfinite(h_);
      out.finished = work_.left() && !out.overflow;
    }
    if (log_.path != nullptr) log_.path->end(time_, [this](auto& contacts) { fill(contacts, d_); });
    for (std::size_t c = 0; c < m_; ++c) {
      out.impulse.push_back({0.0, 0.0, impulse_[c]});
      out.residual += energy_held(state_[c], system_.spring(c), d_[c]);
    }
    out.friction_work.assign(m_, 0.0);
    out.state = state_;
    return out;
  }

private:
  bool any_closed() const {
    return std::any_of(state_.begin(), state_.end(), [](const ContactState& s) { return s.closed(); });
  }

  void release() {
    for (std::size_t c = 0; c < m_; ++c)
      change_normal_mode(state_[c], system_.spring(c), NormalMode::open, d_[c], c, time_, {0.0, 0.0, impulse_[c]},
                         log_);
  }

  double rate(std::size_t c) const {
    return state_[c].normal == NormalMode::unloading ? 1.0 / system_.spring(c).e2 : 1.0;
  }

  void settle() {
    system_.response(impulse_.data(), vector_[0].data(), system_.initial()[0].data());
    for (std::size_t c = 0; c < m_; ++c) force_[c][0] = state_[c].closed() ? system_.spring(c).k * d_[c] : 0.0;
    next_ = state_;
    settle_normals(
        system_, vector_, d_, force_, next_, space_, [](auto&&...) {}, [](auto&&...) {});
    for (std::size_t c = 0; c < m_; ++c)
      change_normal_mode(state_[c], system_.spring(c), next_[c].normal, d_[c], c, time_, {0.0, 0.0, impulse_[c]}, log_);
  }

  void expand() {
    system_.response(impulse_.data(), answer_[0].data(), system_.initial()[0].data());
    for (std::size_t c = 0; c < m_; ++c) {
      u_[c][0] = answer_[c][0];
      x_[c][0] = d_[c];
    }
    for (int k = 0; k < series_order; ++k) {
      const auto i = static_cast<std::size_t>(k);
      for (std::size_t c = 0; c < m_; ++c) force_[c][0] = state_[c].closed() ? system_.spring(c).k * x_[c][i] : 0.0;
      system_.response(force_[0].data(), answer_[0].data());
      for (std::size_t c = 0; c < m_; ++c) {
        u_[c][i + 1] = answer_[c][0] / (k + 1);
        x_[c][i + 1] = state_[c].closed() ? -rate(c) * u_[c][i] / (k + 1) : 0.0;
      }
    }
  }

  /// The step at which the last two terms that are not nothing reach the truncation level; not a number where a term is
  /// none. (Where all contacts left are slow, the last terms underflow.)
  double step_length() const {
    double h = std::numeric_limits<double>::max();
    int found = 0;
    for (std::size_t k = series_order; k >= 1 && found < 2; --k) {
      double largest = 0.0, sum = 0.0;
      for (std::size_t c = 0; c < m_; ++c) {
        largest = std::max({largest, std::abs(u_[c][k]), std::sqrt(system_.spring(c).k) * std::abs(x_[c][k])});
        sum += u_[c][k] + x_[c][k];
      }
      if (!std::isfinite(sum)) return std::numeric_limits<double>::quiet_NaN();
      if (!(largest > 0.0)) continue;
      h = std::min(h, std::pow(truncation / largest, 1.0 / static_cast<double>(k)));
      ++found;
    }
    return found > 0 ? h : longest_piece;
  }

  void step() {
    expand();
    double h = step_length();
    if (!std::isfinite(h)) {
      h_ = h;
      return;
    }
    const double shortest = std::min(h, shortest_piece);
    bool event = false;
    for (std::size_t c = 0; c < m_; ++c) {
      const bool loading = state_[c].normal == NormalMode::loading;
      double t = crossing(u_[c], loading ? -1.0 : 1.0, h, -event_level);
      if (t <= h) h = t, event = true;
      if (state_[c].normal == NormalMode::unloading) {
        t = crossing(x_[c], 1.0, h, 0.0);
        if (t <= h) h = t, event = true;
      }
    }
    h = std::max(h, shortest);
    sample(h);
    for (std::size_t c = 0; c < m_; ++c) {
      if (!state_[c].closed()) continue;
      double sum = 0.0;  // impulse: integral of k d
      for (int k = series_order - 1; k >= 0; --k) sum = (sum + x_[c][static_cast<std::size_t>(k)] / (k + 1)) * h;
      impulse_[c] += system_.spring(c).k * sum;
      d_[c] = value(x_[c], h);
    }
    time_ += h;
    h_ = h;
    if (!event) return;
    for (std::size_t c = 0; c < m_; ++c)
      if (state_[c].normal == NormalMode::unloading && d_[c] <= opened * std::abs(slope(x_[c], h))) {
        d_[c] = 0.0;
        change_normal_mode(state_[c], system_.spring(c), NormalMode::open, 0.0, c, time_, {0.0, 0.0, impulse_[c]},
                           log_);
      }
    settle();
    if (log_.path != nullptr) log_.path->event(time_, [this](auto& contacts) { fill(contacts, d_); });
  }

  /// A piece is not made shorter than this: what it adds to an impulse must not be lost to rounding, or time would
  /// stand still. An event this late changes the compressions by the square of it.
  static constexpr double shortest_piece = 1e-10;

  /// The length of a piece in which nothing at all changes.
  static constexpr double longest_piece = 1e3;

  /// Openings within this time of an event count as simultaneous with it: mirror contacts differ by rounding.
  static constexpr double opened = 1e-14;

  double crossing(const Series& c, double sign, double h, double level) {
    int pieces = 0;
    const double t = first_below(c, sign, h, level, pieces);
    work_.spend(search_work * pieces);
    return t;
  }

  /// Samples of the step of length h that begins now.
  void sample(double h) {
    if (log_.path == nullptr) return;
    log_.path->piece(time_, time_ + h, [&](double share, auto& contacts) {
      for (std::size_t c = 0; c < m_; ++c) between_[c] = value(x_[c], share * h);
      fill(contacts, between_);
    });
  }

  void fill(std::vector<SimultaneousSample::Contact>& contacts, const std::vector<double>& d) const {
    for (std::size_t c = 0; c < m_; ++c) {
      const double compression = state_[c].closed() ? std::max(d[c], 0.0) : 0.0;
      contacts[c] = {system_.spring(c).k * compression, compression, {0.0, 0.0}, state_[c].normal, TangentMode::none};
    }
  }

  const System<1>& system_;
  Work& work_;
  Log& log_;
  std::size_t m_;
  double time_ = 0.0, h_ = 0.0;
  std::vector<double> impulse_, d_, between_;  // the last: compressions of a sample
  std::vector<ContactState> state_, next_;
  std::vector<Series> u_, x_;
  System<1>::Vectors force_, answer_, vector_;
  SettleSpace<1> space_;
};

}  // namespace

Outcome solve_series(const System<1>& system, Work& work, Log& log) { return SeriesRun(system, work, log).run(); }

}  // namespace carom::simultaneous
