// Two tetrahedra in every form of every file format, by hand; binary ones from their bytes.
#pragma once

#include <array>
#include <bit>
#include <cstdint>
#include <cstring>
#include <string>
#include <vector>

#include "carom/soft/mesh_files.hpp"

namespace carom::testing {

/// The mesh that all samples hold: its vertices and volumes are exact in float, too. The second one is written the
/// wrong way round.
inline TetMesh two_tets() {
  return {{{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1}, {1, 1, 1.25}}, {{0, 1, 2, 3}, {1, 2, 3, 4}}};
}

/// Builds binary files of either byte order.
class Bytes {
public:
  explicit Bytes(bool big) : swap_(big == (std::endian::native == std::endian::little)) {}
  Bytes& text(const std::string& text) { return out += text, *this; }
  template <class T>
  Bytes& value(T value) {
    char bytes[sizeof value];
    std::memcpy(bytes, &value, sizeof value);
    for (std::size_t i = 0; i < sizeof value; ++i) out += bytes[swap_ ? sizeof value - 1 - i : i];
    return *this;
  }
  template <class T>
  Bytes& values(std::initializer_list<T> all) {
    for (const T each : all) value(each);
    return *this;
  }
  template <class T>
  Bytes& points() {
    for (const auto& p : two_tets().vertices)
      for (const double x : p) value(T(x));
    return *this;
  }
  std::string out;

private:
  bool swap_;
};

enum class SampleFormat { gmsh, tetgen, vtk, vtu };

struct MeshSample {
  std::string name;
  SampleFormat format;
  std::string file;
  std::string second = {};  ///< the .ele file
  std::int64_t first = 0;   ///< the number of the first vertex

