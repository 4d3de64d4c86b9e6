#include <fmt/format.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <charconv>
#include <cstdlib>
#include <thread>

#include "base/nearest.h"
#include "base/overloaded.h"
#include "base/text.h"
#include "cli/command.h"
#include "input/format.h"

namespace xtrace {

namespace {

std::vector<std::string_view> format_names() {
  std::vector<std::string_view> names;
  for (const Renderer& renderer : renderers()) names.push_back(renderer.name);
  return names;
}

std::vector<std::string_view> input_format_names() {
  std::vector<std::string_view> names;
  for (const Format& format : formats()) names.push_back(format.name);
  return names;
}

std::vector<std::string_view> command_names() {
  std::vector<std::string_view> names;
  for (const ViewEntry& entry : views()) names.push_back(entry.name);
  names.insert(names.end(), {"schema", "completion", "help"});
  return names;
}

void bind(CLI::App& app, const OptionSpec& spec) {
  std::visit(
      Overloaded{
          [&](bool* value) { app.add_flag(spec.name, *value); },
          [&](double* value) { app.add_option(spec.name, *value)->check(CLI::Range(0.0, 1.0)); },
          [&](std::string* value) { app.add_option(spec.name, *value); },
          [&](std::vector<std::string>* values) {
            // Each takes one value, or a FILE behind it would be swallowed.
            app.add_option(spec.name, *values)
                ->expected(1)
                ->delimiter(',')
                ->multi_option_policy(CLI::MultiOptionPolicy::TakeAll);
          },
      },
      spec.target);
}

Status check_words(const OptionSpec& spec) {
  if (spec.words.empty()) return {};
  std::vector<std::string> values;
  if (std::string* const* one = std::get_if<std::string*>(&spec.target);
      one != nullptr && !(*one)->empty())
    values = {**one};
  if (std::vector<std::string>* const* many = std::get_if<std::vector<std::string>*>(&spec.target))
    values = **many;
  for (const std::string& value : values) {
    if (std::find(spec.words.begin(), spec.words.end(), value) != spec.words.end()) continue;
    return fail(Exit::usage,
                fmt::format("{}: '{}' is none of {}{}", spec.long_name(), printable(value),
                            fmt::join(spec.words, ", "), did_you_mean(value, spec.words)));
  }
  return {};
}

Result<size_t> read_number(std::string_view option, const std::string& text, size_t least,
                           size_t most) {
  size_t number = 0;
  auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (error != std::errc() || end != text.data() + text.size() || number < least || number > most)
    return fail(Exit::usage, fmt::format("{}: '{}' is no whole number from {} to {}", option,
                                         printable(text), least, most));
  return number;
}

size_t terminal_columns() {
  size_t columns = 0;
  if (const char* told = std::getenv("COLUMNS")) {
    std::string_view text(told);
    std::from_chars(text.data(), text.data() + text.size(), columns);
  }
  winsize size{};
  if (columns == 0 && ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) == 0) columns = size.ws_col;
  return columns == 0 ? Paper{}.columns : std::max<size_t>(columns, 40);
}

bool wants_colour(const CommonOptions& options) {
  if (options.color != "auto") return options.color == "always";
  const char* terminal = std::getenv("TERM");
  const char* no_colour = std::getenv("NO_COLOR");
  bool plain = (no_colour != nullptr && *no_colour != '\0') || terminal == nullptr ||
               std::string_view(terminal) == "dumb";
  return options.output.empty() && isatty(STDOUT_FILENO) && !plain;
}

const Renderer& find_renderer(std::string_view name) {
  for (const Renderer& renderer : renderers())
    if (renderer.name == name) return renderer;
  return renderers().front();
}

Status apply(const CommonOptions& options, Request& request) {
  bool on_terminal = options.output.empty() && isatty(STDOUT_FILENO);
  request.renderer = &find_renderer(!options.format.empty() ? options.format
                                    : on_terminal           ? "text"
                                                            : "json");
  if (request.renderer->face == Face::drawing && !request.entry->draws)
    return fail(
        Exit::usage,
        fmt::format("--format {}: '{}' is a list and cannot be drawn; it comes as text or json",
                    request.renderer->name, request.entry->name));
  request.paper.colour = wants_colour(options);
  if (on_terminal) request.paper.columns = terminal_columns();
  request.loading.jobs = std::max(1u, std::thread::hardware_concurrency());
  if (!options.jobs.empty()) {
    Result<size_t> jobs = read_number("--jobs", options.jobs, 1, 256);
    if (!jobs) return tl::unexpected(jobs.error());
    request.loading.jobs = static_cast<unsigned>(*jobs);
  }
  Result<size_t> max_text = read_number("--max-text", options.max_text, 1, 1'000'000'000);
  if (!max_text) return tl::unexpected(max_text.error());
  request.max_text = *max_text;
  if (!options.from.empty()) request.loading.format = find_format(options.from);
  if (!options.spawn_tools.empty()) request.linking.spawn_tools = options.spawn_tools;
  request.level = options.level == "full" ? Door::Level::full : Door::Level::basic;
  request.redaction = options.no_redact ? Redaction::off : Redaction::all;
  request.output = options.output;
  request.strict = options.strict;
  request.quiet = options.quiet;
  request.verbose = options.verbose;
  return {};
}

Result<std::vector<std::string>> inputs_of(const std::string& command,
                                           const std::vector<std::string>& rest,
                                           const OptionList& options) {
  std::vector<std::string> files;
  bool only_files = false;
  for (const std::string& word : rest) {
    if (word == "--" && !only_files) {
      only_files = true;
    } else if (!only_files && word.size() > 1 && word.starts_with("-")) {
      std::vector<std::string_view> known = {"--help", "--version"};
      for (const OptionSpec& spec : options.specs()) known.push_back(spec.long_name());
      return fail(Exit::usage,
                  fmt::format("unknown option '{}'{}\ntry: xtrace {} --help", printable(word),
                              did_you_mean(word.substr(0, word.find('=')), known), command));
    } else {
      files.push_back(word);
    }
  }
  if (files.empty() && isatty(STDIN_FILENO))
    return fail(
        Exit::usage,
        fmt::format("no input; name a file or folder, or pipe a log in\ntry: xtrace {} --help",
                    command));
  if (files.empty()) files.push_back("-");
  return files;
}

Result<Command> read_view(const ViewEntry& entry, std::vector<std::string> words) {
  Listed listed = list_options(entry);
  CLI::App app;
  app.set_help_flag();
  app.allow_extras();
  bool help = false;
  app.add_flag("-h,--help", help);
  for (const OptionSpec& spec : listed.options.specs()) bind(app, spec);
  std::reverse(words.begin(), words.end());  // as CLI11 wants them
  try {
    app.parse(words);
  } catch (const CLI::ParseError& error) {
    return fail(Exit::usage,
                fmt::format("{}\ntry: xtrace {} --help", printable(error.what()), entry.name));
  }
  if (help) return Printed{help_for(entry, listed.options)};
  for (const OptionSpec& spec : listed.options.specs())
    if (Status checked = check_words(spec); !checked) return tl::unexpected(checked.error());
  Result<std::vector<std::string>> inputs =
      inputs_of(std::string(entry.name), app.remaining(), listed.options);
  if (!inputs) return tl::unexpected(inputs.error());
  Request request;
  request.entry = &entry;
  request.view = std::move(listed.view);
  request.inputs = *std::move(inputs);
  if (Status applied = apply(*listed.common, request); !applied)
    return tl::unexpected(applied.error());
  return Command(std::move(request));
}

const ViewEntry* find_view(std::string_view name) {
  for (const ViewEntry& entry : views())
    if (entry.name == name) return &entry;
  return nullptr;
}

Result<Command> read_schema(const std::vector<std::string>& words) {
  std::string name = words.empty() ? "dag" : words.front();
  if (const ViewEntry* entry = find_view(name)) return Printed{schema_of(*entry)};
  std::vector<std::string_view> known;
  for (const ViewEntry& entry : views()) known.push_back(entry.name);
  return fail(Exit::usage, fmt::format("there is no schema '{}'{}; schemas: {}", printable(name),
                                       did_you_mean(name, known), fmt::join(known, ", ")));
}

}  // namespace

void CommonOptions::declare(Options& options) {
  options.add("-f,--format", format, "FORMAT", "how to answer; text on a terminal, json otherwise",
              format_names());
  options.add("-o,--output", output, "FILE",
              "write the answer to FILE; it appears whole or not at all");
  options.add("--level", level, "LEVEL",
              "basic: names and numbers; full: payload text too, redacted", {"basic", "full"});
  options.add("--max-text", max_text, "N", "at level full, cut each text to N characters (200)");
  options.add("--from", from, "FORMAT", "read every record as FORMAT instead of looking at it",
              input_format_names());
  options.add("--spawn-tool", spawn_tools, "NAME", "a tool that starts subagents (Task and Agent)");
  options.add("--strict", strict, "exit with 3 if any record was skipped");
  options.add("--no-redact", no_redact, "show secrets and personal data as they are");
  options.add("-j,--jobs", jobs, "N", "threads; the answer is the same for any number");
  options.add("--color", color, "WHEN", "colour in text", {"auto", "always", "never"});
  options.add("-q,--quiet", quiet, "no warnings and no progress, errors only");
  options.add("-v,--verbose", verbose, "name every damaged record");
}

Listed list_options(const ViewEntry& entry) {
  Listed listed{&entry, entry.make(), std::make_unique<CommonOptions>(), {}};
  listed.view->declare(listed.options);
  listed.common->declare(listed.options);
  return listed;
}

Result<Command> read_command_line(int argc, const char* const* argv) {
  std::vector<std::string> words(argv + std::min(argc, 1), argv + argc);
  if (words.empty()) return fail(Exit::usage, "no command\n" + help_for_all());
  std::string first = words.front();
  words.erase(words.begin());
  if (first == "--version" || first == "-V") return Printed{"xtrace " XTRACE_VERSION "\n"};
  if (first == "-h" || first == "--help" || (first == "help" && words.empty()))
    return Printed{help_for_all()};
  if (first == "help" && find_view(words.front()) != nullptr)
    return read_view(*find_view(words.front()), {"--help"});
  if (first == "schema") return read_schema(words);
  if (first == "completion") {
    Result<std::string> script = completion(words.empty() ? "" : words.front());
    if (!script) return tl::unexpected(script.error());
    return Printed{*std::move(script)};
  }
  if (first == "manual-page") return Printed{manual_page()};
  if (const ViewEntry* entry = find_view(first)) return read_view(*entry, std::move(words));
  std::vector<std::string_view> known = command_names();
  return fail(Exit::usage,
              fmt::format("there is no command '{}'{}\ncommands: {}; try: xtrace --help",
                          printable(first), did_you_mean(first, known), fmt::join(known, ", ")));
}

}  // namespace xtrace
