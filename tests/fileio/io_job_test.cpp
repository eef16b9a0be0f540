#include "fileio/io_job.h"

#include <sys/mount.h>

#include <cerrno>
#include <cmath>
#include <set>

#include "core/runner.h"
#include "fileio/engine.h"
#include "fileio/test.h"
#include "tests/fileio/scratch.h"

namespace spindle::fileio {
namespace {

namespace fs = std::filesystem;

// An engine that touches no file: it writes down what it is asked for, and answers as a test tells it to.
struct Trace {
  std::vector<Access> accesses;
  std::int64_t fail_with = 0;  // a negative errno, or a count of bytes
  std::size_t fail_at = SIZE_MAX;
};
thread_local Trace trace;

class TraceEngine final : public Engine {
 public:
  explicit TraceEngine(std::uint32_t depth) { done_.reserve(depth); }
  void submit(Request& request) override {
    request.result = trace.accesses.size() == trace.fail_at ? trace.fail_with : request.access.length;
    trace.accesses.push_back(request.access);
    pending_.push_back(&request);
  }
  // Asynchronous: completes nothing before it is asked to, and then the newest first.
  std::span<Request* const> reap(std::size_t least, core::Nanoseconds) override {
    done_.clear();
    while (done_.size() < least && !pending_.empty()) {
      done_.push_back(pending_.back());
      pending_.pop_back();
    }
    return done_;
  }

 private:
  std::vector<Request*> pending_, done_;
};

const core::Register<EnginePlugin> kRegistered{"test-trace",
                                               {"writes down what it is asked for", 64, [](const EngineSetup& setup) {
                                                  return std::make_unique<TraceEngine>(setup.depth);
                                                }}};

class IoJobs : public testing::Test {
 protected:
  void SetUp() override {
    trace = {};
    prepare_quietly(small_options(scratch_.path()));
  }
  Options traced(const std::string& test) {
    Options options = small_options(scratch_.path(), test);
    options.engine = "test-trace";
    options.sync_frequency = 0;
    return options;
  }
  static std::string kinds() {
    std::string text;
    for (const Access& access : trace.accesses) {
      text += access.kind == AccessKind::read ? 'R' : access.kind == AccessKind::write ? 'W' : 's';
    }
    return text;
  }
  std::string step_error(const Options& options) {
    const auto job = make_job(options);
    SteppedWorker worker(*job);
    return message_of<std::runtime_error>([&] { worker.step(10); });
  }

