#include "report/section.h"

#include <algorithm>
#include <vector>

namespace spindle::report {

void print_sections(Place place, const results::Result& result, const results::Run& run, std::ostream& out,
                    const RenderOptions& options) {
  const Sections& registry = Sections::instance();
  std::vector<const Section*> sections;
  for (const std::string& name : registry.names()) {
    const Section* section = registry.find(name);
    if ((section->order < kMainTable) == (place == Place::opening)) sections.push_back(section);
  }
  std::stable_sort(sections.begin(), sections.end(),
                   [](const Section* left, const Section* right) { return left->order < right->order; });
  for (const Section* section : sections) section->print(result, run, out, options);
}

}  // namespace spindle::report
