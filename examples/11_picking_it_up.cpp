// Something soft lies on a table and two fingers pick it up. What a scan sees sags under its weight already: first its
// shape without gravity is found, then the fingers squeeze that, and lift as soon as friction can carry the weight.
#include <carom/carom.hpp>
#include <cstdio>

int main() {
  using namespace carom;
  // The scan: an egg of gel on its blunt end. Tetrahedra of your own come from read_mesh_file().
  RestShapeProblem scan;
  scan.body.mesh = round_mesh({.half_axes = {0.022, 0.022, 0.028}, .taper = 0.2}, 0.0034);
  scan.body.young = 2.5e4;
  scan.body.poisson = 0.35;
  scan.body.density = 0.45 / 9.8 / volume(scan.body.mesh);  // it weighs .45 N
  scan.body.gravity = {0.0, 0.0, -9.8};
  for (int i = 0; i < static_cast<int>(scan.body.mesh.vertices.size()); ++i)
    if (scan.body.mesh.vertices[static_cast<std::size_t>(i)].z() < 1e-9) scan.body.fixed.push_back(i);
  scan.body.base = SoftBase::frictionless;  // it stands on a plate and may spread
  const RestShapeResult shape = rest_shape(scan);
  std::printf("shape without gravity: %s\n", name(shape.status));
  if (shape.status != RestShapeStatus::ok) return 1;

  // The same tetrahedra in that shape, with the masses of the scan; nothing holds them but table and fingers.
  SqueezeProblem grasp;
  grasp.body = scan.body;
  grasp.body.mesh.vertices = shape.rest_vertices;
  grasp.body.density.reset();
  grasp.body.masses = shape.masses;
  grasp.body.fixed.clear();
  grasp.body.base = SoftBase::fixed;
  grasp.fingers[0] = {.radius = 0.012, .start = {-0.1, 0.0, 0.022}, .direction = {1.0, 0.0, 0.0}};
  grasp.fingers[1] = {.radius = 0.012, .start = {0.1, 0.0, 0.022}, .direction = {-1.0, 0.0, 0.0}};
  grasp.table_friction = 0.6;
  grasp.finger_friction = 0.7;
  grasp.step = 2.5e-4;
  const SqueezeResult result = squeeze(grasp);

  std::printf("depth [mm]  held / weight  force of a finger [N]\n");
  for (const GraspStep& step : result.steps)
    std::printf("%10.2f  %13.4f  %21.4f\n", 1e3 * step.depth, step.liftable_weight / result.weight,
                step.finger_force[0].norm());
  std::printf("%s at a depth of %.2f mm, work %.4f mJ, largest strain %.3f\n", name(result.status), 1e3 * result.depth,
              1e3 * result.work, result.strain);
  return result.lifted ? 0 : 1;
}
