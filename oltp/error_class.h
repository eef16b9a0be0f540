// What an error number means for the transaction that met it. The one table of its kind.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <string_view>

namespace spindle::oltp {

enum class ErrorClass : std::uint8_t {
  deadlock,
  lock_wait_timeout,
  duplicate_key,
  record_changed,
  connection_lost,  // the session is useless; a new one may do
  other             // ends the run
};

inline constexpr std::array<std::string_view, 6> kErrorClassNames{
    "deadlock", "lock_wait_timeout", "duplicate_key", "record_changed", "connection_lost", "other_error"};

constexpr ErrorClass classify(unsigned number) {
  switch (number) {
    case 1213:  // ER_LOCK_DEADLOCK
      return ErrorClass::deadlock;
    case 1205:  // ER_LOCK_WAIT_TIMEOUT
      return ErrorClass::lock_wait_timeout;
    case 1062:  // ER_DUP_ENTRY
      return ErrorClass::duplicate_key;
    case 1020:  // ER_CHECKREAD: MariaDB's innodb_snapshot_isolation, and Galera
      return ErrorClass::record_changed;
    case 1053:  // ER_SERVER_SHUTDOWN
    case 1152:  // ER_ABORTING_CONNECTION
    case 1158:  // ER_NET_READ_ERROR
    case 1159:  // ER_NET_READ_INTERRUPTED
    case 1160:  // ER_NET_ERROR_ON_WRITE
    case 1161:  // ER_NET_WRITE_INTERRUPTED
    case 1184:  // ER_NEW_ABORTING_CONNECTION
    case 1317:  // ER_QUERY_INTERRUPTED: what a KILL of the connection says first to a running statement
    case 1927:  // ER_CONNECTION_KILLED (MariaDB)
    case 2006:  // CR_SERVER_GONE_ERROR
    case 2013:  // CR_SERVER_LOST
    case 2055:  // CR_SERVER_LOST_EXTENDED
    case 3169:  // ER_SESSION_WAS_KILLED (MySQL)
    case 4031:  // ER_CLIENT_INTERACTION_TIMEOUT (MySQL)
      return ErrorClass::connection_lost;
    default:
      return ErrorClass::other;
  }
}

// The transaction is rolled back and run again.
constexpr bool restarts_transaction(ErrorClass error) {
  return error != ErrorClass::connection_lost && error != ErrorClass::other;
}

// Whether connecting again may succeed later: the server is down, starting, or has no free connection.
constexpr bool may_come_back(unsigned connect_error) {
  constexpr std::array<unsigned, 5> kDown{
      1040,  // ER_CON_COUNT_ERROR
      1043,  // ER_HANDSHAKE_ERROR
      2002,  // CR_CONNECTION_ERROR
      2003,  // CR_CONN_HOST_ERROR
      2012   // CR_SERVER_HANDSHAKE_ERR
  };
  return classify(connect_error) == ErrorClass::connection_lost ||
         std::find(kDown.begin(), kDown.end(), connect_error) != kDown.end();
}

}  // namespace spindle::oltp
