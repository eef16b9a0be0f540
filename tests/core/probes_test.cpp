// The monitors' arithmetic and parsers on literal texts of the kernel, and each registered probe on this machine.
#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>

#include "core/device.h"
#include "core/host.h"
#include "core/probe.h"
#include "core/probes/block_device.h"
#include "core/probes/cpu.h"
#include "core/text_file.h"

namespace spindle::core {
namespace {

namespace fs = std::filesystem;
using std::chrono::seconds;

double value_of(const std::vector<Metric>& metrics, const std::string& name) {
  for (const Metric& metric : metrics) {
    if (metric.name == name) return metric.value;
  }
  ADD_FAILURE() << "no metric " << name;
  return -1;
}

bool has(const std::vector<Metric>& metrics, const std::string& name) {
  return std::any_of(metrics.begin(), metrics.end(), [&](const Metric& metric) { return metric.name == name; });
}

// A directory opens and then cannot be read, as the file of a process that has just ended.
TEST(TextFile, WhatOpensAndCannotBeReadIsEmpty) { EXPECT_EQ(read_text("/proc"), ""); }

TEST(BlockStat, ReadsTheFieldsOfARecentKernel) {
  const auto c = parse_block_stat(
      "   42852     6187  1255610     7157    39116     7484  2572336    12520        0     9580    21312     3777     "
      "   "
      "0   547776      518     3611     1116\n");
  ASSERT_TRUE(c);
  EXPECT_EQ(*c, (BlockCounters{42852, 1255610, 7157, 39116, 2572336, 12520, 9580, 21312, 3611}));
}

TEST(BlockStat, KernelsBeforeFlushCountersHaveNone) {
  const auto c = parse_block_stat("10 0 80 5 20 0 160 40 0 30 45\n");
  ASSERT_TRUE(c);
  EXPECT_EQ(*c, (BlockCounters{10, 80, 5, 20, 160, 40, 30, 45, std::nullopt}));
}

TEST(BlockStat, RejectsATextThatIsNoCounters) {
  EXPECT_FALSE(parse_block_stat(""));
  EXPECT_FALSE(parse_block_stat("1 2 3\n"));
  EXPECT_FALSE(parse_block_stat("1 2 3 4 x 6 7 8 9 10 11\n"));
}

TEST(BlockMetrics, AreDifferencesOverTheTimeBetween) {
  const BlockCounters earlier{1000, 32000, 500, 100, 3200, 90, 4000, 9000, 10};
  // In two seconds: 400 reads of 16 KiB in 800 ms, 200 writes of 32 KiB in 1,000 ms, busy for 1 s, 4 s weighted.
  const BlockCounters later{1400, 44800, 1300, 300, 16000, 1090, 5000, 13000, 40};
  const auto metrics = block_metrics(earlier, later, seconds(2));
  EXPECT_DOUBLE_EQ(value_of(metrics, "disk.read_iops"), 200);
  EXPECT_DOUBLE_EQ(value_of(metrics, "disk.write_iops"), 100);
  EXPECT_DOUBLE_EQ(value_of(metrics, "disk.read_rate"), 3.125);
  EXPECT_DOUBLE_EQ(value_of(metrics, "disk.write_rate"), 3.125);
  EXPECT_DOUBLE_EQ(value_of(metrics, "disk.read_await"), 2);
  EXPECT_DOUBLE_EQ(value_of(metrics, "disk.write_await"), 5);
  EXPECT_DOUBLE_EQ(value_of(metrics, "disk.queue"), 2);
  EXPECT_DOUBLE_EQ(value_of(metrics, "disk.utilisation"), 50);
  EXPECT_DOUBLE_EQ(value_of(metrics, "disk.flushes"), 15);
}

TEST(BlockMetrics, AnIdleDiskHasNoAwait) {
  const BlockCounters idle{1000, 32000, 500, 100, 3200, 90, 4000, 9000, 10};
  const auto metrics = block_metrics(idle, idle, seconds(1));
  EXPECT_FALSE(has(metrics, "disk.read_await"));
  EXPECT_FALSE(has(metrics, "disk.write_await"));
  EXPECT_DOUBLE_EQ(value_of(metrics, "disk.utilisation"), 0);
}

TEST(BlockMetrics, UtilisationStaysWithin100Percent) {
  EXPECT_DOUBLE_EQ(value_of(block_metrics({}, {0, 0, 0, 0, 0, 0, 1004, 0, {}}, seconds(1)), "disk.utilisation"), 100);
}

TEST(MachineTicks, CountIowaitAsIdleAndGuestTimeOnce) {
  // user nice system idle iowait irq softirq steal guest guest_nice
  const auto ticks = parse_machine_ticks("cpu  100 20 30 700 50 1 2 97 40 10\ncpu0 1 2 3 4\n");
  ASSERT_TRUE(ticks);
  EXPECT_EQ(*ticks, (MachineTicks{153, 97, 1000}));
  EXPECT_FALSE(parse_machine_ticks("intr 1 2 3\n"));
}

TEST(ProcessTicks, SurviveBlanksAndBracketsInTheName) {
  EXPECT_EQ(parse_process_ticks("4711 (my (sql) d) S 1 4711 4711 0 -1 4194304 90 0 5 0 1200 34 0 0 20 0 38 0 1000"),
            1234U);
  EXPECT_FALSE(parse_process_ticks(""));
}

TEST(Mountinfo, KnowsTypeSourceAndBothKindsOfOptions) {
  const auto mounts = parse_mountinfo(
      "26 1 254:0 / / rw,relatime shared:1 master:2 - ext4 /dev/vda rw,discard\n"
      "24 23 0:22 / /dev/shm rw,nosuid - tmpfs tmpfs rw,size=4k\n"
      "not a mount\n"
      "50 26 8:1 / /mnt/my\\040disk ro - xfs /dev/sda1 ro\n");
  ASSERT_EQ(mounts.size(), 3U);
  EXPECT_EQ(mounts[0].id, "254:0");
  EXPECT_EQ(mounts[0].filesystem, "ext4");
  EXPECT_EQ(mounts[0].source, "/dev/vda");
  EXPECT_EQ(mounts[0].options, "rw,relatime,discard");
  EXPECT_EQ(mounts[1].options, "rw,nosuid,size=4k");
  EXPECT_EQ(mounts[2].mount_point, "/mnt/my disk");
}

TEST(Mountinfo, APathLiesOnTheLongestAndLastMount) {
  const auto mounts = parse_mountinfo(
      "1 0 8:0 / / rw - ext4 /dev/sda rw\n"
      "2 1 8:16 / /mnt/a rw - ext4 /dev/sdb rw\n"
      "3 1 8:32 / /mnt/a rw - xfs /dev/sdc rw\n");
  EXPECT_EQ(mount_of(mounts, "/mnt/a/x")->source, "/dev/sdc");
  EXPECT_EQ(mount_of(mounts, "/mnt/a")->source, "/dev/sdc");
  EXPECT_EQ(mount_of(mounts, "/mnt/ab")->source, "/dev/sda");
  EXPECT_EQ(mount_of({}, "/"), nullptr);
}

TEST(Scheduler, IsTheOneInBrackets) {
  EXPECT_EQ(parse_scheduler("none [mq-deadline] kyber bfq"), "mq-deadline");
  EXPECT_EQ(parse_scheduler("[none]"), "none");
  EXPECT_EQ(parse_scheduler("none"), "none");
}

// A sysfs with the disks sda (partition sda1) and sdb, and dm-0 on top of sda1 and sdb.
class Sysfs : public testing::Test {
 protected:
  void SetUp() override {
    char name[] = "/tmp/spindle-sysfs-XXXXXX";
    ASSERT_NE(mkdtemp(name), nullptr);
    root_ = name;
    write("devices/sda/dev", "8:0\n");
    write("devices/sda/device/model", "SAMSUNG 970   \n");
    write("devices/sda/queue/rotational", "0\n");
    write("devices/sda/queue/scheduler", "[none] bfq\n");
    write("devices/sda/queue/write_cache", "write back\n");
    write("devices/sda/queue/logical_block_size", "512\n");
    write("devices/sda/sda1/partition", "1\n");
    write("devices/sda/sda1/dev", "8:1\n");
    write("devices/sdb/dev", "8:16\n");
    write("devices/sdb/queue/rotational", "1\n");
    write("devices/dm-0/dev", "252:0\n");
    write("devices/dm-0/queue/rotational", "1\n");
    write("devices/dm-0/queue/logical_block_size", "4096\n");
    link("devices/sda/sda1", "devices/dm-0/slaves/sda1");
    link("devices/sdb", "devices/dm-0/slaves/sdb");
    link("devices/sda", "dev/block/8:0");
    link("devices/sda/sda1", "dev/block/8:1");
    link("devices/dm-0", "dev/block/252:0");
  }
  void TearDown() override { fs::remove_all(root_); }

