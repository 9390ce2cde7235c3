// The best of all minima. Kinks make many of them, most of all with few observations: the loss is looked at on a grid
// over all parameters, every hollow of the grid is a start, and the best of them are improved on more and more of the
// observations.
#include <algorithm>
#include <cmath>

#include "evaluation.hpp"

namespace carom::fit {

namespace {

/// How many of the best hollows are improved roughly, how many of those further, and how many to the end (fewer where
/// a prediction costs more).
struct Kept {
  std::size_t starts, contenders, finalists;
};
constexpr Kept kept_of_rigid = {16, 6, 4}, kept_of_compliant = {8, 4, 2}, kept_of_many_compliant = {4, 2, 2};
constexpr int rough_iterations = 12, middle_iterations = 40, final_iterations = 100;
/// Observations that contenders are improved on.
constexpr std::size_t middle_sample = 150;
/// A minimum so many times worse than the best, on a part of the observations, is none on all of them.
constexpr double hopeless = 30.0;
/// Minima as near as this, in entries, are the same.
constexpr double same = 1e-3;

/// Observations that the grid is tried on, by what a prediction costs.
std::size_t grid_sample(FitModel model) {
  switch (model) {
    case FitModel::planar:
      return 400;
    case FitModel::compliant:
      return 24;
    default:
      return 48;
  }
}

/// Some of the observations that say something, such that many like them stand for all: one is picked in proportion to
/// what it weighs in the loss.
Part sample(const FitProblem& problem, std::size_t most) {
  Part good;
  std::vector<double> shares;
  double total = 0.0;
  for (std::size_t i = 0; i < problem.observations.size(); ++i) {
    const FitObservation& seen = problem.observations[i];
    if (!(seen.weight > 0.0 && seen.space.velocity[2] < 0.0)) continue;
    good.which.push_back(i);
    good.weights.push_back(seen.weight);
    shares.push_back(seen.weight * (seen.space.velocity.squaredNorm() + seen.velocity_after.squaredNorm()));
    total += shares.back();
  }
  if (good.which.size() <= most || !std::isfinite(total)) return good;
  Part out;
  std::size_t k = 0;
  double sum = shares[0];
  for (std::size_t i = 0; i < most; ++i) {
    const double wanted = total * (static_cast<double>(i) + 0.5) / static_cast<double>(most);
    while (sum < wanted && k + 1 < shares.size()) sum += shares[++k];
    const double weight = good.weights[k] * (total / (static_cast<double>(most) * shares[k]));
    if (!out.which.empty() && out.which.back() == good.which[k])
      out.weights.back() += weight;
    else
      out.which.push_back(good.which[k]), out.weights.push_back(weight);
  }
  return out;
}

/// Values of a parameter on the grid, finer where fewer are free.
std::vector<double> grid_of(const FitProblem& problem, FitParameter parameter, std::size_t free) {
  if (!problem.free.has(parameter)) return {problem.values[parameter]};
  const std::size_t f = std::min<std::size_t>(free, 4) - 1;
  struct {
    double low, high;
    bool by_ratio;
    int counts[4];
  } const grids[] = {{0.015, 9.0, true, {64, 28, 10, 8}},
                     {0.0, 1.0, false, {40, 12, 4, 4}},
                     {0.02, 30.0, true, {48, 16, 7, 7}},
                     {0.0, 1.2, false, {40, 8, 5, 3}}};
  const auto& g = grids[static_cast<std::size_t>(parameter)];
  const int count = g.counts[f] * (problem.model == FitModel::planar ? 2 : 1);  // there a prediction costs least
  std::vector<double> out;
  for (int i = 0; i < count; ++i) {
    const double share = (i + 0.5) / count;
    out.push_back(g.by_ratio ? g.low * std::pow(g.high / g.low, share) : g.low + share * (g.high - g.low));
  }
  return out;
}

class Search {
public:
  Search(const FitProblem& problem, const Parameters& parameters)
      : problem_(problem),
        parameters_(parameters),
        kept_(problem.model != FitModel::compliant                             ? kept_of_rigid
              : problem.observations.size() > grid_sample(FitModel::compliant) ? kept_of_many_compliant
                                                                               : kept_of_compliant),
        few_(sample(problem, grid_sample(problem.model))),
        some_(sample(problem, middle_sample)),
        all_(everything(problem)) {}

  Minimum run() const {
    std::vector<Minimum> found = hollows();
    found.push_back({parameters_.start(problem_.values), 0.0, false});
    improve(found, few_, rough_iterations, kept_.contenders);
    look_along_axes(found);
    improve(found, some_, middle_iterations, kept_.finalists);
    if (all_.which.size() > 2 * middle_sample) found.resize(1);
    // Towards ever stiffer springs the model hardly changes, but costs: only the best is followed there.
    found.erase(std::remove_if(found.begin() + 1, found.end(), [&](const Minimum& one) { return too_stiff(one.x); }),
                found.end());
    improve(found, all_, final_iterations, 1);
    return found.front();
  }

private:
  bool too_stiff(const VectorXd& x) const {
    const std::size_t i = parameters_.index(FitParameter::stiffness_ratio_root, 0);
    return i < parameters_.count() &&
           Parameters::outward(FitParameter::stiffness_ratio_root, x[static_cast<Eigen::Index>(i)]) <=
               stiffest_rough * (1.0 + 1e-9);
  }

