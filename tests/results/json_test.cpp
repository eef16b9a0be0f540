#include "results/json.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <stdexcept>

#include "tests/support/sample_result.h"

namespace spindle::results {
namespace {

// A result in which every field holds something of its own.
Result full_result() {
  Result result = testing::make_frame();
  result.command = "spindle compare a=/x b=/y";
  Target& target = result.targets[0];
  target.overrides = {{"innodb_io_capacity", "2000"}};
  target.notes = {"tmpfs: O_DIRECT has no effect", "second \"note\"\n"};
  results::Run& run = testing::add_run(result, {.target = 1,
                                                .cell = {CellKind::oltp, "read_write", 16},
                                                .round = 3,
                                                .per_second = 77,
                                                .seconds = 12.5,
                                                .deadlocks = 4});
  run.sequence = 9;
  run.end = "failed";
  run.error = "Lost connection (2013)";
  run.loop = core::LoopKind::open;
  run.total.data.operations[0].response = testing::log_normal(40, 3.0);
  run.total.data.operations[0].response.overflow = 2;
  run.total.data.operations[0].response.count += 2;
  run.total.data.operations[0].bytes = 11;
  run.accounts = {100, 90, 7, 2};
  run.late = 5;
  run.client_cpu_seconds = 1.0 / 3;
  run.cut_off = true;
  run.intervals = {{.begin_s = 0.1,
                    .end_s = 1.1,
                    .threads = 16,
                    .units_per_second = 76.5,
                    .queries_per_second = 1530,
                    .reads_per_second = 1071,
                    .p95_ms = 4.25,
                    .max_ms = 9.5,
                    .errors = 3,
                    .counters = {3, 0, 1}}};
  run.rows_before = {{"status", 10000}};
  run.rows_after = {{"status", 10012}};
  run.metrics = {{"disk.read_iops", 1234.5, "1/s"}};
  testing::add_run(result, {.target = 0, .cell = {CellKind::fileio, "rndrd", 64}, .per_second = 5000, .seconds = 2});
  result.comparisons = {{.cell = {CellKind::oltp, "read_write", 16},
                         .first = 0,
                         .other = 1,
                         .rounds = 4,
                         .ratio = 4.1,
                         .low = 3.9,
                         .high = 4.3,
                         .difference = Difference::higher}};
  result.checks = {{"buffer-pool", "the data fit", "more data"}};
  result.verdict = "a is 4.1x faster";
  result.end = "interrupted";
  result.errors = {"read_only on b: skipped"};
  return result;
}

std::string error_of(const std::string& text) {
  try {
    from_json(text);
  } catch (const std::runtime_error& error) {
    return error.what();
  }
  return "no error";
}

// The saved full result with the first occurrence of one text replaced by another.
std::string edited(const std::string& from, const std::string& to) {
  std::string text = to_json(full_result());
  const std::size_t at = text.find(from);
  EXPECT_NE(at, std::string::npos) << from;
  return at == std::string::npos ? text : text.replace(at, from.size(), to);
}

TEST(ResultJson, IsTheSameTextAfterALoad) {
  const std::string text = to_json(full_result());
  EXPECT_EQ(to_json(from_json(text)), text);
}

TEST(ResultJson, KeepsEveryFieldOfTheFrame) {
  const Result loaded = from_json(to_json(full_result()));
  EXPECT_EQ(loaded.schema_version, 1);
  EXPECT_EQ(loaded.command, "spindle compare a=/x b=/y");
  EXPECT_EQ(loaded.environment.spindle_version, "0.1.0");
  EXPECT_EQ(loaded.environment.driver, "libmariadb 3.3.14");
  EXPECT_EQ(loaded.environment.hostname, "db-lab-3");
  EXPECT_EQ(loaded.environment.kernel, "6.1.0-27-amd64");
  EXPECT_EQ(loaded.environment.cpu_model, "Intel(R) Xeon(R) Silver 4210 CPU @ 2.20GHz");
  EXPECT_EQ(loaded.environment.cpus, 20U);
  EXPECT_EQ(loaded.environment.memory_bytes, std::uint64_t{64} << 30);
  EXPECT_EQ(loaded.environment.started_at, "2026-02-03T09:15:00Z");
  EXPECT_EQ(loaded.environment.finished_at, "2026-02-03T10:41:12Z");
  EXPECT_EQ(loaded.options, full_result().options);
  EXPECT_EQ(loaded.verdict, "a is 4.1x faster");
  EXPECT_EQ(loaded.end, "interrupted");
  EXPECT_EQ(loaded.errors, std::vector<std::string>{"read_only on b: skipped"});
  ASSERT_EQ(loaded.checks.size(), 1U);
  EXPECT_EQ(loaded.checks[0].name, "buffer-pool");
  EXPECT_EQ(loaded.checks[0].message, "the data fit");
  EXPECT_EQ(loaded.checks[0].remedy, "more data");
}

TEST(ResultJson, KeepsEveryFieldOfATarget) {
  const Result loaded = from_json(to_json(full_result()));
  ASSERT_EQ(loaded.targets.size(), 2U);
  const Target& target = loaded.targets[0];
  EXPECT_EQ(target.label, "ssd");
  EXPECT_EQ(target.location, "/mnt/ssd");
  EXPECT_EQ(target.server_version, "10.11.14-MariaDB");
  EXPECT_EQ(target.overrides, (Settings{{"innodb_io_capacity", "2000"}}));
  EXPECT_EQ(target.variables.at("innodb_flush_method"), "O_DIRECT");
  EXPECT_EQ(target.notes, (std::vector<std::string>{"tmpfs: O_DIRECT has no effect", "second \"note\"\n"}));
  EXPECT_EQ(target.device.name, "sdb");
  EXPECT_EQ(target.device.model, "SAMSUNG MZ7L31T9");
  EXPECT_EQ(target.device.filesystem, "ext4");
  EXPECT_EQ(target.device.mount_point, "/mnt/ssd");
  EXPECT_EQ(target.device.scheduler, "mq-deadline");
  EXPECT_EQ(target.device.write_cache, "write back");
  EXPECT_FALSE(target.device.rotational);
  EXPECT_TRUE(loaded.targets[1].device.rotational);
  EXPECT_EQ(target.device.size_bytes, std::uint64_t{600} << 30);
  EXPECT_EQ(target.device.id, "8:16");
  EXPECT_EQ(target.device.disks, std::vector<std::string>{"sdb"});
}

TEST(ResultJson, KeepsEveryFieldOfARun) {
  const Result before = full_result();
  const Result loaded = from_json(to_json(before));
  ASSERT_EQ(loaded.runs.size(), 2U);
  const results::Run& run = loaded.runs[0];
  EXPECT_EQ(run.target, 1U);
  EXPECT_EQ(run.cell, (Cell{CellKind::oltp, "read_write", 16}));
  EXPECT_EQ(run.round, 3U);
  EXPECT_EQ(run.sequence, 9U);
  EXPECT_EQ(run.end, "failed");
  EXPECT_EQ(run.error, "Lost connection (2013)");
  EXPECT_EQ(run.loop, core::LoopKind::open);
  EXPECT_EQ(run.accounts, (core::Accounts{100, 90, 7, 2}));
  EXPECT_EQ(run.late, 5U);
  EXPECT_EQ(run.client_cpu_seconds, 1.0 / 3);
  EXPECT_TRUE(run.cut_off);
  EXPECT_EQ(run.rows_before.at("status"), 10000U);
  EXPECT_EQ(run.rows_after.at("status"), 10012U);
  ASSERT_EQ(run.metrics.size(), 1U);
  EXPECT_EQ(run.metrics[0].name, "disk.read_iops");
  EXPECT_EQ(run.metrics[0].value, 1234.5);
  EXPECT_EQ(run.metrics[0].unit, "1/s");
  ASSERT_EQ(run.intervals.size(), 1U);
  EXPECT_EQ(run.intervals[0].begin_s, 0.1);
  EXPECT_EQ(run.intervals[0].end_s, 1.1);
  EXPECT_EQ(run.intervals[0].units_per_second, 76.5);
  EXPECT_EQ(run.intervals[0].queries_per_second, 1530);
  EXPECT_EQ(run.intervals[0].p95_ms, 4.25);
  EXPECT_EQ(run.intervals[0].errors, 3U);
  EXPECT_EQ(run.intervals[0].threads, 16U);
  EXPECT_EQ(run.intervals[0].reads_per_second, 1071);
  EXPECT_EQ(run.intervals[0].max_ms, 9.5);
  EXPECT_EQ(run.intervals[0].counters, (std::vector<std::uint64_t>{3, 0, 1}));
  EXPECT_EQ(loaded.runs[1].cell, (Cell{CellKind::fileio, "rndrd", 64}));
}

TEST(ResultJson, KeepsEveryFieldOfARecording) {
  const Result before = full_result();
  const Result loaded = from_json(to_json(before));
  const results::Run& run = loaded.runs[0];
  ASSERT_EQ(run.schema.operations.size(), 5U);
  EXPECT_EQ(run.schema.operations[0].name, "transaction");
  EXPECT_EQ(run.schema.operations[0].role, core::OperationRole::unit);
  EXPECT_EQ(run.schema.operations[3].type, core::OperationClass::write);
  EXPECT_EQ(run.schema.operations[3].role, core::OperationRole::part);
  EXPECT_EQ(run.schema.counters, (std::vector<std::string>{"deadlock", "lock_wait_timeout", "reconnect"}));
  EXPECT_EQ(run.total.begin, std::chrono::seconds(10));
  EXPECT_EQ(run.total.end, std::chrono::milliseconds(22500));
  EXPECT_EQ(run.total.threads, 16U);
  const core::Snapshot& data = run.total.data;
  EXPECT_EQ(data.operations[0].service, before.runs[0].total.data.operations[0].service);
  EXPECT_EQ(data.operations[0].response, before.runs[0].total.data.operations[0].response);
  EXPECT_EQ(data.operations[0].response.overflow, 2U);
  EXPECT_EQ(data.operations[0].bytes, 11U);
  EXPECT_EQ(data.operations[2].rows, before.runs[0].total.data.operations[2].rows);
  EXPECT_EQ(data.operations[3].errors, 4U);
  EXPECT_EQ(data.counters, (std::vector<std::uint64_t>{4, 0, 0}));
  EXPECT_EQ(data.accounts, before.runs[0].total.data.accounts);
}

TEST(ResultJson, KeepsEveryFieldOfAComparison) {
  const Comparison loaded = from_json(to_json(full_result())).comparisons.at(0);
  EXPECT_EQ(loaded.cell, (Cell{CellKind::oltp, "read_write", 16}));
  EXPECT_EQ(loaded.first, 0U);
  EXPECT_EQ(loaded.other, 1U);
  EXPECT_EQ(loaded.rounds, 4U);
  EXPECT_EQ(loaded.ratio, 4.1);
  EXPECT_EQ(loaded.low, 3.9);
  EXPECT_EQ(loaded.high, 4.3);
  EXPECT_EQ(loaded.difference, Difference::higher);
}

TEST(ResultJson, ComputesTheSummaryAgain) {
  const Result before = full_result();
  const Result loaded = from_json(to_json(before));
  EXPECT_DOUBLE_EQ(loaded.runs[1].summary.units_per_second, 5000);
  EXPECT_EQ(loaded.runs[1].summary.latency.p99_ms, before.runs[1].summary.latency.p99_ms);
  EXPECT_EQ(loaded.runs[0].summary.latency.count, 42U);  // of the open loop's response time
}

TEST(ResultJson, DoesNotSaveTheSummary) { EXPECT_EQ(to_json(full_result()).find("p999"), std::string::npos); }

TEST(ResultJson, SavesAFigureThatIsNotFiniteAsNull) {
  Result result = full_result();
  result.runs[0].metrics[0].value = std::numeric_limits<double>::infinity();
  EXPECT_NE(to_json(result).find(R"("value":null)"), std::string::npos);
  EXPECT_TRUE(std::isnan(from_json(to_json(result)).runs[0].metrics[0].value));
}

TEST(ResultJson, SavesBytesThatAreNoUtf8) {
  Result result = full_result();
  result.errors = {"\xcf\xf0\xe8"};  // cp1251
  EXPECT_EQ(from_json(to_json(result)).errors[0], "\uFFFD\uFFFD\uFFFD");
}

TEST(ResultJson, SavesHistogramsAsStepsAndCounts) {
  Result result = testing::make_frame();
  results::Run& run = testing::add_run(result, {.cell = {CellKind::oltp, "read_only", 1}});
  run.total.data.operations[0].service = {{{5, 2}, {9, 1}}, 3, 0, 21, 9};
  EXPECT_NE(to_json(result).find(R"("service":{"count":3,"overflow":0,"sum_ns":21,"max_ns":9,"buckets":[5,2,4,1]})"),
            std::string::npos);
}

TEST(ResultJson, RefusesWhatIsNotJson) { EXPECT_EQ(error_of("total: 5 tps"), "not JSON (at byte 2)"); }
TEST(ResultJson, RefusesAnEmptyFile) { EXPECT_EQ(error_of("\n"), "it is empty"); }
TEST(ResultJson, RefusesOtherJson) {
  EXPECT_EQ(error_of(R"({"jobs": []})"), "not a result of spindle (no \"format\": \"spindle-result\")");
  EXPECT_EQ(error_of("[1, 2]"), "not a result of spindle (no \"format\": \"spindle-result\")");
  EXPECT_EQ(error_of(R"({"format": 7})"), "not a result of spindle (no \"format\": \"spindle-result\")");
}
TEST(ResultJson, RefusesATruncatedFile) {
  const std::string text = to_json(full_result());
  EXPECT_EQ(error_of(text.substr(0, 1000)), "it ends in the middle, at byte 1000");
  EXPECT_EQ(error_of(text.substr(0, text.size() - 2)),
            "it ends in the middle, at byte " + std::to_string(text.size() - 2));
}
TEST(ResultJson, RefusesANewerVersion) {
  EXPECT_EQ(error_of(edited(R"("schema_version":1)", R"("schema_version":2)")),
            "written by a newer spindle (schema version 2; this one knows 1): update spindle");
}
TEST(ResultJson, NamesTheMissingField) {
  EXPECT_EQ(error_of(edited(R"("threads":16},"round")", R"("thread":16},"round")")),
            "field 'runs[0].cell.threads' is missing");
  EXPECT_EQ(error_of(edited(R"("verdict":)", R"("verdikt":)")), "field 'verdict' is missing");
  EXPECT_EQ(error_of(edited(R"("buckets":)", R"("bucket":)")),
            "field 'runs[0].total.data.operations[0].service.buckets' is missing");
}
TEST(ResultJson, NamesAFieldOfTheWrongType) {
  EXPECT_EQ(error_of(edited(R"("cpus":20)", R"("cpus":"20")")),
            "field 'environment.cpus' should be a whole number from 0 on, and is string");
  EXPECT_EQ(error_of(edited(R"("cpus":20)", R"("cpus":-20)")),
            "field 'environment.cpus' should be a whole number from 0 on, and is number");
  EXPECT_EQ(error_of(edited(R"("rotational":false)", R"("rotational":0)")),
            "field 'targets[0].device.rotational' should be true or false, and is number");
  EXPECT_EQ(error_of(edited(R"("seed":"1")", R"("seed":1)")), "field 'options.seed' should be text, and is number");
  EXPECT_EQ(error_of(edited(R"("errors":["read_only on b: skipped"])", R"("errors":{})")),
            "field 'errors' should be a list, and is object");
}
TEST(ResultJson, RefusesNumbersBeyondTheirField) {
  EXPECT_EQ(error_of(edited(R"("cpus":20)", R"("cpus":4294967296)")),
            "field 'environment.cpus' is too large: 4294967296");
  EXPECT_EQ(error_of(edited(R"("end_ns":22500000000)", R"("end_ns":18446744073709551615)")),
            "field 'runs[0].total.end_ns' is too large: 18446744073709551615");
  EXPECT_EQ(error_of(edited(R"("cpus":20)", R"("cpus":1e999)")),
            "not JSON that can be read: it holds a number beyond all limits");
}
TEST(ResultJson, RefusesUnknownWords) {
  EXPECT_EQ(error_of(edited(R"("loop":"open")", R"("loop":"half")")),
            "field 'runs[0].loop' is 'half'; allowed are 'closed', 'open'");
  EXPECT_EQ(error_of(edited(R"("end":"interrupted")", R"("end":"well")")),
            "field 'end' is 'well'; allowed are 'completed', 'interrupted', 'failed'");
}
TEST(ResultJson, RefusesATargetThatIsNotThere) {
  EXPECT_EQ(error_of(edited(R"("runs":[{"target":1)", R"("runs":[{"target":2)")),
            "field 'runs[0].target' names target 2, and there are 2");
  EXPECT_EQ(error_of(edited(R"("other":1)", R"("other":9)")),
            "field 'comparisons[0].other' names target 9, and there are 2");
}
TEST(ResultJson, RefusesAWindowThatEndsBeforeItBegins) {
  EXPECT_EQ(error_of(edited(R"("end_ns":22500000000)", R"("end_ns":1)")),
            "field 'runs[0].total' ends before it begins");
}
TEST(ResultJson, RefusesARecordingThatDoesNotFitItsSchema) {
  EXPECT_EQ(error_of(edited(R"("counters":[4,0,0])", R"("counters":[4])")),
            "field 'runs[0].total.data.counters' has 1 entries, and the schema 3");
}

// The error of a histogram whose fields are these.
std::string histogram_error(const std::string& count, const std::string& buckets) {
  Result result = testing::make_frame();
  results::Run& run = testing::add_run(result, {.cell = {CellKind::oltp, "read_only", 1}});
  run.total.data.operations[0].service = {{{5, 2}, {9, 1}}, 3, 0, 21, 9};
  std::string text = to_json(result);
  const std::string saved = R"("count":3,"overflow":0,"sum_ns":21,"max_ns":9,"buckets":[5,2,4,1])";
  text.replace(text.find(saved), saved.size(),
               R"("count":)" + count + R"(,"overflow":0,"sum_ns":21,"max_ns":9,"buckets":)" + buckets);
  const std::string error = error_of(text);
  const std::string field = "field 'runs[0].total.data.operations[0].service.buckets' ";
  return error.starts_with(field) ? error.substr(field.size()) : error;
}

TEST(ResultJson, RefusesBucketsBeyondTheLastOne) {
  EXPECT_EQ(histogram_error("3", "[99999999,3]"), "names a bucket beyond the last one");
  EXPECT_EQ(histogram_error("3", "[5,2,18446744073709551615,1]"), "names a bucket beyond the last one");
}
TEST(ResultJson, RefusesBucketsOutOfOrder) { EXPECT_EQ(histogram_error("3", "[5,2,0,1]"), "names a bucket twice"); }
TEST(ResultJson, RefusesHalfAPairOfBuckets) {
  EXPECT_EQ(histogram_error("3", "[5,2,4]"), "should hold pairs, and has an odd length");
}
TEST(ResultJson, RefusesCountsThatDoNotAddUp) {
  EXPECT_EQ(histogram_error("4", "[5,2,4,1]"), "adds up to 3 values with the overflow, and count says 4");
  EXPECT_EQ(histogram_error("3", "[5,18446744073709551615,4,4]"), "adds up to more than 2^64 values");
  EXPECT_EQ(histogram_error("3", "[5,3,4,0]"), "holds an empty bucket");
}

TEST(ResultJson, ReadsAnIntervalOfAnOlderFile) {
  Result result = full_result();
  result.runs[0].intervals[0].counters.clear();
  std::string text = to_json(result);
  const std::string newer = "\"counters\":[]}],\"rows_before\"";
  const std::size_t at = text.find("\"errors\":3," + newer);
  ASSERT_NE(at, std::string::npos);
  text.replace(at, ("\"errors\":3," + newer).size(), "\"errors\":3}],\"rows_before\"");
  EXPECT_EQ(from_json(text).runs[0].intervals[0].errors, 3U);
}

TEST(ResultJson, SurvivesDeepNesting) {
  EXPECT_EQ(error_of(std::string(1'000'000, '[')), "it ends in the middle, at byte 1000000");
  EXPECT_EQ(error_of(std::string(1'000'000, '[') + std::string(1'000'000, ']')),
            "not a result of spindle (no \"format\": \"spindle-result\")");
}

// Each byte of a small file is damaged in turn: an error or a result, never anything else.
TEST(ResultJson, SurvivesDamageAtEveryByte) {
  Result result = testing::make_frame();
  results::Run& run =
      testing::add_run(result, {.cell = {CellKind::oltp, "read_only", 1}, .per_second = 1, .seconds = 2});
  run.intervals = {{}};
  const std::string text = to_json(result);
  std::size_t refused = 0;
  for (std::size_t i = 0; i < text.size(); ++i) {
    std::string damaged = text;
    damaged[i] = damaged[i] == '9' ? '-' : '9';
    if (error_of(damaged) != "no error") ++refused;
  }
  EXPECT_GT(refused, text.size() / 3);
  EXPECT_LT(refused, text.size());
}

}  // namespace
}  // namespace spindle::results
