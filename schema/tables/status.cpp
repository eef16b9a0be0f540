// The FULLTEXT status table.
#include "schema/tables/status.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <stdexcept>
#include <string>

#include "schema/table.h"

namespace spindle::schema {
namespace {

constexpr std::string_view kLetters = "bcdfghjklmnpqrstvwxyz";
constexpr std::uint64_t kPossibleWords = 21 * 21 * 21 * 21;
static_assert(kLetters.size() == 21);
// Steps through all possible words, because it shares no factor (3 and 7) with their number: neighbours look different.
constexpr std::uint64_t kWordStep = 100'003;
constexpr std::uint64_t kWordsPerStatus = 5;
static_assert(kWordsPerStatus * (kWordLength + 1) - 1 == kStatusLength);
constexpr std::uint64_t kRowsAWord = 10;
constexpr std::uint64_t kMostRowsFound = 20;

// Finding one row in 1,000,000,000 by its time is possible, a part of one is not.
constexpr std::uint64_t kMostRows = kOrdinaryTimes;

// Measured: 1,000,000 rows, the FULLTEXT index and its auxiliary tables included.
constexpr std::uint64_t kBytesPerRow = 145;
constexpr std::uint64_t kEmptyBytes = 2 * 1024 * 1024;

std::vector<TableDefinition> define_all(const SchemaOptions& options) {
  if (options.status_rows == 0 || options.status_rows > kMostRows) {
    throw std::invalid_argument(
        fmt::format("--status-rows {}: from 1 to {} rows are possible", options.status_rows, kMostRows));
  }
  TableDefinition table;
  table.name = "status";
  table.rows = options.status_rows;
  table.create_sql =
      "CREATE TABLE status (id int unsigned auto_increment primary key, time int not null, uid int not null, status "
      "varchar(32) not null) ENGINE = innodb";
  if (!options.charset.empty()) table.create_sql += " DEFAULT CHARSET = " + options.charset;
  table.index_sql = {"CREATE FULLTEXT INDEX status ON status (status)"};
  table.insert_sql = "INSERT INTO status (id, time, uid, status) VALUES ";
  table.structure.columns = {"id int unsigned auto_increment", "time int", "uid int", "status varchar(32)"};
  table.structure.indexes = {"PRIMARY (id)", "status (status) fulltext"};
  table.also_known_indexes = {{"PRIMARY (id)"}};  // a load that was cut off before the index
  table.bytes_per_row = kBytesPerRow;
  table.bytes_fixed = kEmptyBytes;
  const std::uint64_t table_seed = core::split_mix(options.seed) + core::split_mix(0x57A705ULL);
  table.append_row = [table_seed, values = StatusValues(options.status_rows)](std::uint64_t id, std::string& sql) {
    core::Random random(table_seed, id);
    const std::int64_t time = values.ordinary_time(random);
    const std::int64_t uid = values.uid(random);
    fmt::format_to(std::back_inserter(sql), "({},{},{},'{}')", id, time, uid, view(values.status(random)));
  };
  return {table};
}

const core::Register<TableKind> kRegistered{"status", TableKind{define_all}};

}  // namespace

StatusValues::StatusValues(std::uint64_t rows)
    : rows_(rows),
      words_(std::clamp<std::uint64_t>(rows * kWordsPerStatus / kRowsAWord, kWordsPerStatus, kPossibleWords)) {}

Word StatusValues::word(core::Random& random) const {
  std::uint64_t number = random.below(words_) * kWordStep % kPossibleWords;
  Word word;
  for (char& letter : word) {
    letter = kLetters[number % kLetters.size()];
    number /= kLetters.size();
  }
  return word;
}

Status StatusValues::status(core::Random& random) const {
  Status status;
  status.fill(' ');
  for (std::size_t begin = 0; begin < kStatusLength; begin += kWordLength + 1) {
    const Word next = word(random);
    std::copy(next.begin(), next.end(), status.begin() + static_cast<std::ptrdiff_t>(begin));
  }
  return status;
}

std::int64_t StatusValues::tail(core::Random& random, std::int64_t range) const {
  const std::uint64_t found = std::min(1 + random.below(kMostRowsFound), rows_);
  return static_cast<std::int64_t>(static_cast<std::uint64_t>(range) / rows_ * found);
}

}  // namespace spindle::schema
