// Mesh files: two tetrahedra come in from every form of every format, go out and come back; whatever is done to a file,
// reading ends with a mesh or with a mistake and its place.
#include <algorithm>
#include <cmath>
#include <gtest/gtest.h>
#include <limits>

#include "carom/soft/solids.hpp"

#include "core/random.hpp"
#include "soft/mesh_samples.hpp"

namespace {

using namespace carom;
using namespace carom::testing;

bool same(const TetMesh& a, const TetMesh& b) { return a.vertices == b.vertices && a.tets == b.tets; }

TEST(MeshFiles, EveryFormOfEveryFormat) {
  TetMesh expected = two_tets();
  for (const MeshSample& sample : mesh_samples()) {
    const MeshFile file = sample.read();
    ASSERT_TRUE(same(file.mesh, expected)) << sample.name;
    EXPECT_EQ(file.turned, 0u) << sample.name;
    ASSERT_EQ(file.numbers.size(), 5u);
    for (int i = 0; i < 5; ++i) EXPECT_EQ(file.numbers[std::size_t(i)], sample.first + i) << sample.name;
    EXPECT_FALSE(find_defect(file.mesh)) << sample.name;
    EXPECT_EQ(file.dropped, sample.name.starts_with("gmsh 2.2") || sample.name == "gmsh 4.1 text" ? 1u : 0u)
        << sample.name;
  }
}

TEST(MeshFiles, WindowsLineEnds) {
  for (const MeshSample& sample : mesh_samples()) {
    if (sample.name.find("text") == std::string::npos && sample.format != SampleFormat::tetgen) continue;
    const auto windows = [](const std::string& text) {
      std::string out;
      for (const char c : text) out += c == '\n' ? "\r\n" : std::string(1, c);
      return out;
    };
    EXPECT_TRUE(same(sample.read(windows(sample.file), windows(sample.second)).mesh, two_tets())) << sample.name;
  }
}

TEST(MeshFiles, TetrahedraAreTurned) {
  std::string text = gmsh_2_text();
  text.replace(text.find("2 3 4 5\n$End"), 7, "3 2 4 5");
  const MeshFile file = read_gmsh(text);
  EXPECT_EQ(file.turned, 1u);
  EXPECT_EQ(file.mesh.tets[1], (std::array<int, 4>{2, 1, 4, 3}));
  EXPECT_GT(signed_volume(file.mesh, 1), 0.0);
}

TEST(MeshFiles, WrittenFilesComeBackBitForBit) {
  Rng rng(4);
  for (int repeat = 0; repeat < 30; ++repeat) {
    TetMesh mesh = round_mesh({{0.03, 0.04, 0.05}, 0.1, 0.1}, 0.02);
    const double scale = std::pow(10.0, uniform(rng, -12.0, 12.0));
    for (auto& p : mesh.vertices) p = (p + random_vector<3>(rng, 1e-3)) * scale;
    orient(mesh);
    std::vector<double> numbers(mesh.vertices.size(), 1.5), vectors(3 * mesh.tets.size(), -2.0);
    numbers[3] = std::numeric_limits<double>::infinity();
    for (const VtuEncoding encoding : {VtuEncoding::text, VtuEncoding::raw}) {
      const std::string text = vtu_text(mesh, {{"a <\"b\"> & c", 1, numbers}}, {{"d", 3, vectors}}, encoding);
      const MeshFile file = read_vtu(text);
      ASSERT_TRUE(same(file.mesh, mesh)) << name(encoding);
      EXPECT_EQ(file.turned, 0u);
      EXPECT_EQ(text.find("inf"), std::string::npos);
    }
  }
}

TEST(MeshFiles, Series) {
  EXPECT_EQ(pvd_text({{0.0, "a.vtu"}, {0.5, "b&c.vtu"}}),
            "<?xml version=\"1.0\"?>\n<VTKFile type=\"Collection\" version=\"0.1\">\n  <Collection>\n"
            "    <DataSet timestep=\"0\" part=\"0\" file=\"a.vtu\"/>\n"
            "    <DataSet timestep=\"0.5\" part=\"0\" file=\"b&amp;c.vtu\"/>\n  </Collection>\n</VTKFile>\n");
  EXPECT_EQ(refusal([] { pvd_text({{std::nan(""), "a"}}); }), "series[0]: must have a finite time, got nan");
  EXPECT_EQ(refusal([] { pvd_text({{0.0, ""}}); }), "series[0]: must have a file name");
}

TEST(MeshFiles, WhatIsWrittenIsChecked) {
  const TetMesh mesh = two_tets();
  EXPECT_EQ(refusal([&] { vtu_text(mesh, {{"a", 1, {1.0}}}); }), "on_vertices[0]: must have 5 values, got 1");
  EXPECT_EQ(refusal([&] {
              vtu_text(mesh, {}, {{"a", 2, {1, 2, 3, 4}}});
            }),
            "on_tets[0]: must have 1, 3 or 9 components, got 2");
  EXPECT_EQ(refusal([&] { vtu_text(mesh, {}, {{"", 1, {1, 2}}}); }), "on_tets[0]: must have a name");
}

/// What reading `file` with `from` replaced by `to` says.
std::string after(MeshSample sample, const std::string& from, const std::string& to) {
  std::string* text = &sample.file;
  std::size_t at = text->find(from);
  if (at == std::string::npos) text = &sample.second, at = text->find(from);
  EXPECT_NE(at, std::string::npos) << from;
  if (at == std::string::npos) return {};
  text->replace(at, from.size(), to);
  return refusal([&] { sample.read(); });
}

MeshSample sample(const std::string& name) {
  for (MeshSample& each : mesh_samples())
    if (each.name == name) return each;
  throw std::logic_error(name);
}

TEST(MeshFiles, MistakesInGmshFiles) {
  const MeshSample two = sample("gmsh 2.2 text"), four = sample("gmsh 4.1 text");
  EXPECT_EQ(after(two, "2.2 0", "4.0 0"), "line 2: must be version 2.2 or 4.1, got 4 (gmsh -format msh41)");
  EXPECT_EQ(after(two, "0 1 0\n4", "0 x 0\n4"), "line 13: a coordinate must be a finite number, got x");
  EXPECT_EQ(after(two, "0 1 0\n4", "0 nan 0\n4"), "line 13: a coordinate must be a finite number, got nan");
  EXPECT_EQ(after(two, "0 1 0\n4", "0 1e999 0\n4"), "line 13: a coordinate must be a finite number, got 1e999");
  EXPECT_EQ(after(two, "2 3 4 5\n$End", "2 3 4 8\n$End"), "line 22: there is no vertex 8");
  EXPECT_EQ(after(two, "\n3 0 1 0", "\n2 0 1 0"), "line 13: vertex 2 is listed twice");
  EXPECT_EQ(after(two, "$Nodes\n6", "$Nodes\n99999999999"),
            "line 9: the number of nodes is 99999999999, more than the file has room for");
  EXPECT_EQ(after(two, "$Nodes\n6", "$Nodes\n-6"), "line 9: the number of nodes must be >= 0, got -6");
  EXPECT_EQ(after(two, "$Nodes\n6", "$Nodes\n5"), "line 15: must be $EndNodes, got 5");
  EXPECT_EQ(after(two, "3 4 2 0", "3 5 2 0"),
            "line 21: elements of type 5 are not read: the solid must be made of tetrahedra of four nodes (type 4)");
  EXPECT_EQ(after(two, "3 4 2 0", "3 99 2 0"), "line 21: elements of type 99 are not known");
  EXPECT_EQ(after(two, "$EndPhysicalNames", "$EndNames"), "line 4: section $PhysicalNames has no $EndPhysicalNames");
  EXPECT_EQ(after(two, "$EndElements\n", "$EndElements\n$Elements\n"), "line 24: has a second section $Elements");
  EXPECT_EQ(after(two, "$MeshFormat", "MeshFormat"), "line 1: must start with $MeshFormat");
  EXPECT_EQ(after(four, "2 3 4 5\n$End", "2 3 4 8\n$End"), "line 31: there is no vertex 8");
  EXPECT_EQ(after(four, "3 1 0 4", "3 1 0 40000"),
            "line 15: the number of nodes of a block is 40000, more than the file has room for");
  EXPECT_EQ(refusal([] { read_gmsh(""); }), "line 1: must start with $MeshFormat");
  EXPECT_EQ(refusal([] {
              read_gmsh("$MeshFormat\n2.2 0 8\n$EndMeshFormat\n$Nodes\n0\n$EndNodes\n$Elements\n0\n$EndElements\n");
            }),
            "file: has no tetrahedra");
  const std::string binary = gmsh_4_binary<std::uint64_t>(false);
  EXPECT_EQ(refusal([&] { read_gmsh(binary.substr(0, 250)); }), "byte 243: ends too early");
}

TEST(MeshFiles, MistakesInTetgenFiles) {
  const MeshSample one = sample("tetgen from 1");
  EXPECT_EQ(after(one, "2 1 0 0", "2 1 0 ?"), "node, line 3: a coordinate must be a finite number, got ?");
  EXPECT_EQ(after(one, "2 2 3 4 5", "2 2 3 4 6"), "ele, line 3: there is no vertex 6");
  EXPECT_EQ(after(one, "2 4 0", "2 10 0"), "ele, line 1: tetrahedra must have 4 vertices, got 10");
  EXPECT_EQ(after(one, "5 3 0 0", "5 2 0 0"), "node, line 1: the dimension must be 3, got 2");
  EXPECT_EQ(after(one, "5 3 0 0", "0 3 0 0"), "node, line 1: must list the vertices: a .poly file is not read");
  EXPECT_EQ(after(one, "5 3 0 0", "5000 3 0 0"),
            "node, line 1: the number of vertices is 5000, more than the file has room for");
  EXPECT_EQ(after(one, "\n3 0 1 0", "\n2 0 1 0"), "node, line 4: vertex 2 is listed twice");
}

TEST(MeshFiles, MistakesInVtkFiles) {
  const MeshSample three = sample("vtk 3 text"), five = sample("vtk 5 text");
  EXPECT_EQ(after(three, "# vtk", "vtk"), "line 1: must start with # vtk DataFile Version");
  EXPECT_EQ(after(three, "UNSTRUCTURED_GRID", "POLYDATA"),
            "line 4: must be UNSTRUCTURED_GRID: other data sets are not read");
  EXPECT_EQ(after(three, "10\n10", "10\n12"),
            "line 22: cells of type 12 are not read: the solid must be made of tetrahedra of four points (type 10)");
  EXPECT_EQ(after(three, "4 1 2 3 4", "4 1 2 3 5"), "line 17: there is no vertex 5");
  EXPECT_EQ(after(three, "4 1 2 3 4", "4 1 2 3 -1"), "line 17: there is no vertex -1");
  EXPECT_EQ(after(three, "CELLS 3 14", "CELLS 3 13"),
            "line 17: a cell of 4 points does not fit the size of the list of cells");
  EXPECT_EQ(after(three, "CELL_TYPES 3\n5\n", "CELL_TYPES 2\n"), "line 19: there are 2 cell types for 3 cells");
  EXPECT_EQ(after(three, "POINTS 5", "POINTS 500000000"),
            "line 8: the number of points is 500000000, more than the file has room for");
  EXPECT_EQ(after(three, "5\n10\n10", "10\n10\n10"), "line 15: a tetrahedron must have 4 points, got 3");
  EXPECT_EQ(after(five, "0 4 8", "0 5 4"), "line 13: an offset must be 5 to 8, from 0, got 4");
  EXPECT_EQ(after(five, "CONNECTIVITY", "CONNECTED"), "line 14: must be CONNECTIVITY");
}

TEST(MeshFiles, MistakesInVtuFiles) {
  const MeshSample text = sample("vtu text"), base64 = sample("vtu base64"), zlib = sample("vtu zlib"),
                   raw = sample("vtu raw little");
  EXPECT_EQ(after(text, "VTKFile type=\"UnstructuredGrid", "VTKFile type=\"PolyData"),
            "line 3: type must be UnstructuredGrid: other data sets are not read, got PolyData");
  EXPECT_EQ(after(text, "NumberOfPoints=\"5", "NumberOfPoints=\"6"), "line 10: Points: must have 18 numbers, has 15");
  EXPECT_EQ(after(text, "NumberOfPoints=\"5", "NumberOfPoints=\"99999999999"),
            "line 5: NumberOfPoints must be 0 to 50000000, got 99999999999");
  EXPECT_EQ(after(text, "1 1.25", "1 x"), "line 12: a number must be a finite number, got x");
  EXPECT_EQ(after(text, "1 2 3 4\n", "1 2 3 9\n"), "line 16: connectivity: tetrahedron 1: there is no vertex 9");
  EXPECT_EQ(after(text, "4 8", "4 9"), "line 19: offsets: offset 1 must be 4 to 8, got 9");
  EXPECT_EQ(
      after(text, "10 10", "10 12"),
      "line 22: types: cells of type 12 are not read: the solid must be made of tetrahedra of four points (type 10)");
  EXPECT_EQ(after(text, "Name=\"types\"", "Name=\"kinds\""), "line 5: has no DataArray types in Cells");
  EXPECT_EQ(after(base64, "QAAAAAAA", "QAAAQAAA"),
            "line 15: connectivity: says that it has 1073741888 bytes, more than there are");
  EXPECT_EQ(after(base64, "EAAAAAQA", "D*AAAAQA"), "line 18: offsets: its data end too early");
  EXPECT_EQ(after(zlib, "vtkZLib", "vtkLZ4"),
            "line 3: compressor must be vtkZLibDataCompressor, got vtkLZ4DataCompressor");
  EXPECT_EQ(after(zlib, "eJxjYMAHPt", "eJxjYMAHPu"), "line 10: Points: its data are not what zlib makes of 120 bytes");
  EXPECT_EQ(after(zlib, "AQAAAACAAAB4", "/////wCAAAB4"),
            "line 10: Points: says that it has more blocks than there is room for");
  EXPECT_EQ(after(raw, "offset=\"128\"", "offset=\"99999\""),
            "line 13: connectivity: offset must be within AppendedData, got 99999");
  EXPECT_EQ(after(raw, "offset=\"128\"", "offset=\"?\""),
            "line 13: connectivity: offset must be within AppendedData, got ?");
  EXPECT_EQ(after(raw, "encoding=\"raw\"", "encoding=\"hex\""),
            "line 19: AppendedData must have encoding raw or base64, got hex");
  EXPECT_EQ(after(text, "</DataArray>\n</Cells>", "\n</Cells>"), "line 22: DataArray has no end");
}

/// A mesh, or a mistake that says where.
void expect_outcome(const MeshSample& sample, const std::string& file, const std::string& second) {
  try {
    const MeshFile read = sample.read(file, second);
    ASSERT_FALSE(read.mesh.tets.empty());
    ASSERT_EQ(read.numbers.size(), read.mesh.vertices.size());
    find_defect(read.mesh);
  } catch (const InvalidInput& error) {
    const std::string& field = error.field();
    ASSERT_TRUE(field.find("line ") != std::string::npos || field.find("byte ") != std::string::npos ||
                field == "file" || field.starts_with("vertices["))
        << error.what();
  }
}

TEST(MeshFiles, EveryBeginningOfEveryFile) {
  for (const MeshSample& sample : mesh_samples()) {
    for (std::size_t n = 0; n < sample.file.size(); ++n)
      expect_outcome(sample, sample.file.substr(0, n), sample.second);
    for (std::size_t n = 0; n < sample.second.size(); ++n)
      expect_outcome(sample, sample.file, sample.second.substr(0, n));
  }
}

TEST(MeshFiles, AnyByteChanged) {
  Rng rng(8);
  const std::string bytes = std::string("\0\xff\x7f\x80 \n019-.e<>/\"=$#", 19);
  for (const MeshSample& sample : mesh_samples())
    for (int i = 0; i < 3000; ++i) {
      std::string file = sample.file, second = sample.second;
      for (int changes = 1 + i % 3; changes > 0; --changes) {
        std::string& text = !second.empty() && rng() % 2 == 0 ? second : file;
        const std::size_t at = rng() % text.size();
        switch (rng() % 4) {
          case 0:
            text[at] = bytes[rng() % bytes.size()];
            break;
          case 1:
            text[at] = char(rng() % 256);
            break;
          case 2:
            text.insert(at, 1, bytes[rng() % bytes.size()]);
            break;
          default:
            text.erase(at, 1 + rng() % 9);
        }
        if (text.empty()) text = " ";
      }
      expect_outcome(sample, file, second);
    }
}

}  // namespace