  MeshFile read() const { return read(file, second); }
  MeshFile read(const std::string& text, const std::string& other) const {
    switch (format) {
      case SampleFormat::gmsh:
        return read_gmsh(text);
      case SampleFormat::tetgen:
        return read_tetgen(text, other);
      case SampleFormat::vtk:
        return read_vtk(text);
      default:
        return read_vtu(text);
    }
  }
};

inline std::string gmsh_2_text() {
  return "$MeshFormat\n2.2 0 8\n$EndMeshFormat\n$PhysicalNames\n1\n3 1 \"solid\"\n$EndPhysicalNames\n"
         "$Nodes\n6\n7 9 9 9\n1 0 0 0\n2 1 0 0\n3 0 1 0\n4 0 0 +1\n5 1 1 1.25e0\n$EndNodes\n"
         "$Elements\n4\n1 15 2 0 1 7\n2 2 2 0 1 1 2 3\n3 4 2 0 1 1 2 3 4\n4 4 2 0 1 2 3 4 5\n$EndElements\n";
}

inline std::string gmsh_2_binary(bool big) {
  Bytes b(big);
  b.text("$MeshFormat\n2.2 1 8\n").value<std::int32_t>(1).text("\n$EndMeshFormat\n$Nodes\n6\n");
  const TetMesh mesh = two_tets();
  b.value<std::int32_t>(7).values<double>({9, 9, 9});
  for (std::size_t i = 0; i < 5; ++i) {
    b.value(std::int32_t(i + 1));
    for (const double x : mesh.vertices[i]) b.value(x);
  }
  b.text("\n$EndNodes\n$Elements\n3\n");
  b.values<std::int32_t>({2, 1, 2, /**/ 1, 0, 1, 1, 2, 3});
  b.values<std::int32_t>({4, 2, 2, /**/ 2, 0, 1, 1, 2, 3, 4, /**/ 3, 0, 1, 2, 3, 4, 5});
  return b.text("\n$EndElements\n").out;
}

inline std::string gmsh_4_text() {
  return "$MeshFormat\n4.1 0 8\n$EndMeshFormat\n$Entities\n0 0 0 1\n1 0 0 0 1 1 1 0 0\n$EndEntities\n"
         "$Nodes\n2 6 1 7\n2 1 1 2\n7\n1\n9 9 9 0.5 0.25\n0 0 0 0 0\n3 1 0 4\n2\n3\n4\n5\n1 0 0\n0 1 0\n0 0 1\n1 1 "
         "1.25\n$EndNodes\n"
         "$Elements\n2 3 1 3\n2 1 2 1\n1 1 2 3\n3 1 4 2\n2 1 2 3 4\n3 2 3 4 5\n$EndElements\n";
}

template <class Size>
std::string gmsh_4_binary(bool big) {
  Bytes b(big);
  b.text("$MeshFormat\n4.1 1 " + std::to_string(sizeof(Size)) + "\n")
      .template value<std::int32_t>(1)
      .text("\n$EndMeshFormat\n$Nodes\n");
  b.template values<Size>({1, 5, 1, 5})
      .template values<std::int32_t>({3, 1, 0})
      .value(Size(5))
      .template values<Size>({1, 2, 3, 4, 5});
  b.template points<double>().text("\n$EndNodes\n$Elements\n");
  b.template values<Size>({2, 3, 1, 3})
      .template values<std::int32_t>({2, 1, 2})
      .value(Size(1))
      .template values<Size>({1, 1, 2, 3});
  b.template values<std::int32_t>({3, 1, 4}).value(Size(2)).template values<Size>({2, 1, 2, 3, 4, 3, 2, 3, 4, 5});
  return b.text("\n$EndElements\n").out;
}

inline std::string vtk_3_text() {
  return "# vtk DataFile Version 3.0\ntwo\nASCII\nDATASET UNSTRUCTURED_GRID\nFIELD FieldData 1\nTIME 1 1 double\n0.5\n"
         "POINTS 5 double\n0 0 0 1 0 0\n0 1 0\n0 0 1\n1 1 1.25\n\nCELLS 3 14\n3 0 1 2\n4 0 1 2 3\n4 1 2 3 4\n\n"
         "CELL_TYPES 3\n5\n10\n10\nPOINT_DATA 5\nSCALARS a double\nLOOKUP_TABLE default\n1 2 3 4 5\n";
}

inline std::string vtk_3_binary() {
  Bytes b(true);
  b.text("# vtk DataFile Version 3.0\ntwo\nBINARY\nDATASET UNSTRUCTURED_GRID\nFIELD FieldData 1\nTIME 1 1 double\n");
  b.value(0.5).text("\nPOINTS 5 float\n").points<float>().text("\nMETADATA\nINFORMATION 0\n\nCELLS 2 10\n");
  b.values<std::int32_t>({4, 0, 1, 2, 3, 4, 1, 2, 3, 4}).text("\nCELL_TYPES 2\n").values<std::int32_t>({10, 10});
  return b.text("\nCELL_DATA 2\n").out;
}

inline std::string vtk_5_text() {
  return "# vtk DataFile Version 5.1\ntwo\nASCII\nDATASET UNSTRUCTURED_GRID\nPOINTS 5 float\n0 0 0 1 0 0 0 1 0\n0 0 1 "
         "1 1 1.25\n"
         "METADATA\nINFORMATION 0\n\nCELLS 3 8\nOFFSETS vtktypeint64\n0 4 8\nCONNECTIVITY vtktypeint64\n0 1 2 3\n1 2 3 "
         "4\n"
         "CELL_TYPES 2\n10\n10\n";
}

inline std::string vtk_5_binary() {
  Bytes b(true);
  b.text("# vtk DataFile Version 5.1\ntwo\nBINARY\nDATASET UNSTRUCTURED_GRID\nPOINTS 5 double\n").points<double>();
  b.text("\nCELLS 3 8\nOFFSETS vtktypeint64\n").values<std::int64_t>({0, 4, 8});
  b.text("\nCONNECTIVITY vtktypeint64\n").values<std::int64_t>({0, 1, 2, 3, 1, 2, 3, 4});
  return b.text("\nCELL_TYPES 2\n").values<std::int32_t>({10, 10}).text("\n").out;
}

inline std::string vtu_around(const std::string& attributes, const std::string& points, const std::string& connectivity,
                              const std::string& offsets, const std::string& types, const std::string& appended = {}) {
  return "<?xml version=\"1.0\"?>\n<!-- a > b -->\n<VTKFile type=\"UnstructuredGrid\" version='1.0'" + attributes +
         ">\n<UnstructuredGrid>\n<Piece NumberOfPoints=\"5\" NumberOfCells=\"2\">\n<PointData>\n"
         "<DataArray type=\"Float64\" Name=\"a\" format=\"ascii\">1 2 3 nan 5</DataArray>\n</PointData>\n<Points>\n"
         "<DataArray type=\"Float64\" Name=\"Points\" NumberOfComponents=\"3\" " +
         points +
         "\n</Points>\n<Cells>\n"
         "<DataArray type=\"Int64\" Name=\"connectivity\" " +
         connectivity + "\n<DataArray type=\"Int64\" Name=\"offsets\" " + offsets +
         "\n<DataArray type=\"Int64\" Name=\"types\" " + types + "\n</Cells>\n</Piece>\n</UnstructuredGrid>\n" +
         appended + "</VTKFile>\n";
}

inline std::string inline_array(const std::string& format, const std::string& content) {
  return "format=\"" + format + "\">\n" + content + "\n</DataArray>";
}

inline std::string vtu_text_sample() {
  return vtu_around("", inline_array("ascii", "0 0 0 1 0 0 0 1 0\n0 0 1 1 1 1.25"),
                    inline_array("ascii", "0 1 2 3 1 2 3 4"), inline_array("ascii", "4 8"),
                    inline_array("ascii", "10 10"));
}

inline std::string base64(const std::string& bytes) {
  static constexpr char digits[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  std::string out;
  for (std::size_t i = 0; i < bytes.size(); i += 3) {
    unsigned group = 0;
    for (std::size_t k = 0; k < 3; ++k)
      group = group << 8 | (i + k < bytes.size() ? unsigned(std::uint8_t(bytes[i + k])) : 0U);
    for (std::size_t k = 0; k < 4; ++k) out += i + k > bytes.size() ? '=' : digits[group >> (18 - 6 * k) & 63];
  }
  return out;
}

/// The four arrays with their sizes before them.
template <class Size>
std::array<std::string, 4> vtu_arrays(bool big) {
  return {Bytes(big).value(Size(120)).template points<double>().out,
          Bytes(big).value(Size(64)).template values<std::int64_t>({0, 1, 2, 3, 1, 2, 3, 4}).out,
          Bytes(big).value(Size(16)).template values<std::int64_t>({4, 8}).out,
          Bytes(big).value(Size(16)).template values<std::int64_t>({10, 10}).out};
}

inline std::string vtu_base64() {
  const auto arrays = vtu_arrays<std::uint32_t>(false);
  const auto array = [&](std::size_t i) { return inline_array("binary", base64(arrays[i])); };
  return vtu_around(" byte_order=\"LittleEndian\"", array(0), array(1), array(2), array(3));
}

/// The arrays as meshio 5.0.0 writes them.
inline std::string vtu_zlib() {
  return vtu_around(" byte_order=\"LittleEndian\" compressor=\"vtkZLibDataCompressor\"",
                    inline_array("binary", "AQAAAACAAAB4AAAAFgAAAA==eJxjYMAHPtjjlSZaHp3+Yg8A8HoHHw=="),
                    inline_array("binary", "AQAAAACAAABAAAAAFgAAAA==eJxjYIAARijNBKWZCYizQGkAAfAAEQ=="),
                    inline_array("binary", "AQAAAACAAAAQAAAADgAAAA==eJxjYYAADigNAACQAA0="),
                    inline_array("binary", "AQAAAACAAAAQAAAADgAAAA==eJzjYoAALigNAAEAABU="));
}

/// One array after the other behind the XML.
inline std::string vtu_appended(bool big, const std::array<std::string, 4>& arrays, const char* header,
                                const char* encoding) {
  std::array<std::string, 4> at;
  std::size_t offset = 0;
  for (std::size_t i = 0; i < 4; ++i) {
    at[i] = "format=\"appended\" offset=\"" + std::to_string(offset) + "\"/>";
    offset += arrays[i].size();
  }
  return vtu_around(
      std::string(" header_type=\"") + header + "\" byte_order=\"" + (big ? "Big" : "Little") + "Endian\"", at[0],
      at[1], at[2], at[3],
      std::string("<AppendedData encoding=\"") + encoding + "\">\n_" + arrays[0] + arrays[1] + arrays[2] + arrays[3] +
          "\n</AppendedData>\n");
}

inline std::string vtu_raw(bool big) { return vtu_appended(big, vtu_arrays<std::uint64_t>(big), "UInt64", "raw"); }

inline std::string vtu_appended_base64() {
  auto arrays = vtu_arrays<std::uint32_t>(true);
  for (std::string& array : arrays) array = base64(array);
  return vtu_appended(true, arrays, "UInt32", "base64");
}

inline std::vector<MeshSample> mesh_samples() {
  using enum SampleFormat;
  const std::string node =
      "# two\n5 3 1 1\n0 0 0 0 7.5 1\n1 1 0 0 7.5 1\n2 0 1 0 7.5 0 # a comment\n3 0 0 1 7.5 0\n4 1 1 1.25 7.5 0\n";
  const std::string node_from_1 = "5 3 0 0\n1 0 0 0\n2 1 0 0\n3 0 1 0\n4 0 0 1\n5 1 1 1.25\n";
  return {{"gmsh 2.2 text", gmsh, gmsh_2_text(), {}, 1},
          {"gmsh 2.2 little", gmsh, gmsh_2_binary(false), {}, 1},
          {"gmsh 2.2 big", gmsh, gmsh_2_binary(true), {}, 1},
          {"gmsh 4.1 text", gmsh, gmsh_4_text(), {}, 1},
          {"gmsh 4.1 little", gmsh, gmsh_4_binary<std::uint64_t>(false), {}, 1},
          {"gmsh 4.1 big", gmsh, gmsh_4_binary<std::uint64_t>(true), {}, 1},
          {"gmsh 4.1 narrow", gmsh, gmsh_4_binary<std::uint32_t>(false), {}, 1},
          {"tetgen from 0", tetgen, node, "2 4 1\n0 0 1 2 3 1\n1 1 2 3 4 1\n"},
          {"tetgen from 1", tetgen, node_from_1, "2 4 0\n1 1 2 3 4\n2 2 3 4 5\n# the end\n", 1},
          {"vtk 3 text", vtk, vtk_3_text()},
          {"vtk 3 binary", vtk, vtk_3_binary()},
          {"vtk 5 text", vtk, vtk_5_text()},
          {"vtk 5 binary", vtk, vtk_5_binary()},
          {"vtu text", vtu, vtu_text_sample()},
          {"vtu base64", vtu, vtu_base64()},
          {"vtu zlib", vtu, vtu_zlib()},
          {"vtu raw little", vtu, vtu_raw(false)},
          {"vtu raw big", vtu, vtu_raw(true)},
          {"vtu appended base64", vtu, vtu_appended_base64()}};
}

}  // namespace carom::testing
