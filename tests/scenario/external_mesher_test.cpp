// Programs that fill surfaces: found on the PATH, run for a limited time, believed only as far as their mesh is one.
#include "internal/scenario/parts/external_mesher.hpp"

#include <chrono>
#include <cmath>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <gtest/gtest.h>
#include <string>

#include "carom/core/error.hpp"
#include "carom/soft/mesh.hpp"

namespace carom::scenario {
namespace {

namespace fs = std::filesystem;

/// A folder with an octahedron, and with programs of our own on the PATH if asked for.
class ExternalMesher : public ::testing::Test {
protected:
  void SetUp() override {
    std::string pattern = (fs::temp_directory_path() / "carom-test-XXXXXX").string();
    ASSERT_NE(mkdtemp(pattern.data()), nullptr);
    folder_ = pattern;
    std::ofstream(folder_ / "solid.obj") << "v 1 0 0\nv -1 0 0\nv 0 1 0\nv 0 -1 0\nv 0 0 1\nv 0 0 -1\n"
                                            "f 1 3 5\nf 3 2 5\nf 2 4 5\nf 4 1 5\nf 3 1 6\nf 2 3 6\nf 4 2 6\nf 1 4 6\n";
    if (const char* path = std::getenv("PATH")) path_ = path;
  }
  void TearDown() override {
    setenv("PATH", path_.c_str(), 1);
    fs::remove_all(folder_);
  }
  void only_program(const char* name, const std::string& script) {
    std::ofstream(folder_ / name) << "#!/bin/sh\n" << script;
    fs::permissions(folder_ / name, fs::perms::owner_all);
    setenv("PATH", folder_.c_str(), 1);
  }
  std::string said(std::chrono::milliseconds limit = std::chrono::seconds(20)) {
    try {
      filled(folder_ / "solid.obj", 0.5, limit);
    } catch (const InvalidInput& error) {
      return error.what();
    }
    return {};
  }
  fs::path folder_;
  std::string path_;
};

TEST_F(ExternalMesher, FillsASurface) {
  for (const char* name : {"gmsh", "tetgen"}) {
    const std::string program = fs::exists(fs::path("/usr/bin") / name) ? std::string("/usr/bin/") + name : "";
    if (program.empty()) continue;
    only_program(name, "exec " + program + " \"$@\"\n");
    const TetMesh mesh = filled(folder_ / "solid.obj", 0.5);
    EXPECT_FALSE(find_defect(mesh)) << name;
    EXPECT_NEAR(volume(mesh), 4.0 / 3.0, 1e-9) << name;
    fs::remove(folder_ / name);
  }
}

TEST_F(ExternalMesher, TellsWhatWentWrong) {
  setenv("PATH", folder_.c_str(), 1);
  EXPECT_EQ(said(), "file: is a surface: install gmsh or tetgen to fill it with tetrahedra");
  only_program("gmsh", "echo all is well\necho 'Error: no memory left' >&2\nexit 3\n");
  EXPECT_EQ(said(), "file: cannot be meshed: gmsh fails: Error: no memory left");
  only_program("gmsh", "exit 0\n");
  EXPECT_EQ(said(), "file: cannot be meshed: gmsh leaves no mesh: without a word");
  only_program("gmsh", "echo nonsense > solid.msh\n");
  EXPECT_EQ(said(), "file: cannot be meshed: what the mesher wrote is no mesh (line 1: must start with $MeshFormat)");
  only_program("gmsh", "kill -9 $$\n");
  EXPECT_EQ(said(), "file: cannot be meshed: gmsh fails: without a word");
  const auto before = std::chrono::steady_clock::now();
  only_program("gmsh", "exec /bin/sleep 30\n");
  EXPECT_EQ(said(std::chrono::milliseconds(200)), "file: cannot be meshed: gmsh takes longer than 0.2 s");
  EXPECT_LT(std::chrono::steady_clock::now() - before, std::chrono::seconds(10));
}

TEST_F(ExternalMesher, AFileNameIsNotAScript) {
  // No shell looks at it, nor does the mesher: it works on a copy.
  only_program("gmsh", "echo \"$@\"\nexit 1\n");
  fs::rename(folder_ / "solid.obj", folder_ / "a;touch here;\".obj");
  try {
    filled(folder_ / "a;touch here;\".obj", 0.5);
    FAIL();
  } catch (const InvalidInput& error) {
    EXPECT_STREQ(error.what(), "file: cannot be meshed: gmsh fails: -3 -format msh22 -o solid.msh solid.geo");
  }
  EXPECT_FALSE(fs::exists(folder_ / "here"));
}

}  // namespace
}  // namespace carom::scenario
