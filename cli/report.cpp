// spindle report RESULT: draws a saved result again.
#include <iostream>
#include <memory>

#include "cli/show.h"
#include "cli/subcommand.h"
#include "cli/values.h"

namespace spindle::cli {
namespace {

struct Request {
  std::vector<std::string> files;
  std::string format{report::kDefaultFormat};
  bool detail = false;
};

int execute(const Request& request, const Context& context) {
  bool first = true;
  for (const std::string& file : request.files) {
    if (!first) std::cout << '\n';
    first = false;
    print(results::load(file), context.console, request.detail ? Detail::full : Detail::summary, request.format);
  }
  return kDone;
}

void add_report(CLI::App& root, Action& action) {
  const auto request = std::make_shared<Request>();
  CLI::App* app = root.add_subcommand("report", "Draw a saved result again");
  app->add_option("files", request->files, "Results that compare, oltp or fileio saved")
      ->required()
      ->multi_option_policy(CLI::MultiOptionPolicy::TakeAll)
      ->type_name("FILE");
  add_name(*app, "--format", request->format, report::ReporterRegistry::instance().names(), "Output format");
  app->add_flag("--detail", request->detail, "Every statement, and what disk and CPU did as well");
  app->callback(
      [request, &action] { action = [request](const Context& context) { return execute(*request, context); }; });
}

const RegisterSubcommand kRegistered{"report", add_report};

}  // namespace
}  // namespace spindle::cli
