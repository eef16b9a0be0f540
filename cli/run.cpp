#include <fmt/format.h>
#include <spdlog/spdlog.h>

#include <algorithm>
#include <iostream>
#include <new>

#include "cli/subcommand.h"
#include "cli/values.h"
#include "compare/target.h"
#include "drivers/driver.h"

namespace spindle::cli {
namespace {

// `--table_size=1` is `--table-size=1`; values keep their underscores.
std::string with_dashes(std::string argument) {
  if (!argument.starts_with("--")) return argument;
  const auto end = argument.begin() + static_cast<std::ptrdiff_t>(std::min(argument.find('='), argument.size()));
  std::replace(argument.begin(), end, '_', '-');
  return argument;
}

std::string hidden_secret(const std::string& argument) {
  if (argument.starts_with("--password=")) return "--password=***";
  return compare::without_password(argument);
}

std::string command_of(int argc, char** argv) {
  std::string command = "spindle";
  bool secret_follows = false;
  for (int i = 1; i < argc; ++i) {
    const std::string argument = argv[i];
    command += ' ' + (secret_follows ? "***" : hidden_secret(argument));
    secret_follows = argument == "--password";
  }
  return command;
}

std::string version_text() {
  std::string text = fmt::format("spindle {}\n", SPINDLE_VERSION);
  for (const std::string& name : drivers::DriverRegistry::instance().names()) {
    text += fmt::format("driver {}: {}\n", name, drivers::make_driver(name)->describe());
  }
  text.pop_back();
  return text;
}

// The deepest subcommand that parsing reached: its help and its options are the ones that matter.
const CLI::App* chosen_app(const CLI::App& root) {
  const CLI::App* app = &root;
  while (!app->get_subcommands().empty()) app = app->get_subcommands().front();
  return app;
}

// "spindle oltp run"
std::string path_of(const CLI::App* app) {
  return app->get_parent() == nullptr ? app->get_name() : path_of(app->get_parent()) + ' ' + app->get_name();
}

// "--tabel-size" -> "; did you mean --table-size?", or nothing.
std::string suggestion(const CLI::App& root, const std::string& unexpected) {
  const CLI::App* app = chosen_app(root);
  std::vector<std::string> known;
  if (unexpected.starts_with("-")) {
    for (const CLI::Option* option : app->get_options()) {
      for (const std::string& name : option->get_lnames()) known.push_back("--" + name);
    }
  } else {
    for (const CLI::App* subcommand : app->get_subcommands([](const CLI::App*) { return true; })) {
      known.push_back(subcommand->get_name());
    }
  }
  const std::string hint = nearest(unexpected.substr(0, unexpected.find('=')), known);
  return hint.empty() ? "" : fmt::format("; did you mean {}?", hint);
}

// One line for what CLI11 found wrong.
std::string usage_error(const CLI::App& root, const CLI::ParseError& error) {
  std::string text = error.what();
  if (dynamic_cast<const CLI::ExtrasError*>(&error) != nullptr) {
    const std::vector<std::string> extras = chosen_app(root)->remaining(true);
    const std::vector<std::string> all = extras.empty() ? root.remaining(true) : extras;
    if (!all.empty()) {
      text = fmt::format("unknown {} '{}'{}", all.front().starts_with("-") ? "option" : "argument",
                         all.front().substr(0, all.front().find('=')), suggestion(root, all.front()));
    }
  }
  std::replace(text.begin(), text.end(), '\n', ' ');
  return text;
}

int parse_and_run(CLI::App& root, Action& action, std::vector<std::string> arguments, const Context& context) {
  try {
    std::reverse(arguments.begin(), arguments.end());  // CLI11 takes them from the back
    root.parse(arguments);
  } catch (const CLI::Success& success) {  // --help, --version
    return root.exit(success);
  } catch (const CLI::ParseError& error) {
    spdlog::error("{} (see {} --help)", usage_error(root, error), path_of(chosen_app(root)));
    return kUsage;
  }
  if (!action) {
    std::cout << root.help() << std::flush;
    return kUsage;
  }
  return action(context);
}

}  // namespace

int run(int argc, char** argv, core::StopRequest& stop) {
  Console console;
  const Context context{stop, console, command_of(argc, argv)};
  Action action;
  CLI::App root("How much faster does MySQL run on this disk than on that one?", "spindle");
  root.set_version_flag("--version", version_text());
  root.require_subcommand(0, 1);
  root.fallthrough();  // --color and --verbose may stand after the subcommand, too
  root.option_defaults()->multi_option_policy(CLI::MultiOptionPolicy::TakeLast);  // scripts append what they change
  root.set_config("--config", "", "Read options from this file (TOML or INI, a [section] a subcommand)");
  root.footer(
      "Exit codes: 0 done; 1 the run failed, or a part of it was skipped; 2 wrong usage; 130, 143\n"
      "interrupted, with everything measured so far reported and saved.");
  root.add_flag_callback(
      "-v,--verbose", [] { spdlog::set_level(spdlog::level::debug); }, "Log more to stderr");
  std::string color = "auto";
  root.add_option("--color", color, "Colour on stdout: auto, always or never")
      ->check(CLI::IsMember({"auto", "always", "never"}))
      ->each([&](const std::string& mode) {
        console.set_color(mode == "always"  ? ColorMode::always
                          : mode == "never" ? ColorMode::never
                                            : ColorMode::automatic);
      });
  const auto& registry = SubcommandRegistry::instance();
  for (const std::string& name : registry.names()) (*registry.find(name))(root, action);

  std::vector<std::string> arguments;
  for (int i = 1; i < argc; ++i) arguments.push_back(with_dashes(argv[i]));
  int code = kFailed;
  try {
    code = parse_and_run(root, action, std::move(arguments), context);
  } catch (const std::invalid_argument& error) {
    console.clear_status();
    spdlog::error("{}", error.what());
    return kUsage;
  } catch (const core::Interrupted&) {
    console.clear_status();
    spdlog::error("interrupted; nothing had been measured yet");
  } catch (const std::bad_alloc&) {
    spdlog::error("out of memory");
  } catch (const std::exception& error) {
    console.clear_status();
    spdlog::error("{}", error.what());
  }
  std::cout.flush();
  if (!std::cout) {
    spdlog::error("cannot write to stdout");
    code = kFailed;
  }
  return stop.requested() ? kSignalBase + stop.signal() : code;
}

}  // namespace spindle::cli
