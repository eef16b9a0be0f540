#include "report/section.h"

#include <algorithm>
#include <vector>

namespace spindle::report {

void print_sections(const results::Result& result, const results::Run& run, std::ostream& out,
                    const RenderOptions& options) {
  const Sections& registry = Sections::instance();
  std::vector<const Section*> sections;
  for (const std::string& name : registry.names()) sections.push_back(registry.find(name));
  std::stable_sort(sections.begin(), sections.end(),
                   [](const Section* left, const Section* right) { return left->order < right->order; });
  for (const Section* section : sections) section->print(result, run, out, options);
}

}  // namespace spindle::report
