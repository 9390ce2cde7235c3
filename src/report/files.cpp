#include "carom/report/files.hpp"

#include <atomic>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <fmt/format.h>
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

  std::vector<fs::path> written;
  const auto write = [&](const std::string& name, const std::string& text) {
    written.push_back(folder / name);
    write_file(written.back(), text);
  };
  write("report.json", json_text(document));
  for (const Table& table : document.tables) write(table.name + ".csv", csv_text(table));
  for (const Plot& plot : document.plots) {
    write(plot.name + ".svg", svg_text(plot));
    write(plot.name + ".plot.csv", csv_text(plot));
  }
  for (const Attachment& file : document.files) write(file.name, file.content);
  return written;
}

}  // namespace carom::report
