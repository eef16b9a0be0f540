// The folder of a throwaway server, and the marker in it that says whose it is: nothing without it is ever deleted.
#pragma once

#include <sys/types.h>

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>

#include "server/child_process.h"
#include "server/server.h"

namespace spindle::server {

// Who made a folder. A process is known by its id, its start time and the boot, as far as its process namespace
// reaches.
struct Owner {
  pid_t process = 0;
  std::uint64_t start_time = 0;  // clock ticks since boot
  std::string boot;
  std::string process_namespace;
  bool operator==(const Owner&) const = default;
};

Owner this_process();
// Whether that process still runs; also true when it cannot be known from here.
bool is_alive(const Owner& owner);

struct Marker {
  Owner owner;
  Keep keep = Keep::nothing;
  std::filesystem::path socket_directory;  // empty when the socket is in the folder
};

// The marker of a folder that spindle made and this user owns; nothing for any other folder.
std::optional<Marker> read_marker(const std::filesystem::path& folder);

// A new folder `spindle-<name>-<random>`, held by a lock on its marker for as long as this object lives.
class ServerFolder {
 public:
  // Throws std::runtime_error that names the directory.
  ServerFolder(const std::filesystem::path& directory, const std::string& name, Keep keep,
               const std::optional<Identity>& identity);
  ~ServerFolder();  // releases the lock; remove() is the caller's decision
  ServerFolder(const ServerFolder&) = delete;
  ServerFolder& operator=(const ServerFolder&) = delete;

  const std::filesystem::path& path() const { return path_; }
  std::filesystem::path data() const { return path_ / "data"; }
  std::filesystem::path temporary() const { return path_ / "tmp"; }
  std::filesystem::path log() const { return path_ / "server.log"; }
  std::filesystem::path process_file() const { return path_ / "server.pid"; }
  std::filesystem::path init_file() const { return path_ / "init.sql"; }
  // In the folder; in a private one below /tmp where the folder's path is too long for a socket's name.
  const std::filesystem::path& socket() const { return socket_; }

  // Writes a file that only its owner can read, owned by the server's user or by spindle's.
  enum class Reader : std::uint8_t { server, spindle };
  void write_private(const std::filesystem::path& file, const std::string& text, Reader reader) const;

 private:
  void give_to_server(const std::filesystem::path& path) const;

  std::filesystem::path path_;
  std::filesystem::path socket_;
  std::optional<Identity> identity_;
  int lock_ = -1;
};

// Deletes a marked folder and its socket directory, the marker last. Throws std::runtime_error; does nothing without a
// marker.
void remove_folder(const std::filesystem::path& folder);

// Whether the folder's marker is locked by a living spindle, on this machine or in any container of it.
bool is_locked(const std::filesystem::path& folder);

}  // namespace spindle::server
