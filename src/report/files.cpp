#include "carom/report/files.hpp"

#include <atomic>
#include <cerrno>
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <fmt/format.h>
#include <fstream>
#include <map>
#include <set>
#include <stdexcept>
#include <system_error>
#include <unistd.h>

#include "carom/core/error.hpp"
#include "carom/report/document.hpp"
#include "carom/report/writers.hpp"

namespace carom::report {

namespace fs = std::filesystem;

namespace {

[[noreturn]] void fail(const fs::path& file, const char* what, int error) {
  throw std::runtime_error(fmt::format("{}: {}: {}", file.string(), what, std::generic_category().message(error)));
}

/// Writes `text` to `file`; 0 or the errno of what went wrong.
int write_all(const fs::path& file, const std::string& text) {
  std::FILE* stream = std::fopen(file.c_str(), "wb");
  if (stream == nullptr) return errno;
  int error = 0;
  if (std::fwrite(text.data(), 1, text.size(), stream) != text.size()) error = errno;
  // Buffered bytes may meet a full disk only here.
  if (std::fclose(stream) != 0 && error == 0) error = errno;
  return error;
}

/// A device or a pipe (/dev/stdout, /dev/null) is written to, never replaced by a file of that name.
bool must_write_in_place(const fs::path& file) {
  std::error_code ignored;
  const fs::file_status status = fs::status(file, ignored);
  if (fs::exists(status) && !fs::is_regular_file(status) && !fs::is_directory(status)) return true;
  const std::string path = file.string();
  return path.starts_with("/dev/") || path.starts_with("/proc/");
}

/// The file a symbolic link points to, so that the link stays a link.
fs::path link_target(const fs::path& file) {
  std::error_code error;
  if (!fs::is_symlink(file, error)) return file;
  const fs::path target = fs::canonical(file, error);
  return error ? file : target;
}

/// A name beside `file` that no other thread or process uses.
fs::path temporary_name(const fs::path& file) {
  static std::atomic<unsigned> counter{0};
  return file.parent_path() / fmt::format(".{}.{}-{}.tmp", file.filename().string(), ::getpid(), counter++);
}

/// Names become file names: they must be plain and, within one folder, different.
void require_file_stem(std::set<std::string>& used, const std::string& field, const std::string& name,
                       const std::string& also = "") {
  const std::string allowed = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-" + also;
  if (name.empty() || name.find_first_not_of(allowed) != std::string::npos) {
    throw InvalidInput(field, fmt::format("must be letters, digits, _ and - (it names a file), got '{}'", name));
  }
  if (!used.insert(name).second) throw InvalidInput(field, fmt::format("'{}' is used twice", name));
}

/// The list of what carom wrote into a folder: a line per file, "<sum of its bytes> <name>". Sums tell a file of ours
/// from one that somebody changed or put in its place; `writing` stands for one that may be half way.
constexpr const char* manifest_name = ".carom-files";
constexpr std::string_view writing = "writing";

/// FNV-1a, 64 bits: against accidents, not against malice.
class Sum {
public:
  void add(std::string_view bytes) {
    for (const char byte : bytes) sum_ = (sum_ ^ static_cast<unsigned char>(byte)) * 0x100000001b3U;
  }
  std::string text() const { return fmt::format("{:016x}", sum_); }

private:
  std::uint64_t sum_ = 0xcbf29ce484222325U;
};

std::string sum_of(const fs::path& file) {
  Sum sum;
  std::ifstream in(file, std::ios::binary);
  std::string part(1 << 16, '\0');
  while (in) {
    in.read(part.data(), static_cast<std::streamsize>(part.size()));
    sum.add({part.data(), static_cast<std::size_t>(in.gcount())});
  }
  return sum.text();
}

using Manifest = std::map<std::string, std::string>;  // name -> sum

Manifest read_manifest(const fs::path& folder) {
  Manifest manifest;
  std::ifstream in(folder / manifest_name);
  for (std::string line; std::getline(in, line);) {
    const std::size_t space = line.find(' ');
    const std::string name = space == std::string::npos ? "" : line.substr(space + 1);
    // Only files of this folder itself, whatever stands there.
    if (!name.empty() && name != "." && name != ".." && name.find('/') == std::string::npos)
      manifest[name] = line.substr(0, space);
  }
  return manifest;
}

void write_manifest(const fs::path& folder, const Manifest& manifest) {
  std::string text = "# What carom wrote here. The next run in this folder replaces these files and no others.\n";
  for (const auto& [name, sum] : manifest) text += sum + " " + name + "\n";
  write_file(folder / manifest_name, text);
}

bool is_ours(const fs::path& folder, const Manifest& manifest, const std::string& name) {
  const auto entry = manifest.find(name);
  if (entry == manifest.end()) return false;
  std::error_code error;
  return entry->second == writing ||
         (fs::is_regular_file(fs::symlink_status(folder / name, error)) && entry->second == sum_of(folder / name));
}

/// Every file that will be there, before one is touched.
void require_free(const fs::path& folder, const Manifest& manifest, const std::vector<std::string>& names) {
  for (const std::string& name : names) {
    std::error_code error;
    if (!fs::exists(fs::symlink_status(folder / name, error)) || is_ours(folder, manifest, name)) continue;
    throw std::runtime_error(fmt::format(
        "{}: {}; move it away, or choose another folder", (folder / name).string(),
        manifest.contains(name) ? "was changed since carom wrote it" : "is there already, and carom did not write it"));
  }
}

}  // namespace

void write_file(const fs::path& file, const std::string& text) {
  if (must_write_in_place(file)) {
    if (const int error = write_all(file, text)) fail(file, "cannot write", error);
    return;
  }
  const fs::path target = link_target(file);
  const fs::path temporary = temporary_name(target);
  int error = write_all(temporary, text);
  if (error == 0 && std::rename(temporary.c_str(), target.c_str()) != 0) error = errno;
  if (error != 0) {
    std::remove(temporary.c_str());
    fail(file, "cannot write", error);
  }
}

std::vector<fs::path> write_folder(const Document& document, const fs::path& folder) {
  std::set<std::string> tables, plots, scenes, files;
  for (const Table& table : document.tables) require_file_stem(tables, "tables.name", table.name);
  for (const Plot& plot : document.plots) require_file_stem(plots, "plots.name", plot.name);
  for (const Scene& scene : document.scenes) require_file_stem(scenes, "scenes.name", scene.name);

  for (const Attachment& file : document.files) {
    require_file_stem(files, "files.name", file.name, ".");
    const fs::path name = file.name;
    if (!name.has_stem() || file.name.front() == '.' || name.extension() == ".json" || name.extension() == ".csv" ||
        name.extension() == ".svg")
      throw InvalidInput("files.name",
                         fmt::format("must not be hidden nor end as what is written beside, got '{}'", file.name));
  }

  std::error_code error;
  fs::create_directories(folder, error);
  if (error) fail(folder, "cannot make the folder", error.value());

  std::vector<std::string> names = {"report.json"};
  for (const Table& table : document.tables) names.push_back(table.name + ".csv");
  for (const Plot& plot : document.plots) {
    names.push_back(plot.name + ".svg");
    names.push_back(plot.name + ".plot.csv");
  }
  for (const Attachment& file : document.files) names.push_back(file.name);
  const Manifest before = read_manifest(folder);
  require_free(folder, before, names);

  // At any moment the list on the disk names every file of ours: a run that is cut off leaves none that the next
  // refuses.
  Manifest during = before, after;
  for (const std::string& name : names) during[name] = writing;
  write_manifest(folder, during);
  std::vector<fs::path> written;
  const auto write = [&](const std::string& text) {
    const std::string& name = names[written.size()];
    written.push_back(folder / name);
    write_file(written.back(), text);
    Sum sum;
    sum.add(text);
    after[name] = sum.text();
  };
  write(json_text(document));
  for (const Table& table : document.tables) write(csv_text(table));
  for (const Plot& plot : document.plots) {
    write(svg_text(plot, {.heading = document.title}));
    write(csv_text(plot));
  }
  for (const Attachment& file : document.files) write(file.content);
  // What the run before wrote and this one does not; what somebody changed is theirs now.
  for (const auto& [name, sum] : before)
    if (!after.contains(name) && is_ours(folder, before, name)) fs::remove(folder / name, error);
  write_manifest(folder, after);
  return written;
}

}  // namespace carom::report
