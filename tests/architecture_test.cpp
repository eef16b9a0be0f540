// The arrows between the rooms point one way, and what belongs to one room stays in it.
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <map>
#include <regex>
#include <set>
#include <string>
#include <vector>

namespace {

namespace fs = std::filesystem;

// Which rooms a room may include, apart from itself. cli -> compare -> {oltp, fileio, server} -> {schema, drivers} ->
// core and cli -> report -> results -> core; compare makes results.
const std::map<std::string, std::set<std::string>> kMayInclude = {
    {"core", {}},
    {"drivers", {"core"}},
    {"schema", {"drivers", "core"}},
    {"oltp", {"schema", "drivers", "core"}},
    {"fileio", {"core"}},
    {"server", {"drivers", "core"}},
    {"results", {"core"}},
    {"report", {"results", "core"}},
    {"compare", {"oltp", "fileio", "server", "schema", "drivers", "results", "core"}},
    {"cli", {"compare", "report", "oltp", "fileio", "server", "schema", "drivers", "results", "core"}},
};

struct Include {
  std::string room, file, header;
};

std::vector<Include> includes_of_all_rooms() {
  static const std::regex kInclude(R"(^\s*#\s*include\s*[<"]([^>"]+)[>"])");
  std::vector<Include> includes;
  for (const auto& [room, allowed] : kMayInclude) {
    for (const auto& entry : fs::recursive_directory_iterator(fs::path(SPINDLE_SOURCE_DIR) / room)) {
      if (entry.path().extension() != ".h" && entry.path().extension() != ".cpp") continue;
      std::ifstream file(entry.path());
      std::smatch match;
      for (std::string line; std::getline(file, line);) {
        if (std::regex_search(line, match, kInclude)) {
          includes.push_back({room, fs::relative(entry.path(), SPINDLE_SOURCE_DIR).string(), match[1]});
        }
      }
    }
  }
  return includes;
}

TEST(Architecture, EveryRoomHasSources) {
  std::set<std::string> rooms;
  for (const Include& include : includes_of_all_rooms()) rooms.insert(include.room);
  EXPECT_EQ(rooms.size(), kMayInclude.size());
}

TEST(Architecture, ArrowsPointOneWay) {
  for (const Include& include : includes_of_all_rooms()) {
    const std::string target = include.header.substr(0, include.header.find('/'));
    if (target == include.room || !kMayInclude.contains(target) || target == include.header) continue;
    EXPECT_TRUE(kMayInclude.at(include.room).contains(target)) << include.file << " includes " << include.header;
  }
}

TEST(Architecture, ClientLibrariesAreKnownToTheirDriverOnly) {
  for (const Include& include : includes_of_all_rooms()) {
    if (include.header != "mysql.h" && !include.header.starts_with("mysql/") && !include.header.starts_with("cppconn/"))
      continue;
    EXPECT_EQ(include.room, "drivers") << include.file << " includes " << include.header;
    EXPECT_NE(include.file, "drivers/driver.h");
  }
}

TEST(Architecture, OptionsAreParsedUnderCliOnly) {
  for (const Include& include : includes_of_all_rooms()) {
    if (!include.header.starts_with("CLI/")) continue;
    EXPECT_EQ(include.room, "cli") << include.file;
  }
}

TEST(Architecture, OnlyResultsAndReportsSpeakJson) {
  for (const Include& include : includes_of_all_rooms()) {
    if (!include.header.starts_with("nlohmann/")) continue;
    EXPECT_TRUE(include.room == "results" || include.room == "report") << include.file;
  }
}

TEST(Architecture, MainStaysSmall) {
  std::ifstream file(fs::path(SPINDLE_SOURCE_DIR) / "cli" / "main.cpp");
  int lines = 0;
  for (std::string line; std::getline(file, line);) ++lines;
  EXPECT_GT(lines, 0);
  EXPECT_LE(lines, 60);
}

}  // namespace
