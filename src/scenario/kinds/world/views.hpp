// How a world scenario is seen: from which sides, as a strobe light shows it, and animated.
#pragma once

#include <vector>

#include "world.hpp"

namespace carom::scenario {

/// The world seen along one axis: which of the others point right and up.
struct WorldView {
  const char* name;
  const char* title;  ///< "seen from above"
  int right, up;
};
inline report::Point seen(const WorldView& view, const Eigen::Vector3d& p) { return {p[view.right], p[view.up]}; }

/// The axis along gravity; without gravity, or where gravity is along none: z.
int vertical_axis(const WorldProblem& problem);

/// How far the movable bodies get along each axis in all [m].
Eigen::Vector3d extent_of(const WorldTrack& track);

/// Whether a body is too big to be drawn beside its own path.
bool is_big(const WorldResult& result);

/// Whether the bodies are large enough in a drawing of their paths to see them turn.
bool shows_turning(const WorldResult& result);

/// The sides that show something, the most telling first.
std::vector<WorldView> views_of(const WorldResult& result);

report::Curve circle(const report::Point& centre, double radius, report::Stroke stroke, int corners = 48);
/// The edge of a body that is not a ball, and of each of its parts.
void draw_edges(const WorldView& view, const WorldBody& body, const Eigen::Vector3d& position,
                const Eigen::Quaterniond& orientation, const report::Point& shift, report::Stroke stroke,
                const std::string& legend, report::Plot& plot);
/// Planes and tubes where they are seen edge on, and immovable bodies.
void draw_surroundings(const WorldProblem& problem, const WorldView& view, report::Plot& plot);

/// Few bodies at equal intervals of time, each with a spoke that turns with it (Jia 2012, figure 1).
report::Plot strobe_plot(const WorldResult& result, const std::vector<std::size_t>& bodies);

/// How the k-th of the scenes beside is drawn.
report::Dash beside_dash(std::size_t k);

}  // namespace carom::scenario