  ScratchDirectory scratch_;
};

TEST_F(IoJobs, ReadsAndWritesMoveTheirBytes) {
  const auto job = make_job(small_options(scratch_.path(), "rndrw"));
  SteppedWorker worker(*job);
  worker.step(50);
  const auto snapshot = worker.snapshot();
  EXPECT_EQ(operation(*job, snapshot, "read").service.count, 30U);
  EXPECT_EQ(operation(*job, snapshot, "read").bytes, 30U * 16384);
  EXPECT_EQ(operation(*job, snapshot, "write").service.count, 20U);
  EXPECT_EQ(operation(*job, snapshot, "write").bytes, 20U * 16384);
  EXPECT_EQ(snapshot.accounts, (core::Accounts{50, 50, 0, 0}));
}

TEST_F(IoJobs, AReadTestKnowsNeitherWritesNorSyncs) {
  const auto schema = make_job(small_options(scratch_.path(), "rndrd"))->schema();
  ASSERT_EQ(schema.operations.size(), 1U);
  EXPECT_EQ(schema.operations[0].name, "read");
  EXPECT_EQ(schema.operations[0].role, core::OperationRole::unit);
}

TEST_F(IoJobs, AWriteChangesItsBlockAndNothingElse) {
  const std::string before = read_file(scratch_.path() / "test_file.0");
  const auto job = make_job(small_options(scratch_.path(), "seqrewr"));
  SteppedWorker worker(*job);
  worker.step(2);
  const std::string after = read_file(scratch_.path() / "test_file.0");
  ASSERT_EQ(after.size(), before.size());
  EXPECT_NE(after.substr(0, 16384), before.substr(0, 16384));
  EXPECT_NE(after.substr(0, 16384), after.substr(16384, 16384));
  EXPECT_EQ(after.substr(32768), before.substr(32768));
}

TEST_F(IoJobs, NoTwoSectorsThatAreWrittenAreEqual) {
  const auto job = make_job(small_options(scratch_.path(), "seqrewr"));
  SteppedWorker worker(*job);
  worker.step(64);  // one lap
  std::set<std::string> sectors;
  for (const char* name : {"test_file.0", "test_file.1", "test_file.2", "test_file.3"}) {
    const std::string content = read_file(scratch_.path() / name);
    for (std::size_t at = 0; at < content.size(); at += 512) sectors.insert(content.substr(at, 512));
  }
  EXPECT_EQ(sectors.size(), (1U << 20) / 512);
}

TEST_F(IoJobs, SequentialCreationStartsFromEmptyFiles) {
  const auto job = make_job(small_options(scratch_.path(), "seqwr"));
  SteppedWorker worker(*job);
  EXPECT_EQ(fs::file_size(scratch_.path() / "test_file.3"), 0U);
  worker.step(3);
  EXPECT_EQ(fs::file_size(scratch_.path() / "test_file.0"), 3U * 16384);
  EXPECT_CONTAINS(message_of<std::runtime_error>([&] { make_job(small_options(scratch_.path(), "seqrd")); }),
                  "has 49,152 bytes, and 262,144 are needed");
  worker.step(61);
  worker.drain();
  check_files(small_options(scratch_.path()));
}

TEST_F(IoJobs, SyncsTheDirtyFilesAfterEveryNWrites) {
  Options options = traced("seqrewr");
  options.sync_frequency = 20;  // files have 16 blocks: the first 20 writes touch files 0 and 1
  const auto job = make_job(options);
  SteppedWorker worker(*job);
  worker.step(39);
  EXPECT_EQ(kinds(), std::string(20, 'W') + "ss" + std::string(19, 'W'));
  worker.step(1);
  EXPECT_EQ(kinds(), std::string(20, 'W') + "ss" + std::string(20, 'W') + "ss");
  const auto snapshot = worker.snapshot();
  EXPECT_EQ(operation(*job, snapshot, "fsync").service.count, 4U);
  EXPECT_EQ(snapshot.accounts, (core::Accounts{40, 40, 0, 0}));  // a sync is no unit
}

TEST_F(IoJobs, SyncScopesAllAndWrittenCoverThoseFiles) {
  Options options = traced("seqrewr");
  options.sync_frequency = 20;
  options.sync_scope = SyncScope::all;
  const auto all_job = make_job(options);
  SteppedWorker all(*all_job);
  all.step(20);
  EXPECT_EQ(kinds(), std::string(20, 'W') + "ssss");
  all.drain();
  EXPECT_EQ(kinds(), std::string(20, 'W') + "ssss");  // nothing is dirty any more

  trace = {};
  options.sync_scope = SyncScope::written;
  const auto written_job = make_job(options);
  SteppedWorker written(*written_job);
  written.step(20);
  EXPECT_EQ(kinds(), std::string(20, 'W') + "s");
  EXPECT_EQ(trace.accesses.back().file, 1U);
}

TEST_F(IoJobs, SyncsAtTheEndUnlessToldNotTo) {
  Options options = traced("rndwr");
  const auto job = make_job(options);
  SteppedWorker worker(*job);
  worker.step(1);
  worker.drain();
  EXPECT_EQ(kinds(), "Ws");

  trace = {};
  options.sync_at_end = SyncAtEnd::no;
  const auto careless_job = make_job(options);
  SteppedWorker careless(*careless_job);
  careless.step(1);
  careless.drain();
  EXPECT_EQ(kinds(), "W");
}

TEST_F(IoJobs, ReadsNeedNoSync) {
  Options options = traced("rndrd");
  options.sync_frequency = 1;
  const auto job = make_job(options);
  SteppedWorker worker(*job);
  worker.step(3);
  worker.drain();
  EXPECT_EQ(kinds(), "RRR");
}

TEST_F(IoJobs, AnAsynchronousEngineKeepsDepthMinusOneInFlightBetweenSteps) {
  Options options = traced("rndrd");
  options.iodepth = 4;
  const auto job = make_job(options);
  SteppedWorker worker(*job);
  worker.step(3);
  EXPECT_EQ(worker.snapshot().accounts.in_flight(), 3);
  worker.step(7);
  EXPECT_EQ(worker.snapshot().accounts.in_flight(), 3);
  worker.drain();
  EXPECT_EQ(worker.snapshot().accounts, (core::Accounts{10, 10, 0, 0}));
  EXPECT_EQ(operation(*job, worker.snapshot(), "read").service.count, 10U);
}

TEST_F(IoJobs, WaitingReapsWhatIsInFlight) {
  Options options = traced("rndrd");
  options.iodepth = 4;
  const auto job = make_job(options);
  SteppedWorker worker(*job);
  worker.step(2);
  worker.worker().wait_until(core::now() + std::chrono::milliseconds(1), worker.recorder());
  EXPECT_EQ(worker.snapshot().accounts.in_flight(), 0);
}

TEST_F(IoJobs, ASyncWaitsForTheWritesBeforeIt) {
  Options options = traced("rndwr");
  options.iodepth = 8;
  options.sync_frequency = 5;
  const auto job = make_job(options);
  SteppedWorker worker(*job);
  worker.step(12);
  // 7 of 8 stay in flight until the 8th submission; the fifth completion comes with the twelfth write.
  const std::size_t first_sync = kinds().find('s');
  ASSERT_EQ(first_sync, 12U);
  EXPECT_EQ(worker.snapshot().accounts.in_flight(), 0);
}

TEST_F(IoJobs, AnInterruptedWorkerThrowsInsteadOfWaiting) {
  Options options = traced("rndrd");
  options.iodepth = 4;
  const auto job = make_job(options);
  SteppedWorker worker(*job);
  worker.step(3);
  worker.worker().interrupt();
  EXPECT_THROW(worker.step(1), std::runtime_error);
}

TEST_F(IoJobs, TheSameSeedGivesTheSameRequests) {
  const Options options = traced("rndrw");
  const auto one_job = make_job(options);
  SteppedWorker(*one_job, 3).step(100);
  const std::vector<Access> first = std::exchange(trace, {}).accesses;
  const auto two_job = make_job(options);
  SteppedWorker(*two_job, 3).step(100);
  EXPECT_EQ(first, trace.accesses);
}

TEST_F(IoJobs, AnInputOutputErrorNamesFileAndOffset) {
  trace.fail_at = 1;
  trace.fail_with = -EIO;
  const Options options = traced("seqrd");
  const auto job = make_job(options);
  SteppedWorker worker(*job);
  EXPECT_EQ(message_of<std::runtime_error>([&] { worker.step(5); }),
            "cannot read '" + scratch_.path().string() + "/test_file.0' at offset 16384: Input/output error");
  EXPECT_EQ(worker.snapshot().accounts, (core::Accounts{2, 1, 1, 0}));
  EXPECT_EQ(operation(*job, worker.snapshot(), "read").errors, 1U);
  EXPECT_EQ(operation(*job, worker.snapshot(), "read").service.count, 1U);
}

TEST_F(IoJobs, AShortWriteIsAnError) {
  trace.fail_at = 0;
  trace.fail_with = 4096;
  EXPECT_CONTAINS(step_error(traced("seqrewr")), "at offset 0: 4096 of 16384 bytes were transferred");
}

TEST_F(IoJobs, AFailedSyncEndsTheRun) {
  Options options = traced("seqrewr");
  options.sync_frequency = 1;
  trace.fail_at = 1;
  trace.fail_with = -EIO;
  EXPECT_EQ(step_error(options), "cannot sync '" + scratch_.path().string() + "/test_file.0': Input/output error");
}

TEST_F(IoJobs, AVanishedFileIsToldAsSuch) {
  trace.fail_at = 0;
  trace.fail_with = -ESTALE;
  EXPECT_CONTAINS(step_error(traced("seqrd")), "the file was removed while it was measured");
}

TEST_F(IoJobs, AFileRemovedMeanwhileIsToldAtTheEnd) {
  const auto job = make_job(small_options(scratch_.path(), "rndrd"));
  SteppedWorker worker(*job);
  fs::remove(scratch_.path() / "test_file.2");
  worker.step(5);
  EXPECT_CONTAINS(message_of<std::runtime_error>([&] { worker.drain(); }), "test_file.2");
}

TEST_F(IoJobs, AFileCutShortMeanwhileEndsTheRun) {
  const auto job = make_job(small_options(scratch_.path(), "seqrd"));
  SteppedWorker worker(*job);
  fs::resize_file(scratch_.path() / "test_file.0", 20000);
  EXPECT_CONTAINS(message_of<std::runtime_error>([&] { worker.step(2); }),
                  "test_file.0' at offset 16384: 3616 of 16384 bytes were transferred");
}

TEST_F(IoJobs, WithoutFilesThereIsNoJob) {
  cleanup(small_options(scratch_.path()));
  EXPECT_CONTAINS(message_of<std::runtime_error>([&] { make_job(small_options(scratch_.path(), "rndrd")); }),
                  "make them with spindle fileio prepare");
}

TEST_F(IoJobs, TheRunnerRunsIt) {
  const auto job = make_job(small_options(scratch_.path(), "rndrw"));
  core::Load load;
  load.threads = 4;
  load.events = 1000;
  const core::StopRequest stop;
  const core::RunResult result = core::run(*job, load, stop);
  EXPECT_EQ(result.end, core::EndReason::completed) << result.error;
  EXPECT_EQ(result.accounts, (core::Accounts{1000, 1000, 0, 0}));
}

TEST_F(IoJobs, AFullDiskEndsTheRunAndKeepsTheFigures) {
  ScratchDirectory mount_point;
  if (mount("spindle-test", mount_point.path().c_str(), "tmpfs", 0, "size=4m") != 0) GTEST_SKIP() << "may not mount";
  struct Unmount {
    fs::path path;
    ~Unmount() { umount2(path.c_str(), MNT_DETACH); }
  } const unmount{mount_point.path()};
  prepare_quietly(small_options(mount_point.path()));
  {
    const auto job = make_job(small_options(mount_point.path(), "seqwr"));
    SteppedWorker worker(*job);
    write_file(mount_point.path() / "filler", std::string((4 << 20) - 128 * 1024, 'f'));
    EXPECT_CONTAINS(message_of<std::runtime_error>([&] { worker.step(64); }),
                    "cannot write '" + mount_point.path().string() + "/test_file.0' at offset ");
    EXPECT_GT(worker.snapshot().accounts.committed, 0U);
  }
  EXPECT_EQ(cleanup(small_options(mount_point.path())).files_removed, 4U);
}

// --- every registered test
// ---------------------------------------------------------------------------------------------

class EveryTest : public IoJobs, public testing::WithParamInterface<std::string> {};

TEST_P(EveryTest, StaysWithinTheFilesInWholeBlocks) {
  const Options options = traced(GetParam());
  const Layout layout = layout_of(options);
  const auto job = make_job(options);
  SteppedWorker first(*job, 0), second(*job, 1);
  first.step(200);
  second.step(200);
  ASSERT_EQ(trace.accesses.size(), 400U);
  for (const Access& access : trace.accesses) {
    ASSERT_LT(access.file, layout.file_num);
    ASSERT_EQ(access.offset % layout.block_bytes, 0U);
    ASSERT_EQ(access.length, layout.block_bytes);
    ASSERT_LE(access.offset + access.length, layout.file_bytes);
  }
}

TEST_P(EveryTest, BalancesItsAccountsOnRealFiles) {
  const auto job = make_job(small_options(scratch_.path(), GetParam()));
  SteppedWorker worker(*job);
  worker.step(300);
  worker.drain();
  const auto snapshot = worker.snapshot();
  EXPECT_EQ(snapshot.accounts, (core::Accounts{300, 300, 0, 0}));
  const auto read = operation(*job, snapshot, "read"), write = operation(*job, snapshot, "write");
  EXPECT_EQ(read.service.count + write.service.count, 300U);
  EXPECT_EQ(read.bytes + write.bytes, 300U * 16384);
}

TEST_P(EveryTest, HasADescription) {
  EXPECT_FALSE(core::Registry<TestPlugin>::instance().find(GetParam())->description.empty());
}

INSTANTIATE_TEST_SUITE_P(Registry, EveryTest, testing::ValuesIn([] {
                           std::vector<std::string> names;
                           for (const std::string& name : core::Registry<TestPlugin>::instance().names()) {
                             if (core::Registry<TestPlugin>::instance().find(name)->files == Preparing::needed)
                               names.push_back(name);
                           }
                           return names;
                         }()),
                         [](const auto& test) { return test.param; });

}  // namespace
}  // namespace spindle::fileio
