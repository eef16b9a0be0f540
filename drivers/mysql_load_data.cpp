#include "drivers/mysql_load_data.h"

#ifdef SPINDLE_HAS_MYSQL
#include <cstdio>
#include <exception>

#include "drivers/mysql_statement.h"

namespace spindle::drivers {
namespace {

constexpr int kRejected = 2068;  // CR_LOAD_DATA_LOCAL_INFILE_REJECTED

// What one statement is fed from. A server may ask for a file in reply to any statement, and for one that was not
// named; it gets nothing (`source` is null), or these bytes.
struct Feed {
  const ByteSource* source = nullptr;
  std::exception_ptr failure;
};

int open_feed(void** state, const char*, void* feed) {
  *state = feed;
  return feed == nullptr ? 1 : 0;
}

int read_feed(void* state, char* buffer, unsigned size) noexcept {
  auto& feed = *static_cast<Feed*>(state);
  try {
    return static_cast<int>((*feed.source)({buffer, size}));
  } catch (...) {
    feed.failure = std::current_exception();
    return -1;
  }
}

void close_feed(void*) {}

int feed_error(void* state, char* message, unsigned size) {
  std::snprintf(message, size, "%s",
                state == nullptr ? "the server asked for a file, which is refused" : "the data source failed");
  return kRejected;
}

void feed_from(MYSQL* mysql, Feed* feed) {
  mysql_set_local_infile_handler(mysql, open_feed, read_feed, close_feed, feed_error, feed);
}

}  // namespace

void refuse_files(MYSQL* mysql) { feed_from(mysql, nullptr); }

ExecuteOutcome load_from(MYSQL* mysql, std::string_view sql, const ByteSource& source) {
  Feed feed{&source, nullptr};
  feed_from(mysql, &feed);
  struct Refuse {
    MYSQL* mysql;
    ~Refuse() { refuse_files(mysql); }
  } const refuse{mysql};
  try {
    return run_text(mysql, sql);
  } catch (const DbError&) {
    if (feed.failure) std::rethrow_exception(feed.failure);
    throw;
  }
}

}  // namespace spindle::drivers
#endif