  void write(const std::string& path, const std::string& text) {
    fs::create_directories((root_ / path).parent_path());
    std::ofstream(root_ / path) << text;
  }
  void link(const std::string& target, const std::string& path) {
    fs::create_directories((root_ / path).parent_path());
    fs::create_directory_symlink(root_ / target, root_ / path);
  }

  fs::path root_;
};

TEST_F(Sysfs, APartitionIsDescribedByItsWholeDisk) {
  DeviceInfo device;
  describe_block_device(root_, "8:1", device);
  EXPECT_TRUE(device.block_device);
  EXPECT_EQ(device.name, "sda");
  EXPECT_EQ(device.id, "8:0");
  EXPECT_EQ(device.disks, std::vector<std::string>{"sda"});
  EXPECT_EQ(device.model, "SAMSUNG 970");
  EXPECT_FALSE(device.rotational);
  EXPECT_EQ(device.scheduler, "none");
  EXPECT_EQ(device.write_cache, "write back");
  EXPECT_EQ(device.logical_sector_bytes, 512U);
}

TEST_F(Sysfs, AStackNamesTheDisksBeneath) {
  DeviceInfo device;
  describe_block_device(root_, "252:0", device);
  EXPECT_EQ(device.name, "dm-0");
  EXPECT_EQ(device.disks, (std::vector<std::string>{"sda", "sdb"}));
  EXPECT_TRUE(device.rotational);
  EXPECT_EQ(device.logical_sector_bytes, 4096U);
  EXPECT_EQ(device.model, "");
}

TEST_F(Sysfs, AnUnknownDeviceIsLeftAsItWas) {
  DeviceInfo device;
  device.name = "tmpfs";
  describe_block_device(root_, "0:22", device);
  EXPECT_FALSE(device.block_device);
  EXPECT_EQ(device.name, "tmpfs");
}

TEST(Device, TellsFileSystemAndSpaceOfAPath) {
  const DeviceInfo device = device_info("/proc");
  EXPECT_EQ(device.filesystem, "proc");
  EXPECT_EQ(device.mount_point, "/proc");
  EXPECT_FALSE(device.block_device);
  EXPECT_EQ(device.name, "proc");
  EXPECT_GT(device_info("/tmp").size_bytes, device_info("/tmp").free_bytes);
}

TEST(Device, AMissingPathIsNamed) {
  try {
    device_info("/no/such/place");
    FAIL() << "no error";
  } catch (const std::runtime_error& error) {
    EXPECT_STREQ(error.what(), "cannot inspect '/no/such/place': No such file or directory");
  }
}

TEST(Device, TmpfsIsMemoryAndProcIsNot) {
  if (!fs::exists("/dev/shm") || device_info("/dev/shm").filesystem != "tmpfs") GTEST_SKIP() << "no tmpfs at /dev/shm";
  EXPECT_TRUE(is_memory_filesystem("/dev/shm"));
  EXPECT_FALSE(is_memory_filesystem("/proc"));
  EXPECT_FALSE(is_memory_filesystem("/no/such/place"));
}

TEST(Host, KnowsItself) {
  const HostInfo host = host_info();
  EXPECT_FALSE(host.hostname.empty());
  EXPECT_EQ(host.kernel.substr(0, 6), "Linux ");
  EXPECT_GE(host.cpus, 1U);
  EXPECT_GT(host.memory_bytes, 64U << 20);
}

TEST(Host, ReadsTheCpuModel) {
  EXPECT_EQ(parse_cpu_model("processor\t: 0\nmodel\t\t: 85\nmodel name\t: Intel(R) Xeon(R)\n"), "Intel(R) Xeon(R)");
  EXPECT_EQ(parse_cpu_model("processor\t: 0\ncpu\t\t: POWER9\n"), "POWER9");
  EXPECT_EQ(parse_cpu_model("processor\t: 0\nCPU part\t: 0xd0c\n"), "");
}

class EveryProbe : public testing::TestWithParam<std::string> {
 protected:
  std::unique_ptr<Probe> make(const ProbeContext& context) {
    return (*Registry<ProbeFactory>::instance().find(GetParam()))(context);
  }
};

TEST_P(EveryProbe, MeasuresThisMachine) {
  auto probe = make({"/var/tmp", getpid()});
  if (!probe) GTEST_SKIP() << "nothing to observe here";
  EXPECT_EQ(probe->name(), GetParam());
  const ProbeSample earlier = probe->sample();
  ProbeSample later = probe->sample();
  later.time = earlier.time + seconds(1);
  for (const Metric& metric : probe->metrics(earlier, later)) {
    EXPECT_FALSE(metric.name.empty());
    EXPECT_GE(metric.value, 0) << metric.name;
  }
}

TEST_P(EveryProbe, TwoEqualSamplesGiveNoActivity) {
  auto probe = make({"/var/tmp", getpid()});
  if (!probe) GTEST_SKIP() << "nothing to observe here";
  const ProbeSample earlier = probe->sample();
  ProbeSample later = earlier;
  later.time += seconds(1);
  for (const Metric& metric : probe->metrics(earlier, later)) EXPECT_EQ(metric.value, 0) << metric.name;
}

TEST_P(EveryProbe, SurvivesAServerThatIsGone) {
  // No process has the largest number that the type holds.
  auto probe = make({"/no/such/place", 0x7fffffff});
  if (!probe) return;
  const ProbeSample sample = probe->sample();
  ProbeSample later = sample;
  later.time += seconds(1);
  EXPECT_FALSE(has(probe->metrics(sample, later), "server.cpu"));
}

INSTANTIATE_TEST_SUITE_P(Registry, EveryProbe, testing::ValuesIn(Registry<ProbeFactory>::instance().names()),
                         [](const auto& probe) { return probe.param; });

TEST(CpuProbe, GivesServerAndClientInPercentOfOneCpu) {
  const auto probes = make_probes({"", getpid()});
  ASSERT_EQ(probes.size(), 1U);  // a path that is not known has no block device
  ProbeSample earlier = probes[0]->sample();
  ProbeSample later = earlier;
  later.time += seconds(1);
  const auto half_a_second = static_cast<std::uint64_t>(sysconf(_SC_CLK_TCK)) / 2;
  later.counters[1][0] += half_a_second;
  later.counters[0][0] += 50;
  later.counters[0][1] += 10;
  later.counters[0][2] += 200;
  const auto metrics = probes[0]->metrics(earlier, later);
  EXPECT_DOUBLE_EQ(value_of(metrics, "server.cpu"), 50);
  EXPECT_DOUBLE_EQ(value_of(metrics, "client.cpu"), 0);
  EXPECT_DOUBLE_EQ(value_of(metrics, "host.cpu"), 25);
  EXPECT_DOUBLE_EQ(value_of(metrics, "host.steal"), 5);
}

}  // namespace
}  // namespace spindle::core
