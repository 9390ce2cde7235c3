#include <bit>
#include <cmath>
#include <cstring>

#include "carom/core/error.hpp"
#include "carom/core/text.hpp"
#include "carom/core/utf8.hpp"
#include "carom/soft/mesh_files.hpp"

#include "cells.hpp"

namespace carom {

namespace {

void require_values(const std::vector<MeshValues>& all, const char* field, std::size_t count) {
  for (std::size_t i = 0; i < all.size(); ++i) {
    const std::string name = std::string(field) + '[' + std::to_string(i) + ']';
    if (all[i].name.empty()) throw InvalidInput(name, "must have a name");
    if (all[i].components != 1 && all[i].components != 3 && all[i].components != 9)
      throw InvalidInput(name, "must have 1, 3 or 9 components, got " + std::to_string(all[i].components));
    if (all[i].values.size() != count * std::size_t(all[i].components))
      throw InvalidInput(name, "must have " + std::to_string(count * std::size_t(all[i].components)) + " values, got " +
                                   std::to_string(all[i].values.size()));
  }
}

/// Collects the XML and, behind it, the bytes of its arrays.
class VtuWriter {
public:
  explicit VtuWriter(VtuEncoding encoding) : raw_(encoding == VtuEncoding::raw) {}

  std::string out;

  template <class T, class Value>
  void array(const char* type, std::string_view name, int components, std::size_t count, const Value& value) {
    out += "        <DataArray type=\"" + std::string(type) + "\" Name=\"" + xml_escape(name) + '"';
    if (components != 1) out += " NumberOfComponents=\"" + std::to_string(components) + '"';
    if (raw_) {
      out += " format=\"appended\" offset=\"" + std::to_string(appended_.size()) + "\"/>\n";
      append(std::uint64_t(count * sizeof(T)));
      for (std::size_t i = 0; i < count; ++i) append(T(value(i)));
      return;
    }
    out += " format=\"ascii\">\n";
    const auto per_line = std::size_t(components == 1 ? 12 : components);
    for (std::size_t i = 0; i < count; ++i) {
      if constexpr (std::is_same_v<T, double>)
        append_number(out, std::isfinite(value(i)) ? value(i) : std::nan(""));
      else
        out += std::to_string(value(i));
      out += (i + 1) % per_line == 0 || i + 1 == count ? '\n' : ' ';
    }
    out += "        </DataArray>\n";
  }

  void values(const char* section, const std::vector<MeshValues>& all) {
    out += std::string("      <") + section + ">\n";
    for (const MeshValues& each : all)
      array<double>("Float64", each.name, each.components, each.values.size(),
                    [&](std::size_t i) { return each.values[i]; });
    out += std::string("      </") + section + ">\n";
  }

  void finish() {
    out += "    </Piece>\n  </UnstructuredGrid>\n";
    if (raw_) out += "  <AppendedData encoding=\"raw\">\n   _" + appended_ + "\n  </AppendedData>\n";
    out += "</VTKFile>\n";
  }

private:
  template <class T>
  void append(T value) {
    char bytes[sizeof value];
    std::memcpy(bytes, &value, sizeof value);
    appended_.append(bytes, sizeof value);
  }

  bool raw_;
  std::string appended_;
};

}  // namespace

std::string vtu_text(const TetMesh& mesh, const std::vector<MeshValues>& on_vertices,
                     const std::vector<MeshValues>& on_tets, VtuEncoding encoding) {
  require_mesh(mesh);
  require_values(on_vertices, "on_vertices", mesh.vertices.size());
  require_values(on_tets, "on_tets", mesh.tets.size());
  VtuWriter writer(encoding);
  writer.out = "<?xml version=\"1.0\"?>\n<VTKFile type=\"UnstructuredGrid\" version=\"1.0\" byte_order=\"" +
               std::string(std::endian::native == std::endian::little ? "LittleEndian" : "BigEndian") +
               "\" header_type=\"UInt64\">\n  <UnstructuredGrid>\n    <Piece NumberOfPoints=\"" +
               std::to_string(mesh.vertices.size()) + "\" NumberOfCells=\"" + std::to_string(mesh.tets.size()) +
               "\">\n";
  writer.values("PointData", on_vertices);
  writer.values("CellData", on_tets);
  writer.out += "      <Points>\n";
  writer.array<double>("Float64", "Points", 3, 3 * mesh.vertices.size(),
                       [&](std::size_t i) { return mesh.vertices[i / 3][Eigen::Index(i % 3)]; });
  writer.out += "      </Points>\n      <Cells>\n";
  writer.array<std::int64_t>("Int64", "connectivity", 1, 4 * mesh.tets.size(),
                             [&](std::size_t i) { return mesh.tets[i / 4][i % 4]; });
  writer.array<std::int64_t>("Int64", "offsets", 1, mesh.tets.size(), [](std::size_t i) { return 4 * (i + 1); });
  writer.array<std::uint8_t>("UInt8", "types", 1, mesh.tets.size(), [](std::size_t) { return soft::vtk_tetra; });
  writer.out += "      </Cells>\n";
  writer.finish();
  return std::move(writer.out);
}

std::string pvd_text(const std::vector<SeriesFile>& series) {
  std::string out = "<?xml version=\"1.0\"?>\n<VTKFile type=\"Collection\" version=\"0.1\">\n  <Collection>\n";
  for (std::size_t i = 0; i < series.size(); ++i) {
    const std::string name = "series[" + std::to_string(i) + "]";
    if (!std::isfinite(series[i].time))
      throw InvalidInput(name, "must have a finite time, got " + number_text(series[i].time));
    if (series[i].file.empty()) throw InvalidInput(name, "must have a file name");
    out += "    <DataSet timestep=\"" + number_text(series[i].time) + "\" part=\"0\" file=\"" +
           xml_escape(series[i].file) + "\"/>\n";
  }
  return out + "  </Collection>\n</VTKFile>\n";
}

}  // namespace carom
