// The planar complementarity problem, mode by mode: every contact is off, sticks, or slips one way or the other. Within
// a mode all laws are linear.
#include <array>

#include "carom/core/linear_algebra.hpp"

#include "least_distance.hpp"
#include "system.hpp"

namespace carom::multipoint {

namespace {

using Eigen::Index, Eigen::MatrixXd, Eigen::VectorXd;

enum class Mode : std::uint8_t { off, stick, slip_forward, slip_backward };
constexpr int modes_per_contact = 4;
using Modes = std::array<Mode, max_enumerated_contacts>;

/// +1 or -1, the sign of v_t, in a slipping mode.
double direction(Mode mode) { return mode == Mode::slip_forward ? 1.0 : -1.0; }

/// The linear laws of one choice of modes: impulses B x, equations M x = rhs.
struct LinearMode {
  MatrixXd impulses;   // B
  MatrixXd velocity;   // W B
  MatrixXd equations;  // M: rows of W B whose velocity is prescribed
  VectorXd rhs;

  LinearMode(const System& s, const Modes& modes) {
    const Index rows = s.v.size();
    impulses = MatrixXd::Zero(rows, rows);
    std::vector<Index> prescribed;
    std::vector<double> values;
    Index columns = 0;
    for (Index i = 0; i < s.contacts; ++i) {
      const Mode mode = modes[static_cast<std::size_t>(i)];
      if (mode == Mode::off) continue;
      const Index t = s.tangent(i), n = s.normal(i);
      if (mode == Mode::stick) {
        prescribed.push_back(t), values.push_back(-s.v[t]);
        impulses(t, columns++) = 1.0;
        impulses(n, columns++) = 1.0;
      } else {
        impulses(t, columns) = -direction(mode) * s.mu_d(i);
        impulses(n, columns++) = 1.0;
      }
      prescribed.push_back(n), values.push_back(s.rebound[i] - s.v[n]);
    }
    impulses.conservativeResize(rows, columns);
    velocity = s.w * impulses;
    equations = velocity(prescribed, Eigen::all);
    rhs = Eigen::Map<const VectorXd>(values.data(), static_cast<Index>(values.size()));
  }
};

/// The inequalities of the modes, as c . (p, v) >= bound, handed to visit(impulse row weights, velocity row weights).
template <typename Visit>
void for_each_inequality(const System& s, const Modes& modes, Visit&& visit) {
  for (Index i = 0; i < s.contacts; ++i) {
    const Mode mode = modes[static_cast<std::size_t>(i)];
    switch (mode) {
      case Mode::off:
        visit(i, 0.0, 0.0, 0.0, 1.0, s.rebound[i]);
        break;
      case Mode::stick:
        visit(i, 1.0, s.mu_s(i), 0.0, 0.0, 0.0);
        visit(i, -1.0, s.mu_s(i), 0.0, 0.0, 0.0);
        break;
      default:
        visit(i, 0.0, 1.0, 0.0, 0.0, 0.0);
        visit(i, 0.0, 0.0, direction(mode), 0.0, 0.0);
    }
  }
}

bool holds(const System& s, const Modes& modes, const VectorXd& p) {
  const VectorXd after = s.after(p);
  const double size = std::max(1.0, p.cwiseAbs().maxCoeff());
  bool ok = true;
  for_each_inequality(s, modes, [&](Index i, double pt, double pn, double vt, double vn, double bound) {
    const Index t = s.tangent(i), n = s.normal(i);
    ok = ok && pt * p[t] + pn * p[n] + vt * after[t] + vn * after[n] - bound >= -tolerance * size;
  });
  return ok;
}

/// A mode whose equations leave x = x0 + K y open, and with it the velocity: the feasible point nearest to x0 + K y0.
std::optional<VectorXd> nearest_in_mode(const System& s, const Modes& modes, const LinearMode& mode, const VectorXd& x0,
                                        const MatrixXd& kernel) {
  std::vector<VectorXd> rows;
  std::vector<double> bounds;
  const VectorXd p0 = mode.impulses * x0, after0 = s.after(p0);
  const MatrixXd dp = mode.impulses * kernel, dv = mode.velocity * kernel;
  for_each_inequality(s, modes, [&](Index i, double pt, double pn, double vt, double vn, double bound) {
    const Index t = s.tangent(i), n = s.normal(i);
    rows.push_back((pt * dp.row(t) + pn * dp.row(n) + vt * dv.row(t) + vn * dv.row(n)).transpose());
    bounds.push_back(bound - (pt * p0[t] + pn * p0[n] + vt * after0[t] + vn * after0[n]) - slack);
  });
  MatrixXd g(static_cast<Index>(rows.size()), kernel.cols());
  for (std::size_t j = 0; j < rows.size(); ++j) g.row(static_cast<Index>(j)) = rows[j].transpose();
  const auto y = least_distance(g, Eigen::Map<const VectorXd>(bounds.data(), static_cast<Index>(bounds.size())));
  if (!y) return std::nullopt;
  return VectorXd(mode.impulses * (x0 + kernel * *y));
}

void solve_mode(const System& s, const Modes& modes, std::vector<Candidate>& found) {
  const LinearMode mode(s, modes);
  if (mode.impulses.cols() == 0) {
    const VectorXd none = VectorXd::Zero(s.v.size());
    if (holds(s, modes, none)) add_if_solution(s, none, false, found);
    return;
  }
  const PivotedQr qr(mode.equations, rank_tolerance);
  if (qr.rank() == mode.equations.cols()) {
    const VectorXd p = mode.impulses * qr.solve(mode.rhs);
    if (holds(s, modes, p)) add_if_solution(s, p, false, found);
    return;
  }
  // Dependent equations: consistent or not; and if so, is only the split of the impulse open or the velocity too?
  const VectorXd x0 = LeastNormSolver(mode.equations, rank_tolerance).solve(mode.rhs);
  if ((mode.equations * x0 - mode.rhs).cwiseAbs().maxCoeff() > tolerance * std::max(1.0, x0.norm())) return;
  const MatrixXd kernel = carom::kernel(mode.equations, rank_tolerance);
  if ((mode.velocity * kernel).cwiseAbs().maxCoeff() <= tolerance) {
    add_if_solution(s, mode.impulses * x0, false, found);
    return;
  }
  const auto p = nearest_in_mode(s, modes, mode, x0, kernel);
  if (!p) return;
  // The nearest points to other centres lie elsewhere if there is anywhere else to lie.
  bool continuum = false;
  for (Index j = 0; j < kernel.cols() && !continuum; ++j)
    for (const double side : {1.0, -1.0}) {
      const auto other = nearest_in_mode(s, modes, mode, x0 + side * kernel.col(j), kernel);
      continuum = continuum || (other && (s.w * (*other - *p)).cwiseAbs().maxCoeff() > tolerance);
    }
  add_if_solution(s, *p, continuum, found);
}

}  // namespace

std::vector<Candidate> enumerate_modes(const System& system) {
  std::vector<Candidate> found;
  Modes modes{};
  for (;;) {
    solve_mode(system, modes, found);
    Index i = 0;
    for (; i < system.contacts; ++i) {
      Mode& mode = modes[static_cast<std::size_t>(i)];
      mode = static_cast<Mode>((static_cast<int>(mode) + 1) % modes_per_contact);
      if (mode != Mode::off) break;
    }
    if (i == system.contacts) return found;
  }
}

}  // namespace carom::multipoint
