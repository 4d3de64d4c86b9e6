#include <fmt/format.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include <algorithm>
#include <charconv>
#include <cstdlib>
#include <thread>

#include "base/nearest.h"
#include "base/one_of.h"
#include "base/rule_set.h"
#include "base/text.h"
#include "cli/command.h"
#include "cli/config.h"
#include "cli/config_command.h"
#include "cli/judgement.h"
#include "cli/price_file.h"
#include "cli/read_options.h"
#include "cli/redaction_file.h"
#include "cli/reproduction.h"
#include "cli/standards_file.h"
#include "cli/table_choice.h"
#include "input/format.h"
#include "link/linkers.h"
#include "render/verdicts.h"
#include "view/diff.h"
#include "view/eval.h"
#include "view/follow.h"

namespace xtrace {

namespace {

bool can_show(const Renderer& renderer, const ViewEntry& entry) {
  // What goes on for ever comes a line at a time.
  if (is_live(entry)) return renderer.name == "json" || renderer.name == "text";
  if (shows_verdicts(renderer) && !gives_verdicts(entry)) return false;
  return renderer.is_foreign() == entry.converts && (!renderer.needs_drawing() || entry.draws) &&
         (!renderer.needs_order || entry.tells_order);
}

/// What is converted is converted to something.
std::string_view format_option(const ViewEntry& entry) {
  return entry.converts ? "--to" : "--format";
}

/// The formats that the answer of `entry` can come in.
std::vector<std::string_view> format_names(const ViewEntry& entry) {
  std::vector<std::string_view> names;
  for (const Renderer& renderer : renderers())
    if (can_show(renderer, entry)) names.push_back(renderer.name);
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
  names.insert(names.end(), {"prices", "config", "schema", "completion", "help"});
  return names;
}

/// Said in words of its own, for elsewhere the format is a good one.
Status check_drawable(const ViewEntry& entry, std::string_view format) {
  for (const Renderer& renderer : renderers())
    if (renderer.name == format && (renderer.is_foreign() || entry.converts) &&
        !can_show(renderer, entry))
      return fail(
          Exit::usage,
          fmt::format("{} {}: '{}' does not write that; {}", format_option(entry), format,
                      entry.name,
                      entry.converts ? fmt::format("it writes {}; try: xtrace dag -f {}",
                                                   fmt::join(format_names(entry), ", "), format)
                                     : fmt::format("try: xtrace convert --to {}", format)));
    else if (renderer.name == format && shows_verdicts(renderer) && !can_show(renderer, entry))
      return fail(Exit::usage,
                  fmt::format("--format {}: that is for verdicts, and '{}' gives none; "
                              "it comes as {}",
                              format, entry.name, fmt::join(format_names(entry), ", ")));
    else if (renderer.name == format && !can_show(renderer, entry))
      return fail(Exit::usage,
                  fmt::format("--format {}: '{}' is no {} and cannot be drawn so; it comes as {}",
                              format, entry.name, renderer.needs_order ? "sequence" : "graph",
                              fmt::join(format_names(entry), ", ")));
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

Status apply_redaction(const CommonOptions& options, const Config& config, Request& request) {
  RedactionSettings settings;
  Setting typed;
  typed.line = 0;
  for (const std::string& regex : options.redact)
    if (Status added = add_pattern(std::string(kPatternOption), typed, regex, settings); !added)
      return added;
  for (const std::string& file : options.redact_patterns)
    if (Status read = read_redaction_file(file, settings); !read) return read;
  const bool personal =
      !options.keep_personal && settings.personal.value_or(config.redacts_personal());
  // The configuration alone shows them, which an answer that is kept tells as an option.
  if (!personal && !options.keep_personal && !settings.personal && request.entry->is_kept)
    request.options.emplace_back(kPersonalOption);
  request.redaction = RedactPolicy(options.no_redact ? Redaction::off
                                   : personal        ? Redaction::all
                                                     : Redaction::secrets_only);
  std::vector<std::string> fields = settings.fields.drop;
  fields.insert(fields.end(), settings.fields.mask.begin(), settings.fields.mask.end());
  if (!fields.empty()) settings.rules.push_back(CompiledRule::of_fields(fields));
  if (!settings.rules.empty())
    request.redaction.rules = std::make_shared<const RuleSet>(std::move(settings.rules));
  request.fields = std::move(settings.fields);
  request.settings.insert(request.settings.end(), options.redact_patterns.begin(),
                          options.redact_patterns.end());
  request.warnings = std::move(settings.warnings);
  request.patterns = options.redact;
  request.reveal = options.reveal;
  request.audit_log = options.audit_log;
  return {};
}

Status apply_prices(const CommonOptions& options, Request& request) {
  if (options.prices.empty()) return {};
  if (Status read = read_price_file(options.prices, request.prices); !read) return read;
  request.settings.push_back(options.prices);
  // Who checks an answer that was kept may have the file elsewhere.
  if (request.entry->is_kept) request.prices.file = recorded(kPricesOption, options.prices);
  return {};
}

Status apply(const CommonOptions& options, const Config& config, Request& request) {
  if (!config.file().empty()) request.settings.push_back(config.file());
  if (Status prices = apply_prices(options, request); !prices) return prices;
  if (Status redaction = apply_redaction(options, config, request); !redaction) return redaction;
  bool on_terminal = options.output.empty() && isatty(STDOUT_FILENO);
  request.renderer = &find_renderer(!options.format.empty()   ? options.format
                                    : request.entry->converts ? "otlp"
                                    : on_terminal             ? "text"
                                                              : "json");
  request.paper.table = options.table;
  request.paper.colour = wants_colour(options);
  if (on_terminal) request.paper.columns = terminal_columns();
  request.paper.cuts = on_terminal;  // who reads a pipe looks for whole names
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
  request.linking.with = options.with;
  for (const OptIn& linker : opt_in_linkers())
    if (is_one_of(linker.name, options.with))
      request.loading.keep_wordings |= linker.compares_wordings;
  request.linking.causes = options.causes == "nearest" ? Causes::nearest : Causes::best;
  request.linking.jobs = request.loading.jobs;
  request.level = options.level == "full" ? Door::Level::full : Door::Level::basic;
  request.loading.rereads =
      request.level == Door::Level::full || request.entry->is_kept || takes_suite(*request.entry);
  request.loading.digests = request.entry->is_kept;
  if (compares(*request.entry)) request.loading.rereads = request.loading.keep_arguments = true;
  request.output = options.output;
  request.strict = options.strict;
  request.quiet = options.quiet;
  request.verbose = options.verbose;
  return {};
}

/// One of two would be a pipe that was read to its end before.
Status check_pair(const std::string& command, const std::vector<std::string>& files) {
  if (files.size() == 2 && !(files[0] == "-" && files[1] == "-")) return {};
  std::string given =
      files.size() == 2 ? "both are standard input" : fmt::format("got {}", files.size());
  return fail(Exit::usage, fmt::format("{} compares two runs, each a file or a folder; {}\n"
                                       "try: xtrace {} OLD NEW",
                                       command, given, command));
}

Result<std::vector<std::string>> inputs_of(const ViewEntry& entry,
                                           const std::vector<std::string>& rest,
                                           const OptionList& options) {
  const std::string command(entry.name);
  std::vector<std::string> files;
  bool only_files = false;
  for (const std::string& word : rest) {
    if (word == "--" && !only_files) {
      only_files = true;
    } else if (!only_files && word.size() > 1 && word.starts_with("-")) {
      return unknown_option(command, word, options);
    } else {
      files.push_back(word);
    }
  }
  if (compares(entry)) {
    if (Status two = check_pair(command, files); !two) return tl::unexpected(two.error());
    return files;
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
  Result<OptionsRead> read = read_options(std::move(words), listed.options);
  if (!read)
    return fail(Exit::usage,
                fmt::format("{}\ntry: xtrace {} --help", read.error().what, entry.name));
  if (read->help) return Printed{help_for(entry, listed.options)};
  Result<Config> config = Config::read(listed.common->config, listed.common->set);
  if (!config) return tl::unexpected(config.error());
  config->apply(listed.options, read->given);
  if (Status drawable = check_drawable(entry, listed.common->format); !drawable)
    return tl::unexpected(drawable.error());
  if (Status checked = check_words(listed.options); !checked)
    return tl::unexpected(checked.error());
  if (Status checked = check_table(*listed.common, entry); !checked)
    return tl::unexpected(checked.error());
  Result<std::vector<std::string>> inputs = inputs_of(entry, read->rest, listed.options);
  if (!inputs) return tl::unexpected(inputs.error());
  Request request;
  request.entry = &entry;
  request.view = std::move(listed.view);
  request.inputs = *std::move(inputs);
  if (takes_suite(entry))
    if (Status taken = take_suite(request); !taken) return tl::unexpected(taken.error());
  request.files = *listed.files;
  if (Status checked = request.files.check(*listed.common); !checked)
    return tl::unexpected(checked.error());
  request.graph = *listed.graph;
  if (Status checked = request.graph.check(); !checked) return tl::unexpected(checked.error());
  if (!request.files.output_dir.empty() && listed.common->format.empty())
    listed.common->format = "json";
  if (entry.is_kept) request.options = answer_options(listed.options);
  if (Status applied = apply(*listed.common, *config, request); !applied)
    return tl::unexpected(applied.error());
  if (Assess* assess = dynamic_cast<Assess*>(request.view.get())) {
    if (assess->learns() && shows_verdicts(*request.renderer))
      return fail(Exit::usage, fmt::format("--format {}: --learn gives no verdicts; try -f json",
                                           request.renderer->name));
    if (Status held = read_standards(*assess, request.settings); !held)
      return tl::unexpected(held.error());
  }
  return Command(std::move(request));
}

const ViewEntry* find_view(std::string_view name) {
  for (const ViewEntry& entry : views())
    if (entry.name == name) return &entry;
  return nullptr;
}

Result<Command> read_schema(const std::vector<std::string>& words) {
  std::string name = words.empty() ? "dag" : words.front();
  const ViewEntry* found = find_view(name);
  if (found != nullptr && !found->converts) return Printed{schema_of(*found)};
  std::vector<std::string_view> known;
  for (const ViewEntry& entry : views())
    if (!entry.converts) known.push_back(entry.name);
  return fail(Exit::usage, fmt::format("there is no schema '{}'{}; schemas: {}", printable(name),
                                       did_you_mean(name, known), fmt::join(known, ", ")));
}

/// `xtrace prices [MODEL] [--prices FILE]`
Result<Command> read_prices(std::vector<std::string> words) {
  std::string file, model;
  OptionList options;
  options.add("--prices", file, "FILE", "");
  Result<OptionsRead> read = read_options(std::move(words), options);
  if (!read) return tl::unexpected(read.error());
  if (read->help) return Printed{help_for_prices()};
  for (const std::string& word : read->rest) {
    if (word.starts_with("-")) return unknown_option("prices", word, options);
    if (!model.empty()) return fail(Exit::usage, "prices: name one model, or none for all of them");
    model = word;
  }
  PriceTable table = list_prices();
  if (!file.empty())
    if (Status added = read_price_file(file, table); !added) return tl::unexpected(added.error());
  Result<std::string> text = written_prices(table, model);
  if (!text) return tl::unexpected(text.error());
  return Printed{*std::move(text)};
}

tl::unexpected<Error> unknown_command(const std::string& name) {
  std::vector<std::string_view> known = command_names();
  return fail(Exit::usage,
              fmt::format("there is no command '{}'{}\ncommands: {}; try: xtrace --help",
                          printable(name), did_you_mean(name, known), fmt::join(known, ", ")));
}

}  // namespace

tl::unexpected<Error> unknown_option(const std::string& command, const std::string& word,
                                     const OptionList& options) {
  std::string_view option = std::string_view(word).substr(0, word.find('='));
  std::vector<std::string_view> takers;
  for (const ViewEntry& entry : views())
    for (Listed listed = list_options(entry); const OptionSpec& spec : listed.options.specs())
      if (spec.long_name() == option) takers.push_back(entry.name);
  if (!takers.empty())
    return fail(Exit::usage,
                fmt::format("'{}' has no option {}; it goes with {}\ntry: xtrace {} --help",
                            command, option, fmt::join(takers, ", "), command));
  std::vector<std::string_view> known = {"--help", "--version"};
  for (const OptionSpec& spec : options.specs()) known.push_back(spec.long_name());
  return fail(Exit::usage, fmt::format("unknown option '{}'{}\ntry: xtrace {} --help",
                                       printable(word), did_you_mean(option, known), command));
}

void CommonOptions::declare(Options& options, const ViewEntry& entry) {
  if (!entry.converts)
    options.add("-f,--format", format, "FORMAT",
                "how to answer; text on a terminal, json otherwise", format_names(entry));
  if (!is_live(entry) && !entry.converts)
    options.add("--table", table, "NAME",
                "in csv, which table of the answer instead of the first one; in markdown, it alone "
                "instead of all");
  if (!is_live(entry))  // an answer that never ends is never whole
    options.add("-o,--output", output, "FILE",
                "write the answer to FILE; it appears whole or not at all");
  options.add("--level", level, "LEVEL",
              "basic: names and numbers; full: payload text too, redacted", {"basic", "full"});
  options.add("--max-text", max_text, "N", "at level full, cut each text to N characters (200)");
  options.add("--from", from, "FORMAT", "read every record as FORMAT instead of looking at it",
              input_format_names());
  options.add(
      "--spawn-tool", spawn_tools, "NAME",
      "a tool whose calls start subagents, in place of Task, Agent and spawn_agent; may be given "
      "several times");
  std::vector<std::string_view> opt_in;
  for (const OptIn& linker : opt_in_linkers()) opt_in.push_back(linker.name);
  options.add("--with", with, "LINK",
              "also links of this type, which are guesses: content_reuse, a passage of one "
              "conversation's answer in another's request; sequential, the next call of the same "
              "type of agent where nothing else leads to it",
              opt_in);
  options.add("--causes", causes, "METHOD",
              "how to find causes that no span records: best learns how each actor calls; nearest "
              "takes the latest call into the caller",
              {"best", "nearest"});
  if (!is_live(entry)) options.add("--strict", strict, "exit with 3 if any record was skipped");
  options.add("--redact", redact, "REGEX",
              "also replace what this pattern finds, as RE2 has them; may be given several times");
  options.add("--redact-patterns", redact_patterns, "FILE",
              "also replace what the rules in FILE find: JSON, or a configuration of gitleaks; may "
              "be given several times");
  options.add("--keep-personal", keep_personal,
              "show e-mail addresses, phone numbers and other personal data; secrets stay hidden");
  options.add("--no-redact", no_redact, "show secrets and personal data as they are");
  if (!is_live(entry)) {
    options.add(
        "--reveal", reveal, "ID",
        "show the texts of this call, span or actor as they are; may be given several times");
    options.add("--audit-log", audit_log, "FILE",
                "write to FILE what was replaced: rule, number, length and place, a line each");
  }
  options.add("--prices", prices, "FILE",
              "what tokens of which model cost, over the list prices that `xtrace prices` prints");
  options.add("--config", config, "FILE",
              "what to take for options that are not given, in place of "
              "~/.config/xtrace/config.json; `xtrace config` shows what is in force");
  options.add("--set", set, "KEY=VALUE",
              "a key of the configuration, over what the file says; may be given several times");
  options.add("-j,--jobs", jobs, "N", "threads; the answer is the same for any number");
  options.add("--color", color, "WHEN", "colour in text", {"auto", "always", "never"});
  options.add("-q,--quiet", quiet, "no warnings and no progress, errors only");
  options.add("-v,--verbose", verbose, "name every damaged record");
}

void CommonOptions::declare_target(Options& options, const ViewEntry& entry) {
  options.add("-f,--to", format, "FORMAT",
              "what to write: otlp, OpenTelemetry's JSON, the default; jaeger, for its user "
              "interface; atif, trajectories of agents",
              format_names(entry));
}

Listed list_options(const ViewEntry& entry) {
  Listed listed{&entry,
                entry.make(),
                std::make_unique<CommonOptions>(),
                std::make_unique<TraceFiles>(),
                std::make_unique<GraphFiles>(),
                {},
                0};
  if (entry.converts) listed.common->declare_target(listed.options, entry);
  listed.view->declare(listed.options);
  if (entry.is_kept) listed.files->declare(listed.options);
  if (entry.name == "dag" || is_live(entry)) listed.graph->declare(listed.options);
  listed.own = listed.options.specs().size();
  listed.common->declare(listed.options, entry);
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
  if (first == "help") {
    if (const ViewEntry* entry = find_view(words.front())) return read_view(*entry, {"--help"});
    std::vector<std::string_view> known = command_names();
    if (words.front() == "prices") return Printed{help_for_prices()};
    if (words.front() == "config") return Printed{help_for_config()};
    if (is_one_of(words.front(), known)) return Printed{help_for_all()};
    return unknown_command(words.front());
  }
  if (first == "prices") return read_prices(std::move(words));
  if (first == "config") return read_config(std::move(words));
  if (first == "schema") return read_schema(words);
  if (first == "completion") {
    Result<std::string> script = completion(words.empty() ? "" : words.front());
    if (!script) return tl::unexpected(script.error());
    return Printed{*std::move(script)};
  }
  if (first == "manual-page") return Printed{manual_page()};
  if (const ViewEntry* entry = find_view(first)) return read_view(*entry, std::move(words));
  return unknown_command(first);
}

}  // namespace xtrace
