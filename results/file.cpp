// Saving and loading: whole files or nothing.
#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <stdexcept>

#include "results/json.h"

namespace spindle::results {
namespace {

constexpr std::size_t kMaxBytes = std::size_t{1} << 30;  // a comparison of 1,000 runs takes about 50 MB

[[noreturn]] void fail(const char* verb, const std::string& path, const std::string& why) {
  throw std::runtime_error(fmt::format("cannot {} '{}': {}", verb, path, why));
}

class File {
 public:
  explicit File(int descriptor) : descriptor_(descriptor) {}
  ~File() { close(); }
  File(const File&) = delete;
  File& operator=(const File&) = delete;
  int get() const { return descriptor_; }
  // Some file systems report a full disk only here.
  bool close() {
    const int descriptor = descriptor_;
    descriptor_ = -1;
    return descriptor < 0 || ::close(descriptor) == 0;
  }

 private:
  int descriptor_;
};

std::string directory_of(const std::string& path) {
  const std::size_t slash = path.rfind('/');
  if (slash == std::string::npos) return ".";
  return slash == 0 ? "/" : path.substr(0, slash);
}

bool write_all(int descriptor, const std::string& text) {
  std::size_t done = 0;
  while (done < text.size()) {
    const ::ssize_t written = ::write(descriptor, text.data() + done, text.size() - done);
    if (written < 0 && errno == EINTR) continue;
    if (written <= 0) return false;
    done += static_cast<std::size_t>(written);
  }
  return true;
}

// A new file beside `path`, with the rights of an ordinary new file. The process id keeps two spindles apart; a number
// is added where one that was killed left its file behind.
int create_beside(const std::string& path, std::string& name) {
  for (int attempt = 0; attempt < 100; ++attempt) {
    name = fmt::format("{}.{}-{}.tmp", path, ::getpid(), attempt);
    const int descriptor = ::open(name.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
    if (descriptor >= 0 || errno != EEXIST) return descriptor;
  }
  return -1;
}

std::string read_all(const std::string& path) {
  File file(::open(path.c_str(), O_RDONLY | O_CLOEXEC));
  if (file.get() < 0) fail("read", path, std::strerror(errno));
  std::string text;
  std::string buffer(std::size_t{1} << 18, '\0');
  for (;;) {
    const ::ssize_t got = ::read(file.get(), buffer.data(), buffer.size());
    if (got < 0 && errno == EINTR) continue;
    if (got < 0) fail("read", path, std::strerror(errno));
    if (got == 0) return text;
    text.append(buffer, 0, static_cast<std::size_t>(got));
    if (text.size() > kMaxBytes) fail("read", path, "larger than 1 GiB, so it is not a result of spindle");
  }
}

}  // namespace

void save(const Result& result, const std::string& path) {
  const std::string text = to_json(result);
  std::string temporary;
  File file(create_beside(path, temporary));
  if (file.get() < 0) fail("write", path, std::strerror(errno));
  const bool written = write_all(file.get(), text) && ::fsync(file.get()) == 0 && file.close() &&
                       ::rename(temporary.c_str(), path.c_str()) == 0;
  if (!written) {
    const int error = errno;
    ::unlink(temporary.c_str());
    fail("write", path, std::strerror(error));
  }
  // The new name must outlive a power cut as well. A directory that cannot be synced does not make the result worse.
  File directory(::open(directory_of(path).c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
  if (directory.get() >= 0) ::fsync(directory.get());
}

Result load(const std::string& path) {
  const std::string text = read_all(path);
  try {
    return from_json(text);
  } catch (const std::runtime_error& error) {
    fail("read", path, error.what());
  }
}

}  // namespace spindle::results