  double loss_at(const VectorXd& x, const Part& part) const {
    const double loss = evaluate(problem_, parameters_, x, part, false).loss;
    return std::isfinite(loss) ? loss : std::numeric_limits<double>::infinity();
  }

  /// Points of the grid that none beside them is better than, the best first.
  std::vector<Minimum> hollows() const {
    std::size_t free = 0;
    for (const FitParameter parameter : all_parameters) free += problem_.free.has(parameter);
    std::vector<std::vector<double>> grid;
    std::size_t size = 1;
    for (const FitParameter parameter : all_parameters) {
      grid.push_back(grid_of(problem_, parameter, free));
      size *= grid.back().size();
    }
    std::vector<Minimum> points(size);
    for (std::size_t i = 0; i < size; ++i) {
      FitValues values;
      std::size_t rest = i;
      for (std::size_t p = 0; p < grid.size(); ++p) {
        values[all_parameters[p]] = grid[p][rest % grid[p].size()];
        rest /= grid[p].size();
      }
      points[i].x = parameters_.start(values);
      points[i].loss = loss_at(points[i].x, few_);
    }
    std::vector<Minimum> out;
    for (std::size_t i = 0; i < size; ++i) {
      bool lowest = true;
      std::size_t stride = 1;
      for (const std::vector<double>& axis : grid) {
        const std::size_t at = i / stride % axis.size();
        // (Of equals, on a flat, the first counts.)
        lowest = lowest && (at == 0 || points[i].loss < points[i - stride].loss) &&
                 (at + 1 == axis.size() || points[i].loss <= points[i + stride].loss);
        stride *= axis.size();
      }
      if (lowest) out.push_back(points[i]);
    }
    std::stable_sort(out.begin(), out.end(), better);
    if (out.size() > kept_.starts) out.resize(kept_.starts);
    for (Minimum& one : out) split(one);
    return out;
  }

  /// What the grid was too coarse for: hollows along each axis through the best, as many as there are contenders.
  void look_along_axes(std::vector<Minimum>& found) const {
    std::vector<Minimum> beside;
    for (std::size_t i = 0; i < std::min(found.size(), kept_.finalists / 2); ++i)
      for (std::size_t entry = 0; entry < parameters_.count(); ++entry) {
        std::vector<Minimum> line;
        for (const double value : grid_of(problem_, parameters_.entry(entry).parameter, 1)) {
          Minimum point = found[i];
          point.x[static_cast<Eigen::Index>(entry)] = Parameters::inward(parameters_.entry(entry).parameter, value);
          point.loss = loss_at(point.x, few_);
          line.push_back(point);
        }
        for (std::size_t k = 0; k < line.size(); ++k)
          if ((k == 0 || line[k].loss < line[k - 1].loss) && (k + 1 == line.size() || line[k].loss <= line[k + 1].loss))
            beside.push_back(line[k]);
      }
    std::stable_sort(beside.begin(), beside.end(), better);
    if (beside.size() > kept_.contenders) beside.resize(kept_.contenders);
    for (Minimum& one : beside) one = descend(problem_, parameters_, one.x, few_, rough_iterations, false);
    found.insert(found.end(), beside.begin(), beside.end());
    keep_best(found, kept_.contenders);
  }

  /// Several materials: each looks for its own numbers on the grid, the others keeping theirs.
  void split(Minimum& start) const {
    if (parameters_.materials() < 2 || problem_.per_material.none()) return;
    for (std::size_t m = 0; m < parameters_.materials(); ++m) {
      Part own;
      for (std::size_t k = 0; k < few_.which.size(); ++k)
        if (problem_.observations[few_.which[k]].material == m) {
          own.which.push_back(few_.which[k]);
          own.weights.push_back(few_.weights[k]);
        }
      if (own.which.empty()) continue;
      for (const FitParameter parameter : all_parameters) {
        const std::size_t i = parameters_.index(parameter, m);
        if (i == parameters_.count() || !problem_.per_material.has(parameter)) continue;
        double least = loss_at(start.x, own);
        for (const double value : grid_of(problem_, parameter, 2)) {
          VectorXd x = start.x;
          x[static_cast<Eigen::Index>(i)] = Parameters::inward(parameter, value);
          const double loss = loss_at(x, own);
          if (!(loss < least)) continue;
          least = loss;
          start.x = x;
        }
      }
    }
  }

  static bool better(const Minimum& a, const Minimum& b) { return a.loss < b.loss; }

  /// Descends from each, keeping the best of those that differ.
  void improve(std::vector<Minimum>& found, const Part& part, int iterations, std::size_t kept) const {
    for (Minimum& one : found)
      one = descend(problem_, parameters_, one.x, part, iterations, iterations == final_iterations);
    keep_best(found, kept);
  }

  static void keep_best(std::vector<Minimum>& found, std::size_t kept) {
    std::stable_sort(found.begin(), found.end(), better);
    std::vector<Minimum> different;
    for (const Minimum& one : found)
      if (different.empty() || (different.size() < kept && one.loss <= hopeless * found.front().loss &&
                                std::none_of(different.begin(), different.end(), [&](const Minimum& other) {
                                  return (one.x - other.x).cwiseAbs().maxCoeff() < same;
                                })))
        different.push_back(one);
    found = std::move(different);
  }

  const FitProblem& problem_;
  const Parameters& parameters_;
  Kept kept_;
  Part few_, some_, all_;
};

}  // namespace

Minimum search(const FitProblem& problem, const Parameters& parameters) { return Search(problem, parameters).run(); }

}  // namespace carom::fit
