#include "compare/target.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <set>
#include <stdexcept>

#include "server/server_variables.h"

namespace spindle::compare {
namespace {

constexpr std::string_view kScheme = "mysql://";

bool is_label_character(char c) {
  return (c >= '0' && c <= '9') || (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z') || c == '.' || c == '_' || c == '-';
}

int hex_digit(char c) {
  if (c >= '0' && c <= '9') return c - '0';
  if (c >= 'a' && c <= 'f') return c - 'a' + 10;
  if (c >= 'A' && c <= 'F') return c - 'A' + 10;
  return -1;
}

std::string decode(std::string_view text) {
  std::string decoded;
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text[i] != '%') {
      decoded += text[i];
      continue;
    }
    const int high = i + 2 < text.size() ? hex_digit(text[i + 1]) : -1;
    const int low = i + 2 < text.size() ? hex_digit(text[i + 2]) : -1;
    if (high < 0 || low < 0)
      throw std::invalid_argument("a '%' in a URI is followed by two hexadecimal digits; write %25 for '%'");
    decoded += static_cast<char>(high * 16 + low);
    i += 2;
  }
  return decoded;
}

// Cuts `text` at the first `separator`: the part before is returned, `text` keeps the part after. Without a separator
// everything is returned and `text` becomes empty.
std::string_view cut(std::string_view& text, char separator) {
  const std::size_t at = text.find(separator);
  const std::string_view head = text.substr(0, at);
  text = at == std::string_view::npos ? std::string_view{} : text.substr(at + 1);
  return head;
}

std::uint16_t parse_port(std::string_view text) {
  std::uint16_t port = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), port);
  if (error != std::errc{} || end != text.data() + text.size() || port == 0) {
    throw std::invalid_argument(fmt::format("'{}' is not a port: give a number from 1 to 65535", text));
  }
  return port;
}

void apply_query(std::string_view query, drivers::ConnectionOptions& connection) {
  while (!query.empty()) {
    std::string_view value = cut(query, '&');
    const std::string name = decode(cut(value, '='));
    if (name == "socket") {
      connection.socket = decode(value);
    } else if (name == "ssl-mode") {
      connection.ssl_mode = drivers::parse_ssl_mode(decode(value));
    } else {
      throw std::invalid_argument(
          fmt::format("unknown parameter '{}' in a mysql:// URI: there are socket and ssl-mode", name));
    }
  }
}

}  // namespace

std::string TargetSpec::location() const { return kind == TargetKind::directory ? directory : connection.describe(); }

TargetSpec parse_target(std::string_view text) {
  const std::size_t at = text.find('=');
  if (at == std::string_view::npos) {
    throw std::invalid_argument(fmt::format(
        "'{}' is not a target: give LABEL=DIRECTORY or LABEL=mysql://user@host:port/database, such as ssd=/mnt/ssd",
        without_password(text)));
  }
  TargetSpec target;
  target.label = text.substr(0, at);
  const std::string_view location = text.substr(at + 1);
  if (target.label.empty() || !std::all_of(target.label.begin(), target.label.end(), is_label_character)) {
    throw std::invalid_argument(
        fmt::format("'{}' is not a label: use letters, digits, '.', '_' and '-'", without_password(target.label)));
  }
  if (location.empty()) throw std::invalid_argument(fmt::format("target '{}' names no directory", target.label));
  if (location.starts_with(kScheme)) {
    target.kind = TargetKind::server;
    target.connection = parse_uri(location);
  } else if (location.find("://") != std::string_view::npos) {
    throw std::invalid_argument(fmt::format("target '{}': only mysql:// URIs are known", target.label));
  } else {
    target.directory = location;
  }
  return target;
}

drivers::ConnectionOptions parse_uri(std::string_view uri) {
  if (!uri.starts_with(kScheme)) throw std::invalid_argument("a server is given as mysql://user@host:port/database");
  uri.remove_prefix(kScheme.size());
  drivers::ConnectionOptions connection;
  std::string_view query = uri;
  uri = cut(query, '?');
  std::string_view database = uri;
  std::string_view authority = cut(database, '/');
  if (const std::size_t at = authority.rfind('@'); at != std::string_view::npos) {
    std::string_view password = authority.substr(0, at);
    connection.user = decode(cut(password, ':'));
    connection.password = decode(password);
    authority.remove_prefix(at + 1);
  }
  if (authority.starts_with('[')) {  // an IPv6 address
    authority.remove_prefix(1);
    connection.host = cut(authority, ']');
    if (authority.starts_with(':')) connection.port = parse_port(authority.substr(1));
  } else {
    const bool has_port = authority.find(':') != std::string_view::npos;
    const std::string host = decode(cut(authority, ':'));
    if (!host.empty()) connection.host = host;
    if (has_port) connection.port = parse_port(authority);
  }
  connection.database = decode(database);
  if (connection.database.empty()) connection.database = "sbtest";
  apply_query(query, connection);
  return connection;
}

std::string without_password(std::string_view text) {
  const std::size_t scheme = text.find(kScheme);
  if (scheme == std::string_view::npos) return std::string(text);
  const std::size_t begin = scheme + kScheme.size();
  // A password may hold '/' or '?' unescaped by mistake: the last '@' of the text ends it.
  const std::size_t at = text.rfind('@');
  if (at == std::string_view::npos || at < begin) return std::string(text);
  const std::size_t colon = text.substr(begin, at - begin).find(':');
  if (colon == std::string_view::npos) return std::string(text);
  return fmt::format("{}:***{}", text.substr(0, begin + colon), text.substr(at));
}

void apply_setting(std::vector<TargetSpec>& targets, std::string_view text) {
  std::string_view value = text;
  const std::string_view label = cut(value, ':');
  const bool complete = value.find('=') != std::string_view::npos;
  const std::string_view variable = cut(value, '=');
  if (!complete || label.empty() || variable.empty()) {
    throw std::invalid_argument(
        fmt::format("--set {}: give LABEL:variable=value, such as ssd:innodb_flush_log_at_trx_commit=2", text));
  }
  const auto target =
      std::find_if(targets.begin(), targets.end(), [&](const TargetSpec& t) { return t.label == label; });
  if (target == targets.end())
    throw std::invalid_argument(fmt::format("--set {}: there is no target '{}'", text, label));
  if (target->kind == TargetKind::server) {
    throw std::invalid_argument(fmt::format(
        "--set {}: '{}' is a server that exists; spindle changes only servers that it starts. Set the variable there",
        text, label));
  }
  target->variables.emplace_back(server::normalise_variable(variable), value);
}

void check_labels(const std::vector<TargetSpec>& targets) {
  if (targets.empty())
    throw std::invalid_argument("no target: give at least one LABEL=DIRECTORY, such as ssd=/mnt/ssd");
  std::set<std::string> labels;
  for (const TargetSpec& target : targets) {
    if (!labels.insert(target.label).second) {
      throw std::invalid_argument(
          fmt::format("label '{}' is used twice: every target needs a label of its own", target.label));
    }
  }
}

}  // namespace spindle::compare
