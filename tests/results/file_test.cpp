#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <filesystem>
#include <fstream>

#include "results/json.h"
#include "tests/support/sample_result.h"

namespace spindle::results {
namespace {

namespace fs = std::filesystem;

class ResultFile : public ::testing::Test {
 protected:
  void SetUp() override {
    std::string name = (fs::temp_directory_path() / "spindle-result-XXXXXX").string();
    ASSERT_NE(::mkdtemp(name.data()), nullptr);
    directory_ = name;
  }
  void TearDown() override { fs::remove_all(directory_); }

  std::string path(const std::string& name) const { return (directory_ / name).string(); }
  std::ptrdiff_t files() const { return std::distance(fs::directory_iterator(directory_), fs::directory_iterator()); }

  fs::path directory_;
};

template <class Action>
std::string error_of(Action action) {
  try {
    action();
  } catch (const std::runtime_error& error) {
    return error.what();
  }
  return "no error";
}

TEST_F(ResultFile, IsTheSameResultAfterALoad) {
  const Result result = testing::make_sample_result(2);
  save(result, path("x.json"));
  EXPECT_EQ(to_json(load(path("x.json"))), to_json(result));
}

TEST_F(ResultFile, ReplacesAnEarlierOneAndLeavesNothingBeside) {
  Result result = testing::make_frame();
  save(result, path("x.json"));
  result.verdict = "second";
  save(result, path("x.json"));
  EXPECT_EQ(load(path("x.json")).verdict, "second");
  EXPECT_EQ(files(), 1);
}

TEST_F(ResultFile, HasTheRightsOfAnOrdinaryFile) {
  const ::mode_t before = ::umask(022);
  save(testing::make_frame(), path("x.json"));
  ::umask(before);
  EXPECT_EQ(fs::status(path("x.json")).permissions(), fs::perms(0644));
}

TEST_F(ResultFile, SaysWhyItCannotBeWritten) {
  const std::string nowhere = path("no/x.json");
  EXPECT_EQ(error_of([&] { save(testing::make_frame(), nowhere); }),
            "cannot write '" + nowhere + "': No such file or directory");
}

TEST_F(ResultFile, LeavesNothingBesideWhenItCannotReplace) {
  fs::create_directory(path("x.json"));
  EXPECT_EQ(error_of([&] { save(testing::make_frame(), path("x.json")); }),
            "cannot write '" + path("x.json") + "': Is a directory");
  EXPECT_EQ(files(), 1);
}

TEST_F(ResultFile, SaysWhyItCannotBeRead) {
  EXPECT_EQ(error_of([&] { load(path("x.json")); }), "cannot read '" + path("x.json") + "': No such file or directory");
  EXPECT_EQ(error_of([&] { load(directory_.string()); }), "cannot read '" + directory_.string() + "': Is a directory");
}

TEST_F(ResultFile, NamesTheFileThatIsNoResult) {
  std::ofstream(path("x.json")) << "{}";
  EXPECT_EQ(error_of([&] { load(path("x.json")); }),
            "cannot read '" + path("x.json") + "': not a result of spindle (no \"format\": \"spindle-result\")");
}

}  // namespace
}  // namespace spindle::results
