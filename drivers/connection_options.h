// Where a server is, who logs in, and how the connection is made.
#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace spindle::drivers {

enum class SslMode : std::uint8_t { disabled, preferred, required, verify_ca, verify_identity };
// As the mysql client spells it, in either case, with '-' or '_'. Throws std::invalid_argument.
SslMode parse_ssl_mode(std::string text);
// Server-side prepared statements, where a server may refuse one; always; or text with escaped values.
enum class PreparedMode : std::uint8_t { server, text, automatic };

// One address of a server.
struct Endpoint {
  std::string host = "localhost";
  std::uint16_t port = 3306;
  std::string socket;            // a Unix socket; empty means TCP
  std::string describe() const;  // "host:port", "[::1]:port" or the socket's path
  bool operator==(const Endpoint&) const = default;
};

// Files and limits of an encrypted connection, as the mysql client names them; empty means the library's default.
struct TlsOptions {
  std::string ca, capath, cert, key, cipher;
  std::string versions;  // "TLSv1.2,TLSv1.3"
  bool operator==(const TlsOptions&) const = default;
};

struct ConnectionOptions {
  std::string host = "localhost";
  std::uint16_t port = 3306;
  std::string socket;               // a Unix socket; empty means TCP
  std::vector<Endpoint> endpoints;  // several addresses, the first of which is the one above; empty: only that one
  std::string user;
  std::string password;  // never printed, logged or saved
  std::string database;  // empty: none is selected
  SslMode ssl_mode = SslMode::preferred;
  TlsOptions tls;
  bool get_server_public_key = true;   // caching_sha2_password without TLS: ask the server for its RSA key
  std::string server_public_key_path;  // ... or take it from this PEM file
  std::string compression;             // "zlib,zstd,uncompressed" in the order of preference; empty: none
  PreparedMode prepared = PreparedMode::server;
  std::chrono::seconds connect_timeout{10};
  std::chrono::seconds read_timeout{0};   // 0 = none
  std::chrono::seconds write_timeout{0};  // 0 = none

  // The address of the n-th connection, round robin: worker `index` starts with at(index), and after a loss goes on
  // with at(index + 1), at(index + 2) ... A copy whose host, port and socket are those of that address.
  std::size_t endpoint_count() const { return endpoints.empty() ? 1 : endpoints.size(); }
  ConnectionOptions at(std::size_t index) const;
  Endpoint endpoint(std::size_t index) const;

  // "user@host:port/database" or "user@socket/database": where to, without the password. Several addresses are listed
  // as "user@host1:port,host2:port/database".
  std::string describe() const;
};

}  // namespace spindle::drivers
