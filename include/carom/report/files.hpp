// How does a document reach a disk?
// As a folder with everything the writers make of it. Files are written under a temporary name and renamed, so a reader
// never sees half a file.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#pragma GCC visibility push(default)

namespace carom::report {

struct Document;

/// Write `text` to `file` atomically: either the whole new content is there, or what was there before.
/// @throws std::runtime_error naming the file and the reason
void write_file(const std::filesystem::path& file, const std::string& text);

/// Write report.json, <table>.csv, <plot>.svg, <plot>.plot.csv and the attached files into `folder` (made if missing);
/// the files written, in order. The folder holds one run: what the run before it wrote (the list `.carom-files`) goes,
/// unless somebody changed it. Other files stay as they are; where one has a name that is needed, nothing is written.
/// @throws std::runtime_error naming the file and the reason; InvalidInput, before anything is written, if a name
///         cannot be a file name or is used twice
std::vector<std::filesystem::path> write_folder(const Document& document, const std::filesystem::path& folder);

}  // namespace carom::report

#pragma GCC visibility pop
