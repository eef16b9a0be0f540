// A name -> factory table that plug-ins fill before main(): one file, one registration line, no list to edit.
#pragma once

#include <functional>
#include <map>
#include <stdexcept>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace spindle::core {

// `Factory` is any copyable callable or value. Filled during static initialisation, only read afterwards.
template <class Factory>
class Registry {
 public:
  static Registry& instance() {
    static Registry registry;
    return registry;
  }

  void add(std::string name, Factory factory) {
    if (!factories_.emplace(name, std::move(factory)).second) throw std::logic_error("registered twice: " + name);
  }
  // Null when there is no such plug-in.
  const Factory* find(std::string_view name) const {
    const auto found = factories_.find(name);
    return found == factories_.end() ? nullptr : &found->second;
  }
  std::vector<std::string> names() const {
    std::vector<std::string> names;
    for (const auto& [name, factory] : factories_) names.push_back(name);
    return names;
  }

 private:
  std::map<std::string, Factory, std::less<>> factories_;
};

// The registration line: `const core::Register<WorkloadFactory> kRegistered{"read_only", make_read_only};`
template <class Factory>
struct Register {
  Register(std::string name, Factory factory) {
    Registry<Factory>::instance().add(std::move(name), std::move(factory));
  }
};

}  // namespace spindle::core
