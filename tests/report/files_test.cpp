#include "carom/report/files.hpp"

#include <csignal>
#include <filesystem>
#include <fstream>
#include <functional>
#include <gtest/gtest.h>
#include <iterator>
#include <set>
#include <string>
#include <sys/resource.h>
#include <unistd.h>

#include "carom/core/error.hpp"
#include "carom/report/document.hpp"
#include "carom/report/writers.hpp"

namespace carom::report {
namespace {

namespace fs = std::filesystem;

class Files : public ::testing::Test {
protected:
  void SetUp() override {
    folder_ = fs::temp_directory_path() / ("carom_report_test_" + std::to_string(::getpid()) + "_" +
                                           ::testing::UnitTest::GetInstance()->current_test_info()->name());
    fs::create_directories(folder_);
  }
  void TearDown() override { fs::remove_all(folder_); }

  static std::string content(const fs::path& file) {
    std::ifstream in(file, std::ios::binary);
    return {std::istreambuf_iterator<char>(in), {}};
  }
  std::set<std::string> names() const {
    std::set<std::string> out;
    for (const auto& entry : fs::directory_iterator(folder_)) out.insert(entry.path().filename().string());
    return out;
  }
  static std::string message_of(const std::function<void()>& action) {
    try {
      action();
    } catch (const std::exception& error) {
      return error.what();
    }
    return "";
  }

