#include "parts/external_mesher.hpp"

#include <Eigen/Geometry>
#include <cmath>
#include <csignal>
#include <cstdlib>
#include <fcntl.h>
#include <fstream>
#include <spawn.h>
#include <sstream>
#include <sys/wait.h>
#include <system_error>
#include <thread>
#include <unistd.h>

#include "carom/core/error.hpp"
#include "carom/core/text.hpp"
#include "carom/soft/mesh_files.hpp"

#include "parts/mesh_file.hpp"

extern char** environ;

namespace carom::scenario {

namespace {

namespace fs = std::filesystem;

/// A folder that goes when it is no longer needed.
class WorkFolder {
public:
  WorkFolder() {
    std::string pattern = (fs::temp_directory_path() / "carom-mesh-XXXXXX").string();
    if (mkdtemp(pattern.data()) == nullptr) throw InvalidInput("file", "needs a temporary folder to be meshed in");
    path_ = pattern;
  }
  WorkFolder(const WorkFolder&) = delete;
  ~WorkFolder() {
    std::error_code ignored;
    fs::remove_all(path_, ignored);
  }
  fs::path operator/(const char* name) const { return path_ / name; }
  const fs::path& path() const { return path_; }

private:
  fs::path path_;
};

/// Where a program is on the PATH; empty if it is not.
fs::path find_program(const char* name) {
  const char* path = std::getenv("PATH");
  std::istringstream folders(path == nullptr ? "" : path);
  for (std::string folder; std::getline(folders, folder, ':');)
    if (const fs::path program = fs::path(folder) / name; access(program.c_str(), X_OK) == 0) return program;
  return {};
}

std::string text_of(const fs::path& file) {
  std::ifstream in(file, std::ios::binary);
  std::ostringstream text;
  text << in.rdbuf();
  return std::move(text).str();
}

/// The last line that says something, at most 200 characters.
std::string last_words(const fs::path& log) {
  std::istringstream lines(text_of(log));
  std::string last;
  for (std::string each; std::getline(lines, each);)
    if (each.find_first_not_of(" \t\r-") != std::string::npos) last = each;
  return last.empty() ? "without a word" : last.substr(0, 200);
}

/// Runs a program in a folder, what it says going to the file `log` there.
void run(const fs::path& program, const std::vector<std::string>& arguments, const WorkFolder& folder,
         std::chrono::milliseconds limit) {
  const std::string name = program.filename().string();
  std::vector<std::string> words = {program.string()};
  words.insert(words.end(), arguments.begin(), arguments.end());
  std::vector<char*> argv;
  for (std::string& word : words) argv.push_back(word.data());
  argv.push_back(nullptr);

  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  const std::string log = (folder / "log").string();
  posix_spawn_file_actions_addchdir_np(&actions, folder.path().c_str());
  posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
  posix_spawn_file_actions_addopen(&actions, STDOUT_FILENO, log.c_str(), O_WRONLY | O_CREAT | O_TRUNC, 0600);
  posix_spawn_file_actions_adddup2(&actions, STDOUT_FILENO, STDERR_FILENO);
  pid_t process = 0;
  const int failed = posix_spawn(&process, program.c_str(), &actions, nullptr, argv.data(), environ);
  posix_spawn_file_actions_destroy(&actions);
  if (failed != 0)
    throw InvalidInput(
        "file", "cannot be meshed: " + name + " does not start (" + std::generic_category().message(failed) + ")");

  const auto end = std::chrono::steady_clock::now() + limit;
  int status = 0;
  while (waitpid(process, &status, WNOHANG) == 0) {
    if (std::chrono::steady_clock::now() > end) {
      kill(process, SIGKILL);
      waitpid(process, &status, 0);
      throw InvalidInput("file", "cannot be meshed: " + name + " takes longer than " +
                                     number_text(std::chrono::duration<double>(limit).count()) + " s");
    }
    std::this_thread::sleep_for(std::chrono::milliseconds(10));
  }
  if (!WIFEXITED(status) || WEXITSTATUS(status) != 0)
    throw InvalidInput("file", "cannot be meshed: " + name + " fails: " + last_words(folder / "log"));
}

/// The polygons as triangles around their first corners.
void write_stl(const Polyhedron& surface, const fs::path& file) {
  std::string out = "solid surface\n";
  const auto corner = [&](int index) {
    if (index < 0 || std::size_t(index) >= surface.vertices.size())
      throw InvalidInput("file", "has a face with a vertex that it does not have");
    out += "vertex";
    for (const double x : surface.vertices[std::size_t(index)]) out += ' ' + number_text(x);
    out += '\n';
  };
  for (const std::vector<int>& face : surface.faces)
    for (std::size_t i = 2; i < face.size(); ++i) {
      out += "facet normal 0 0 0\nouter loop\n";
      corner(face[0]), corner(face[i - 1]), corner(face[i]);
      out += "endloop\nendfacet\n";
    }
  std::ofstream(file, std::ios::binary) << out << "endsolid surface\n";
}

TetMesh by_gmsh(const fs::path& program, const WorkFolder& folder, double size, std::chrono::milliseconds limit) {
  std::ofstream(folder / "solid.geo")
      << "Merge \"surface.stl\";\ns() = Surface{:};\nSurface Loop(1) = s();\nVolume(1) = {1};\n"
      << "Mesh.CharacteristicLengthMax = " << number_text(size) << ";\n";
  run(program, {"-3", "-format", "msh22", "-o", "solid.msh", "solid.geo"}, folder, limit);
  if (!fs::exists(folder / "solid.msh"))
    throw InvalidInput("file", "cannot be meshed: gmsh leaves no mesh: " + last_words(folder / "log"));
  return read_gmsh(text_of(folder / "solid.msh")).mesh;
}

TetMesh by_tetgen(const fs::path& program, const WorkFolder& folder, double size, std::chrono::milliseconds limit) {
  // A regular tetrahedron of that edge, as the most that one may have.
  const double volume = size * size * size / (6.0 * std::sqrt(2.0));
  run(program, {"-pqYQ", "-a" + number_text(volume), "surface.stl"}, folder, limit);
  if (!fs::exists(folder / "surface.1.node") || !fs::exists(folder / "surface.1.ele"))
    throw InvalidInput("file", "cannot be meshed: tetgen leaves no mesh: " + last_words(folder / "log"));
  return read_tetgen(text_of(folder / "surface.1.node"), text_of(folder / "surface.1.ele")).mesh;
}

}  // namespace

bool is_surface_file(const fs::path& file) {
  const std::string extension = file.extension().string();
  return extension == ".stl" || extension == ".obj" || extension == ".off";
}

TetMesh filled(const fs::path& surface, double size, std::chrono::milliseconds limit) {
  require_positive("size", size);
  const fs::path gmsh = find_program("gmsh"), tetgen = gmsh.empty() ? find_program("tetgen") : fs::path();
  if (gmsh.empty() && tetgen.empty())
    throw InvalidInput("file", "is a surface: install gmsh or tetgen to fill it with tetrahedra");
  const WorkFolder folder;
  if (surface.extension() == ".stl") {
    std::error_code error;
    if (!fs::is_regular_file(surface, error)) throw InvalidInput("file", "cannot be opened");
    if (fs::file_size(surface, error) > max_mesh_size || error) throw InvalidInput("file", "is larger than 1 GB");
    if (!fs::copy_file(surface, folder / "surface.stl", error)) throw InvalidInput("file", "cannot be opened");
  } else {
    write_stl(read_mesh(surface), folder / "surface.stl");
  }
  try {
    return gmsh.empty() ? by_tetgen(tetgen, folder, size, limit) : by_gmsh(gmsh, folder, size, limit);
  } catch (const InvalidInput& error) {
    if (error.field() == "file") throw;
    throw InvalidInput("file",
                       "cannot be meshed: what the mesher wrote is no mesh (" + std::string(error.what()) + ")");
  }
}

}  // namespace carom::scenario
