#include <fmt/format.h>

#include <limits>
#include <nlohmann/json.hpp>
#include <optional>
#include <stdexcept>

#include "results/fields.h"
#include "results/json.h"

namespace spindle::results {
namespace {

using Json = nlohmann::json;

// A value in the text and the way to it, which is put into words only when something is wrong with the value.
class Place {
 public:
  explicit Place(const Json& json) : json_(json) {}
  Place(const Json& json, const Place& parent, std::string_view key) : json_(json), parent_(&parent), key_(key) {}
  Place(const Json& json, const Place& parent, std::size_t index) : json_(json), parent_(&parent), index_(index) {}

  const Json& json() const { return json_; }

  [[noreturn]] void refuse(std::string_view wrong) const {
    throw std::runtime_error(fmt::format("field '{}' {}", path(), wrong));
  }
  [[noreturn]] void expected(std::string_view what) const {
    refuse(fmt::format("should be {}, and is {}", what, json_.is_null() ? "null" : json_.type_name()));
  }
  std::string path() const {
    if (!parent_) return "";
    const std::string before = parent_->path();
    if (key_.data() == nullptr) return fmt::format("{}[{}]", before, index_);
    return before.empty() ? std::string(key_) : fmt::format("{}.{}", before, key_);
  }

 private:
  const Json& json_;
  const Place* parent_ = nullptr;
  std::string_view key_;
  std::size_t index_ = 0;
};

struct Reader {
  const Place& place;
  template <class T>
  void operator()(const char* name, T& value) const;
  template <class T>
  void optional(const char* name, T& value) const;
};

void decode(const Place& place, std::string& value) {
  if (!place.json().is_string()) place.expected("text");
  value = place.json().get<std::string>();
}

void decode(const Place& place, bool& value) {
  if (!place.json().is_boolean()) place.expected("true or false");
  value = place.json().get<bool>();
}

void decode(const Place& place, double& value) {
  if (place.json().is_null()) {
    value = std::numeric_limits<double>::quiet_NaN();
    return;
  }
  if (!place.json().is_number()) place.expected("a number");
  value = place.json().get<double>();
}

template <std::unsigned_integral T>
void decode(const Place& place, T& value) {
  if (!place.json().is_number_unsigned()) place.expected("a whole number from 0 on");
  const auto number = place.json().get<std::uint64_t>();
  if (number > std::numeric_limits<T>::max()) place.refuse(fmt::format("is too large: {}", number));
  value = static_cast<T>(number);
}

void decode(const Place& place, core::Nanoseconds& value) {
  std::uint64_t number = 0;
  decode(place, number);
  if (number > static_cast<std::uint64_t>(core::Nanoseconds::max().count())) {
    place.refuse(fmt::format("is too large: {}", number));
  }
  value = core::Nanoseconds(static_cast<core::Nanoseconds::rep>(number));
}

template <class T>
requires std::is_enum_v<T>
void decode(const Place& place, T& value) {
  std::string text;
  decode(place, text);
  std::string allowed;
  for (const auto& [known, name] : EnumText<T>::kNames) {
    if (name == text) {
      value = known;
      return;
    }
    allowed += fmt::format("{}'{}'", allowed.empty() ? "" : ", ", name);
  }
  place.refuse(fmt::format("is '{}'; allowed are {}", text, allowed));
}

void decode(const Place& place, core::HistogramData& histogram);

template <class T>
void decode(const Place& place, std::vector<T>& values) {
  if (!place.json().is_array()) place.expected("a list");
  values.reserve(place.json().size());
  for (std::size_t i = 0; i < place.json().size(); ++i) decode(Place(place.json()[i], place, i), values.emplace_back());
}

template <class T>
void decode(const Place& place, std::map<std::string, T>& values) {
  if (!place.json().is_object()) place.expected("an object");
  for (const auto& [name, value] : place.json().items()) decode(Place(value, place, name), values[name]);
}

template <class T>
requires std::is_class_v<T>
void decode(const Place& place, T& object) {
  if (!place.json().is_object()) place.expected("an object");
  Reader reader{place};
  fields(reader, object);
}

template <class T>
void Reader::operator()(const char* name, T& value) const {
  const auto found = place.json().find(name);
  if (found == place.json().end()) Place(Json(), place, name).refuse("is missing");
  decode(Place(*found, place, name), value);
}

template <class T>
void Reader::optional(const char* name, T& value) const {
  const auto found = place.json().find(name);
  if (found != place.json().end()) decode(Place(*found, place, name), value);
}

// The inverse of the writer's flat list; keeps what core promises of a histogram: sorted, in range, counts that add up.
void decode_buckets(const Place& place, core::HistogramData& histogram) {
  std::vector<std::uint64_t> numbers;
  decode(place, numbers);
  if (numbers.size() % 2 != 0) place.refuse("should hold pairs, and has an odd length");
  std::uint64_t index = 0, total = histogram.overflow;
  for (std::size_t i = 0; i < numbers.size(); i += 2) {
    const std::uint64_t step = numbers[i], count = numbers[i + 1];
    if (i > 0 && step == 0) place.refuse("names a bucket twice");
    if (step >= core::HistogramLayout::kBuckets - index) place.refuse("names a bucket beyond the last one");
    if (count == 0) place.refuse("holds an empty bucket");
    if (count > std::numeric_limits<std::uint64_t>::max() - total) place.refuse("adds up to more than 2^64 values");
    index += step;
    total += count;
    histogram.buckets.push_back({static_cast<std::uint32_t>(index), count});
  }
  if (total != histogram.count) {
    place.refuse(fmt::format("adds up to {} values with the overflow, and count says {}", total, histogram.count));
  }
}

void decode(const Place& place, core::HistogramData& histogram) {
  if (!place.json().is_object()) place.expected("an object");
  const Reader reader{place};
  reader("count", histogram.count);
  reader("overflow", histogram.overflow);
  reader("sum_ns", histogram.sum_ns);
  reader("max_ns", histogram.max_ns);
  const auto buckets = place.json().find("buckets");
  if (buckets == place.json().end()) Place(Json(), place, "buckets").refuse("is missing");
  decode_buckets(Place(*buckets, place, "buckets"), histogram);
}

void check_end(const std::string& end, const std::string& field) {
  if (end == "completed" || end == "interrupted" || end == "failed") return;
  throw std::runtime_error(
      fmt::format("field '{}' is '{}'; allowed are 'completed', 'interrupted', 'failed'", field, end));
}

void check_target(std::size_t target, const Result& result, const std::string& field) {
  if (target < result.targets.size()) return;
  throw std::runtime_error(
      fmt::format("field '{}' names target {}, and there are {}", field, target, result.targets.size()));
}

// What the types alone do not say and every reader of a Result relies on.
void check_consistency(const Result& result) {
  check_end(result.end, "end");
  for (std::size_t i = 0; i < result.runs.size(); ++i) {
    const Run& run = result.runs[i];
    const std::string field = fmt::format("runs[{}]", i);
    check_target(run.target, result, field + ".target");
    check_end(run.end, field + ".end");
    if (run.total.end < run.total.begin)
      throw std::runtime_error(fmt::format("field '{}.total' ends before it begins", field));
    if (run.total.data.operations.size() != run.schema.operations.size()) {
      throw std::runtime_error(fmt::format("field '{}.total.data.operations' has {} entries, and the schema {}", field,
                                           run.total.data.operations.size(), run.schema.operations.size()));
    }
    if (run.total.data.counters.size() != run.schema.counters.size()) {
      throw std::runtime_error(fmt::format("field '{}.total.data.counters' has {} entries, and the schema {}", field,
                                           run.total.data.counters.size(), run.schema.counters.size()));
    }
  }
  for (std::size_t i = 0; i < result.comparisons.size(); ++i) {
    check_target(result.comparisons[i].first, result, fmt::format("comparisons[{}].first", i));
    check_target(result.comparisons[i].other, result, fmt::format("comparisons[{}].other", i));
  }
}

Json parse(std::string_view text) {
  try {
    return Json::parse(text);
  } catch (const Json::parse_error& error) {
    if (text.find_first_not_of(" \t\r\n") == std::string_view::npos) throw std::runtime_error("it is empty");
    if (error.byte > text.size())
      throw std::runtime_error(fmt::format("it ends in the middle, at byte {}", text.size()));
    throw std::runtime_error(fmt::format("not JSON (at byte {})", error.byte));
  } catch (const Json::exception&) {
    throw std::runtime_error("not JSON that can be read: it holds a number beyond all limits");
  }
}

}  // namespace

Result from_json(std::string_view text) {
  const Json json = parse(text);
  if (!json.is_object() || json.value("format", Json()) != "spindle-result") {
    throw std::runtime_error("not a result of spindle (no \"format\": \"spindle-result\")");
  }
  const Place root(json);
  const Reader reader{root};
  std::uint32_t version = 0;
  reader("schema_version", version);
  if (version > static_cast<std::uint32_t>(kSchemaVersion)) {
    throw std::runtime_error(fmt::format(
        "written by a newer spindle (schema version {}; this one knows {}): update spindle", version, kSchemaVersion));
  }
  if (version == 0) throw std::runtime_error("field 'schema_version' is 0; the first version is 1");
  Result result;
  result.schema_version = static_cast<int>(version);
  fields(reader, result);
  check_consistency(result);
  for (Run& run : result.runs) run.summary = core::summarize(run.schema, run.total, run.loop);
  return result;
}

}  // namespace spindle::results
