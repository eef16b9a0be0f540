#include "server/server_variables.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <charconv>
#include <stdexcept>

namespace spindle::server {
namespace {

// Where the files are and who can reach the server: a value of the user's would leave files behind, or make the server
// unreachable.
constexpr std::array<std::string_view, 16> kReserved = {"datadir",
                                                        "socket",
                                                        "port",
                                                        "bind_address",
                                                        "pid_file",
                                                        "log_error",
                                                        "init_file",
                                                        "user",
                                                        "tmpdir",
                                                        "daemonize",
                                                        "skip_networking",
                                                        "skip_grant_tables",
                                                        "defaults_file",
                                                        "innodb_data_home_dir",
                                                        "innodb_log_group_home_dir",
                                                        "innodb_undo_directory"};

void set(Variables& variables, const std::string& name, std::string value) {
  const auto found =
      std::find_if(variables.begin(), variables.end(), [&](const auto& variable) { return variable.first == name; });
  if (found != variables.end()) {
    found->second = std::move(value);
  } else {
    variables.emplace_back(name, std::move(value));
  }
}

// "8.0.36-28" -> 80036, as the servers number their versions.
unsigned version_number(std::string_view version) {
  std::array<unsigned, 3> parts{};
  const char* at = version.data();
  const char* const end = version.data() + version.size();
  for (unsigned& part : parts) {
    at = std::from_chars(at, end, part).ptr;
    if (at == end || *at != '.') break;
    ++at;
  }
  return parts[0] * 10'000 + parts[1] * 100 + parts[2];
}

Variables own_variables(const ServerBinary& binary, std::uint64_t buffer_pool_bytes) {
  constexpr std::uint64_t kMebibyte = std::uint64_t{1} << 20U;
  const std::uint64_t redo = std::clamp(buffer_pool_bytes / 2, 64 * kMebibyte, 1024 * kMebibyte);
  Variables variables = {{"innodb_buffer_pool_size", std::to_string(buffer_pool_bytes)},
                         {"innodb_flush_log_at_trx_commit", "1"},
                         {"sync_binlog", "1"},
                         {"innodb_flush_method", "O_DIRECT"},
                         {"innodb_doublewrite", "ON"},
                         {"innodb_buffer_pool_dump_at_shutdown", "OFF"},
                         {"innodb_buffer_pool_load_at_startup", "OFF"},
                         {"performance_schema", "OFF"},
                         {"skip_name_resolve", "ON"},
                         {"max_connections", "2048"},
                         {"max_prepared_stmt_count", "1000000"}};
  const bool mysql = binary.flavour == Flavour::mysql;
  if (mysql && version_number(binary.version) >= 80'030) {
    variables.emplace_back("innodb_redo_log_capacity", std::to_string(redo));
  } else if (mysql) {
    variables.emplace_back("innodb_log_file_size", std::to_string(redo / 2));  // of two files
  } else {
    variables.emplace_back("innodb_log_file_size", std::to_string(redo));
  }
  if (mysql) {
    variables.emplace_back("mysqlx", "OFF");
    // The server refuses to start where the default directory is missing.
    variables.emplace_back("secure_file_priv", "");
  }
  return variables;
}

}  // namespace

std::string normalise_variable(std::string_view name) {
  if (name.substr(0, 2) == "--") name.remove_prefix(2);
  std::string normal;
  for (const char character : name) {
    const auto byte = static_cast<unsigned char>(character);
    if (std::isalnum(byte) == 0 && character != '_' && character != '-' && character != '.') {
      throw std::invalid_argument(fmt::format("'{}' is no server variable: letters, digits, '_', '-' and '.'", name));
    }
    normal += character == '-' ? '_' : static_cast<char>(std::tolower(byte));
  }
  if (normal.empty()) throw std::invalid_argument("a server variable without a name: want variable=value");
  if (std::find(kReserved.begin(), kReserved.end(), normal) != kReserved.end()) {
    throw std::invalid_argument(
        fmt::format("cannot set the server variable '{}': spindle sets it itself for a throwaway server", normal));
  }
  return normal;
}

Variables merge_variables(const ServerBinary& binary, std::uint64_t buffer_pool_bytes, const Variables& users) {
  Variables variables = own_variables(binary, buffer_pool_bytes);
  bool users_binlog = false;
  for (const auto& [name, value] : users) {
    const std::string normal = normalise_variable(name);
    users_binlog |= normal == "log_bin" || normal == "skip_log_bin";
    set(variables, normal, value);
  }
  if (!users_binlog) variables.emplace_back("skip_log_bin", "ON");
  return variables;
}

}  // namespace spindle::server
