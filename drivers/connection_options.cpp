#include "drivers/connection_options.h"

#include <fmt/format.h>

#include <algorithm>
#include <stdexcept>

namespace spindle::drivers {

SslMode parse_ssl_mode(std::string text) {
  std::transform(text.begin(), text.end(), text.begin(),
                 [](char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c; });
  std::replace(text.begin(), text.end(), '-', '_');
  if (text == "disabled") return SslMode::disabled;
  if (text == "preferred") return SslMode::preferred;
  if (text == "required") return SslMode::required;
  if (text == "verify_ca") return SslMode::verify_ca;
  if (text == "verify_identity") return SslMode::verify_identity;
  throw std::invalid_argument(
      fmt::format("'{}' is not an ssl-mode: give disabled, preferred, required, verify_ca or verify_identity", text));
}

std::string Endpoint::describe() const {
  if (!socket.empty()) return socket;
  if (host.find(':') != std::string::npos) return fmt::format("[{}]:{}", host, port);  // IPv6
  return fmt::format("{}:{}", host, port);
}

Endpoint ConnectionOptions::endpoint(std::size_t index) const {
  return endpoints.empty() ? Endpoint{host, port, socket} : endpoints[index % endpoints.size()];
}

ConnectionOptions ConnectionOptions::at(std::size_t index) const {
  ConnectionOptions one = *this;
  const Endpoint address = endpoint(index);
  one.host = address.host;
  one.port = address.port;
  one.socket = address.socket;
  one.endpoints.clear();
  return one;
}

std::string ConnectionOptions::describe() const {
  std::string text = user.empty() ? "" : user + "@";
  for (std::size_t i = 0; i < endpoint_count(); ++i) text += (i == 0 ? "" : ",") + endpoint(i).describe();
  if (!database.empty()) text += "/" + database;
  return text;
}

}  // namespace spindle::drivers
