// The engine "sync": one blocking pread or pwrite at a time.
#include <unistd.h>

#include <cerrno>

#include "fileio/engine.h"

namespace spindle::fileio {
namespace {

class SyncEngine final : public Engine {
 public:
  explicit SyncEngine(const EngineSetup& setup) : descriptors_(setup.descriptors), sync_call_(setup.sync_call) {}

  void submit(Request& request) override {
    do {
      const ssize_t result = perform(request);
      request.result = result < 0 ? -errno : result;
    } while (request.result == -EINTR);
    done_ = &request;
    done_count_ = 1;
  }

  std::span<Request* const> reap(std::size_t, core::Nanoseconds) override {
    return {&done_, std::exchange(done_count_, 0)};
  }

 private:
  ssize_t perform(const Request& request) const {
    const int descriptor = descriptors_[request.access.file];
    const auto offset = static_cast<off_t>(request.access.offset);
    switch (request.access.kind) {
      case AccessKind::read:
        return pread(descriptor, request.data, request.access.length, offset);
      case AccessKind::write:
        return pwrite(descriptor, request.data, request.access.length, offset);
      case AccessKind::sync:
        break;
    }
    return sync_call_ == SyncCall::fsync ? fsync(descriptor) : fdatasync(descriptor);
  }

  const std::span<const int> descriptors_;
  const SyncCall sync_call_;
  Request* done_ = nullptr;
  std::size_t done_count_ = 0;
};

const core::Register<EnginePlugin> kRegistered{"sync", {"blocking pread and pwrite", 1, [](const EngineSetup& setup) {
                                                          return std::make_unique<SyncEngine>(setup);
                                                        }}};

}  // namespace
}  // namespace spindle::fileio
