#include "fileio/options.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <stdexcept>

#include "core/units.h"
#include "fileio/engine.h"
#include "fileio/test.h"

namespace spindle::fileio {
namespace {

constexpr std::uint32_t kMaxFiles = 100'000;
constexpr std::uint32_t kMaxBlockBytes = 1U << 30;  // one system call transfers a little less than 2 GiB at most
constexpr std::uint32_t kMaxDepth = 4096;

template <class Plugin>
const Plugin& find_plugin(const std::string& option, const std::string& name) {
  const auto& registry = core::Registry<Plugin>::instance();
  if (const Plugin* plugin = registry.find(name)) return *plugin;
  throw std::invalid_argument(
      fmt::format("unknown {} '{}': one of {}", option, name, fmt::join(registry.names(), ", ")));
}

}  // namespace

Layout layout_of(const Options& options) {
  if (options.file_num < 1 || options.file_num > kMaxFiles) {
    throw std::invalid_argument(fmt::format("file-num {}: from 1 to {}", options.file_num, kMaxFiles));
  }
  if (options.block_bytes < 1 || options.block_bytes > kMaxBlockBytes) {
    throw std::invalid_argument(
        fmt::format("file-block-size {}: from 1 to {}", options.block_bytes, core::format_size(kMaxBlockBytes)));
  }
  Layout layout{options.file_num, options.total_bytes / options.file_num, options.block_bytes};
  layout.file_bytes -= layout.file_bytes % layout.block_bytes;
  if (layout.file_bytes == 0) {
    throw std::invalid_argument(fmt::format("file-total-size {}: too small for {} files of at least one block of {}",
                                            core::format_size(options.total_bytes), options.file_num,
                                            core::format_size(options.block_bytes)));
  }
  return layout;
}

std::vector<std::string> layout_notes(const Options& options) {
  const Layout layout = layout_of(options);
  if (layout.total_bytes() == options.total_bytes) return {};
  return {fmt::format("file-total-size {} is rounded to {} bytes: {} files of {} whole blocks of {}",
                      core::format_size(options.total_bytes), core::format_count(layout.total_bytes()), layout.file_num,
                      core::format_count(layout.blocks_per_file()), core::format_size(layout.block_bytes))};
}

void validate_run(const Options& options) {
  layout_of(options);
  find_plugin<TestPlugin>("file-test-mode", options.test);
  const EnginePlugin& engine = find_plugin<EnginePlugin>("file-io-mode", options.engine);
  if (options.iodepth < 1 || options.iodepth > kMaxDepth) {
    throw std::invalid_argument(fmt::format("iodepth {}: from 1 to {}", options.iodepth, kMaxDepth));
  }
  if (options.iodepth > engine.max_depth) {
    throw std::invalid_argument(
        fmt::format("iodepth {}: the engine '{}' has at most {} in flight per thread; use more "
                    "threads or an asynchronous engine",
                    options.iodepth, options.engine, engine.max_depth));
  }
  if (!(options.read_write_ratio >= 0)) {
    throw std::invalid_argument(fmt::format("file-rw-ratio {}: 0 or more", options.read_write_ratio));
  }
}

std::string prepare_command(const Options& options) {
  return fmt::format("spindle fileio prepare --dir '{}' --file-num {} --file-total-size {} --file-block-size {}{}",
                     options.directory.string(), options.file_num, options.total_bytes, options.block_bytes,
                     options.caching == Caching::buffered ? " --buffered" : "");
}

}  // namespace spindle::fileio
