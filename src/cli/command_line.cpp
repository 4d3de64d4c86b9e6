#include <fmt/format.h>

#include <algorithm>

#include "base/nearest.h"
#include "base/one_of.h"
#include "base/system.h"
#include "base/text.h"
#include "cli/answer_formats.h"
#include "cli/apply_config.h"
#include "cli/commands.h"
#include "cli/own_inputs.h"
#include "cli/read_options.h"
#include "cli/reproduction.h"
#include "cli/version.h"
#include "run/table_choice.h"
#include "settings/config.h"

namespace xtrace {

namespace {

/// One of two would be a pipe that was read to its end before.
Status check_pair(const std::string& command, const std::vector<std::string>& files) {
  const bool takes_newest = files.empty();
  if (takes_newest || (files.size() == 2 && !(files[0] == "-" && files[1] == "-"))) return {};
  std::string given =
      files.size() == 2 ? "both are standard input" : fmt::format("got {}", files.size());
  return fail(
      Exit::usage,
      fmt::format("{} needs exactly two inputs, each a file or folder; {}\ntry: xtrace {} OLD NEW",
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
  if (entry.compares)
    if (Status two = check_pair(command, files); !two) return tl::unexpected(two.error());
  return files;
}

constexpr std::string_view kSuiteFirst =
    "eval: name a suite, then the logs: xtrace eval suite.yaml logs/";

/// The suite precedes the inputs that it judges.
Status take_suite(std::vector<std::string>& inputs, std::string& suite) {
  suite = inputs.front();
  if (suite == "-") return fail(Exit::usage, std::string(kSuiteFirst));
  inputs.erase(inputs.begin());
  return {};
}

/// What says how something looks, or how long it is kept, is not passed over where there is none.
Status check_has_use(const std::vector<std::string>& given, std::string_view format,
                     const std::string& clearance, const GraphFiles& graph) {
  if (is_one_of("--retention", given) && graph.snapshot.empty())
    return fail(Exit::usage, "--retention requires --snapshot FILE");
  if (is_one_of("--unlabelled", given) && clearance.empty())
    return fail(Exit::usage, "--unlabelled requires --clearance LABEL");
  if (is_one_of("--picture", given) && format != "svg")
    return fail(Exit::usage, "--picture requires --format svg");
  const auto draws_arrows = [&](const Renderer& renderer) {
    return renderer.name == format && renderer.needs_drawing();
  };
  if (is_one_of("--direction", given) && std::ranges::none_of(renderers(), draws_arrows))
    return fail(Exit::usage, "--direction requires --format dot, mermaid or both");
  return {};
}

/// An option that prints a file of one format, ready to use.
struct ReadyFile {
  std::string_view option, format;
  bool needs_logs = true;
};
constexpr ReadyFile kReadyFiles[] = {
    {"--init", "YAML"}, {"--paste", "Markdown"}, {"--print-rules", "YAML", false}};

/// Null: none of them is given.
const ReadyFile* find_ready_file(const std::vector<std::string>& given) {
  const auto* found = std::ranges::find_if(
      kReadyFiles, [&](const ReadyFile& one) { return is_one_of(one.option, given); });
  return found == std::end(kReadyFiles) ? nullptr : found;
}

/// Settles in which format to write: `--json` or `-f`, else by the ending of `-o`, else as
/// configured. Returns what to say of it: an ending says less than an option.
Result<std::string> settle_format(const ViewEntry& entry, const std::vector<std::string>& given,
                                  CommonOptions& common) {
  if (entry.converts) return std::string();
  const bool is_named = is_one_of("--format", given);
  if (common.json && is_named && common.format != "json")
    return fail(Exit::usage, fmt::format("--json and --format {}: use one of them", common.format));
  if (common.json) common.format = "json";
  if (common.json || is_named || find_ready_file(given) != nullptr) return std::string();
  const Result<std::string_view> meant = format_of_file(common.output, entry);
  if (!meant) return tl::unexpected(meant.error());
  if (meant->empty()) return std::string();
  common.format = *meant;
  return fmt::format("note: {} is written as {}, by its ending; -f selects another format",
                     printable(common.output), *meant);
}

Result<Command> read_view(const ViewEntry& entry, std::vector<std::string> words) {
  Listed listed = list_options(entry);
  Result<OptionsRead> read = read_options(std::move(words), listed.options);
  if (!read)
    return fail(Exit::usage,
                fmt::format("{}\ntry: xtrace {} --help, xtrace help options or xtrace help filters",
                            read.error().what, entry.name));
  if (read->help) return Printed{help_for(listed)};
  Result<Config> config = Config::read(listed.common->config, listed.common->set);
  if (!config) return tl::unexpected(config.error());
  apply_config(*config, listed.options, read->given);
  const Result<std::string> said = settle_format(entry, read->given, *listed.common);
  if (!said) return tl::unexpected(said.error());
  bool is_draft = std::find(read->given.begin(), read->given.end(), "--init") != read->given.end();
  if (const ReadyFile* file = find_ready_file(read->given); file != nullptr) {
    if (!is_one_of("--format", read->given) && !listed.common->json) listed.common->format = "text";
    if (listed.common->format != "text")
      return fail(Exit::usage,
                  fmt::format("{} always writes {}; remove --format", file->option, file->format));
  }
  if (Status drawable = check_drawable(entry, listed.common->format); !drawable)
    return tl::unexpected(drawable.error());
  if (Status settled = settle_words(listed.options); !settled)
    return tl::unexpected(settled.error());
  if (Status checked = check_table(listed.common->table, listed.common->format, entry); !checked)
    return tl::unexpected(checked.error());
  if (Status checked = check_has_use(read->given, listed.common->format, listed.common->clearance,
                                     *listed.graph);
      !checked)
    return tl::unexpected(checked.error());
  if (entry.takes_suite && !is_draft && read->rest.empty())
    return fail(Exit::usage, std::string(kSuiteFirst));
  Result<std::vector<std::string>> inputs = inputs_of(entry, read->rest, listed.options);
  if (!inputs) return tl::unexpected(inputs.error());
  Request request;
  request.entry = &entry;
  request.view = std::move(listed.view);
  request.inputs = *std::move(inputs);
  Preparation preparation;
  if (entry.takes_suite && is_draft)
    preparation.suite.clear();
  else if (entry.takes_suite)
    if (Status taken = take_suite(request.inputs, preparation.suite); !taken)
      return tl::unexpected(taken.error());
  request.files = *listed.files;
  if (Status checked = request.files.check(listed.common->output, listed.common->format); !checked)
    return tl::unexpected(checked.error());
  request.graph = *listed.graph;
  if (Status checked = request.graph.check(); !checked) return tl::unexpected(checked.error());
  if (!request.files.output_dir.empty() && listed.common->format.empty())
    listed.common->format = "json";
  if (Status applied = listed.common->apply(*config, request); !applied)
    return tl::unexpected(applied.error());
  if (!said->empty()) request.warnings.push_back(*said);
  request.loading.rereads |= is_one_of("--grep", read->given);
  const bool names_no_log = request.inputs.empty();
  const ReadyFile* const ready_file = find_ready_file(read->given);
  const bool needs_logs = ready_file == nullptr || ready_file->needs_logs;
  if (Status found = needs_logs ? find_own_sessions(request, listed.options) : Status(); !found) {
    if (!entry.takes_suite || is_draft || !names_no_log) return tl::unexpected(found.error());
    return fail(found.error().exit, fmt::format("eval: '{}' was taken as the suite; {}",
                                                printable(preparation.suite), found.error().what));
  }
  if (entry.is_kept) request.options = answer_options(listed.options);
  if (request.uses_cache) request.given = given_options(listed.options);
  preparation.options = request.options;
  preparation.inputs = request.inputs;
  preparation.given = read->given;
  if (request.renderer->holds_verdicts) preparation.verdict_format = request.renderer->name;
  if (Status ready = request.view->prepare(preparation); !ready)
    return tl::unexpected(ready.error());
  request.inputs_are_read = preparation.has_read_inputs;
  request.settings.insert(request.settings.end(), preparation.read.begin(), preparation.read.end());
  return Command(std::move(request));
}

const OptionSpec* find_option(const OptionList& options, std::string_view word) {
  const std::string_view option = word.substr(0, word.find('='));
  const auto found = std::ranges::find_if(options.specs(), [&](const OptionSpec& spec) {
    const size_t letter = spec.name.find(',');
    return option == spec.long_name() ||
           (letter != std::string::npos && option == std::string_view(spec.name).substr(0, letter));
  });
  return found == options.specs().end() ? nullptr : &*found;
}

/// Is it one of the view's own, so that no command need be said? What `xtrace` says of itself comes
/// first.
bool is_option_of(const ViewEntry& entry, std::string_view word) {
  return !is_one_of(word, {"--version", "-V", "-v", "-h", "--help"}) &&
         find_option(list_options(entry).options, word) != nullptr;
}

/// A command after options, as if it were an input.
std::optional<std::string> late_command(const ViewEntry& entry,
                                        std::span<const std::string> words) {
  const Listed listed = list_options(entry);
  for (size_t i = 1; i < words.size(); ++i) {
    const OptionSpec* before = find_option(listed.options, words[i - 1]);
    const bool is_value = before != nullptr && !before->is_switch();
    const bool is_command = find_view(words[i]) != nullptr || find_other_command(words[i]);
    if (is_command && !is_value && !names_input(words[i])) return words[i];
  }
  return {};
}

}  // namespace

Result<Command> read_command_line(std::vector<std::string> words) {
  const ViewEntry& shown = *find_view("dag");
  if (words.empty()) return read_view(shown, std::move(words));
  if (names_input(words.front())) return read_view(shown, std::move(words));
  if (is_option_of(shown, words.front())) {
    if (std::optional<std::string> command = late_command(shown, words))
      return fail(Exit::usage, fmt::format("put the command before its options: xtrace {} {} …",
                                           *command, printable(words.front())));
    return read_view(shown, std::move(words));
  }
  std::string first = words.front();
  words.erase(words.begin());
  if (is_one_of(first, {"--version", "-V", "-v", "version"})) return read_version(words);
  if (first == "-h" || first == "--help") {
    if (words.empty() || words.front().starts_with('-')) return Printed{help_for_all()};
    first = "help";
  }
  if (const OtherCommand* command = find_other_command(first)) {
    const bool asks = is_one_of("--help", words) || is_one_of("-h", words);
    if (asks) return Printed{help_for(*command)};
    return command->run(words);
  }
  if (const ViewEntry* entry = find_view(first)) return read_view(*entry, std::move(words));
  if (first.starts_with('-')) return unknown_option({}, first, list_options(shown).options);
  return unknown_command(first);
}

}  // namespace xtrace