  fs::path folder_;
};

TEST_F(Files, ReplacesAFileWhole) {
  write_file(folder_ / "a.txt", "first, and longer");
  write_file(folder_ / "a.txt", "second");
  EXPECT_EQ(content(folder_ / "a.txt"), "second");
  EXPECT_EQ(names(), std::set<std::string>{"a.txt"});
}

TEST_F(Files, FailedWriteKeepsTheOldFileAndLeavesNoTemporary) {
  write_file(folder_ / "a.txt", "old");
  // A limit on file size makes the write itself fail, as a full disk would, also for root.
  rlimit before{};
  ASSERT_EQ(::getrlimit(RLIMIT_FSIZE, &before), 0);
  rlimit small = before;
  small.rlim_cur = 1000;
  const auto handler = std::signal(SIGXFSZ, SIG_IGN);
  ASSERT_EQ(::setrlimit(RLIMIT_FSIZE, &small), 0);
  const std::string message = message_of([&] { write_file(folder_ / "a.txt", std::string(100000, 'x')); });
  ::setrlimit(RLIMIT_FSIZE, &before);
  std::signal(SIGXFSZ, handler);

  EXPECT_NE(message.find("a.txt: cannot write: File too large"), std::string::npos) << message;
  EXPECT_EQ(content(folder_ / "a.txt"), "old");
  EXPECT_EQ(names(), std::set<std::string>{"a.txt"});
}

TEST_F(Files, NamesTheFileAndTheReason) {
  const std::string message = message_of([&] { write_file(folder_ / "none" / "a.txt", "x"); });
  EXPECT_NE(message.find("none/a.txt: cannot write: No such file or directory"), std::string::npos) << message;
}

TEST_F(Files, AFolderInTheWayStays) {
  fs::create_directories(folder_ / "a.txt" / "inside");
  EXPECT_NE(message_of([&] { write_file(folder_ / "a.txt", "x"); }), "");
  EXPECT_EQ(names(), std::set<std::string>{"a.txt"});
  EXPECT_TRUE(fs::is_directory(folder_ / "a.txt" / "inside"));
}

TEST_F(Files, WritesThroughLinksAndToDevices) {
  write_file(folder_ / "real.txt", "old");
  fs::create_symlink("real.txt", folder_ / "link.txt");
  write_file(folder_ / "link.txt", "new");
  EXPECT_TRUE(fs::is_symlink(folder_ / "link.txt"));
  EXPECT_EQ(content(folder_ / "real.txt"), "new");
  write_file("/dev/null", "x");
  EXPECT_TRUE(fs::is_character_file("/dev/null"));
  EXPECT_NE(message_of([] { write_file("/dev/full", "x"); }).find("No space left"), std::string::npos);
}

TEST_F(Files, WritesAFolder) {
  Document d;
  d.tables = {{"laws", "", {{"a", "a", "", std::vector{1.0}}}}};
  d.plots.resize(1);
  d.plots[0].name = "routh";
  const auto written = write_folder(d, folder_ / "out" / "deep");
  const std::vector<fs::path> expected{folder_ / "out/deep/report.json", folder_ / "out/deep/laws.csv",
                                       folder_ / "out/deep/routh.svg", folder_ / "out/deep/routh.plot.csv"};
  EXPECT_EQ(written, expected);
  EXPECT_EQ(content(written[0]), json_text(d));
  EXPECT_EQ(content(written[1]), csv_text(d.tables[0]));
  EXPECT_EQ(content(written[2]), svg_text(d.plots[0]));
  EXPECT_EQ(content(written[3]), csv_text(d.plots[0]));
}

TEST_F(Files, NamesTheFolderItCannotMake) {
  write_file(folder_ / "file", "x");
  const std::string message = message_of([&] { write_folder({}, folder_ / "file" / "out"); });
  EXPECT_NE(message.find("file/out: cannot make the folder: Not a directory"), std::string::npos) << message;
}

TEST_F(Files, RefusesNamesThatAreNoFileNames) {
  for (const char* name : {"", "../evil", "a/b", "a.b"}) {
    Document d;
    d.tables = {{name, "", {}}};
    EXPECT_THROW(write_folder(d, folder_), InvalidInput) << name;
  }
  Document twice;
  twice.plots.resize(2);
  twice.plots[0].name = twice.plots[1].name = "same";
  EXPECT_THROW(write_folder(twice, folder_), InvalidInput);
  EXPECT_TRUE(names().empty());
}

Document with_tables(const std::vector<std::string>& tables) {
  Document d;
  for (const std::string& name : tables) d.tables.push_back({name, "", {{"a", "a", "", std::vector{1.0}}}});
  return d;
}

TEST_F(Files, AFolderHoldsOneRun) {
  write_folder(with_tables({"laws", "trace"}), folder_);
  write_file(folder_ / "notes.txt", "mine");
  write_folder(with_tables({"trace", "events"}), folder_);
  EXPECT_EQ(names(), (std::set<std::string>{".carom-files", "report.json", "trace.csv", "events.csv", "notes.txt"}));
  EXPECT_EQ(content(folder_ / "notes.txt"), "mine");
}

TEST_F(Files, WhatSomebodyChangedIsNeitherReplacedNorRemoved) {
  write_folder(with_tables({"laws"}), folder_);
  write_file(folder_ / "laws.csv", "a\n2\n");
  const std::string message = message_of([&] { write_folder(with_tables({"laws"}), folder_); });
  EXPECT_NE(message.find("laws.csv: was changed since carom wrote it; move it away, or choose another folder"),
            std::string::npos)
      << message;
  write_folder(with_tables({"trace"}), folder_);
  EXPECT_EQ(content(folder_ / "laws.csv"), "a\n2\n");
  write_file(folder_ / "events.csv", "theirs");
  const std::string other = message_of([&] { write_folder(with_tables({"events"}), folder_); });
  EXPECT_NE(other.find("events.csv: is there already, and carom did not write it"), std::string::npos) << other;
  EXPECT_EQ(content(folder_ / "events.csv"), "theirs");
  EXPECT_TRUE(names().contains("trace.csv"));  // refused before anything was touched
}

TEST_F(Files, AListOfFilesReachesNoOtherFolder) {
  fs::create_directories(folder_ / "out");
  write_file(folder_ / "outside.txt", "mine");
  write_file(folder_ / "out" / "kept.txt", "mine");
  write_file(folder_ / "out" / ".carom-files",
             "writing ../outside.txt\nwriting /etc/hostname\nnonsense\nwriting ..\n0 kept.txt\n");
  write_folder(with_tables({"laws"}), folder_ / "out");
  EXPECT_EQ(content(folder_ / "outside.txt"), "mine");
  EXPECT_EQ(content(folder_ / "out" / "kept.txt"), "mine");
}

TEST_F(Files, ARunCutOffIsReplacedByTheNext) {
  write_folder(with_tables({"laws"}), folder_);
  write_file(folder_ / ".carom-files",
             "writing laws.csv\nwriting report.json\nwriting trace.csv\n");  // as it stands midway
  write_file(folder_ / "laws.csv", "half");
  write_file(folder_ / "trace.csv", "half");
  write_folder(with_tables({"laws"}), folder_);
  EXPECT_EQ(names(), (std::set<std::string>{".carom-files", "report.json", "laws.csv"}));
  EXPECT_EQ(content(folder_ / "laws.csv"), "a\r\n1\r\n");
}

}  // namespace
}  // namespace carom::report
