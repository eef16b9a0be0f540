#include <nlohmann/json.hpp>

#include "results/fields.h"
#include "results/json.h"

namespace spindle::results {
namespace {

using Json = nlohmann::ordered_json;

template <class T>
Json encode(const T& value);

// Buckets as one flat list: how far this bucket's index is from the one before, its count, and so on.
Json encode_histogram(const core::HistogramData& histogram) {
  Json json;
  json["count"] = histogram.count;
  json["overflow"] = histogram.overflow;
  json["sum_ns"] = histogram.sum_ns;
  json["max_ns"] = histogram.max_ns;
  Json& buckets = json["buckets"] = Json::array();
  std::uint32_t previous = 0;
  for (const core::HistogramData::Bucket& bucket : histogram.buckets) {
    buckets.push_back(bucket.index - previous);
    buckets.push_back(bucket.count);
    previous = bucket.index;
  }
  return json;
}

struct Writer {
  Json json = Json::object();
  template <class T>
  void operator()(const char* name, const T& value) {
    json[name] = encode(value);
  }
  template <class T>
  void optional(const char* name, const T& value) {
    json[name] = encode(value);
  }
};

template <class T>
Json encode_list(const std::vector<T>& values) {
  Json json = Json::array();
  for (const T& value : values) json.push_back(encode(value));
  return json;
}

template <class T>
Json encode_map(const std::map<std::string, T>& values) {
  Json json = Json::object();
  for (const auto& [name, value] : values) json[name] = encode(value);
  return json;
}

template <class T>
struct IsVector : std::false_type {};
template <class T>
struct IsVector<std::vector<T>> : std::true_type {};
template <class T>
struct IsMap : std::false_type {};
template <class T>
struct IsMap<std::map<std::string, T>> : std::true_type {};

template <class T>
Json encode(const T& value) {
  if constexpr (std::is_same_v<T, core::HistogramData>) {
    return encode_histogram(value);
  } else if constexpr (std::is_same_v<T, core::Nanoseconds>) {
    return value.count();
  } else if constexpr (std::is_enum_v<T>) {
    for (const auto& [known, text] : EnumText<T>::kNames) {
      if (known == value) return std::string(text);
    }
    return nullptr;  // no such value exists
  } else if constexpr (IsVector<T>::value) {
    return encode_list(value);
  } else if constexpr (IsMap<T>::value) {
    return encode_map(value);
  } else if constexpr (std::is_class_v<T> && !std::is_same_v<T, std::string>) {
    Writer writer;
    fields(writer, value);
    return std::move(writer.json);
  } else {
    return value;  // text, truth values, numbers; a number that is not finite becomes null
  }
}

}  // namespace

std::string to_json(const Result& result) {
  Writer writer;
  writer("format", std::string("spindle-result"));
  writer("schema_version", result.schema_version);
  fields(writer, result);
  return writer.json.dump(-1, ' ', false, Json::error_handler_t::replace) + '\n';
}

}  // namespace spindle::results
