#include "cli/read_options.h"

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>

#include "base/lower.h"
#include "base/nearest.h"
#include "base/number.h"
#include "base/one_of.h"
#include "base/overloaded.h"
#include "base/text.h"

namespace xtrace {

namespace {

/// A message does not list more values than this.
constexpr size_t kMostListed = 20;

double read_share(const OptionSpec& spec, std::string_view text) {
  const bool is_percent = text.ends_with('%');
  double number =
      number_of<double>(text.substr(0, text.size() - (is_percent ? 1 : 0))).value_or(-1);
  if (is_percent) number /= 100;
  if (!(number >= 0 && number <= 1))
    throw CLI::ValidationError(std::string(spec.long_name()),
                               fmt::format("'{}' is not a number from 0 to 1, such as 0.95", text));
  return number;
}

void bind(CLI::App& app, const OptionSpec& spec) {
  std::visit(Overloaded{
                 [&](bool* value) { app.add_flag(spec.name, *value)->disable_flag_override(); },
                 [&](double* value) {
                   app.add_option_function<std::string>(spec.name,
                                                        [&spec, value](const std::string& text) {
                                                          *value = read_share(spec, text);
                                                        })
                       ->multi_option_policy(CLI::MultiOptionPolicy::TakeLast);
                 },
                 [&](std::string* value) {
                   app.add_option(spec.name, *value)
                       ->multi_option_policy(CLI::MultiOptionPolicy::TakeLast);
                 },
                 [&](std::vector<std::string>* values) {
                   // Each takes one value, or a FILE behind it would be swallowed.
                   CLI::Option* option = app.add_option(spec.name, *values)
                                             ->expected(1)
                                             ->allow_extra_args(false)
                                             ->multi_option_policy(CLI::MultiOptionPolicy::TakeAll);
                   if (!spec.keeps_commas()) option->delimiter(',');
                 },
             },
             spec.target);
}

/// A value for each placeholder whose form users cannot guess.
using ValueExample = std::pair<std::string_view, std::string_view>;
constexpr ValueExample kExamples[] = {
    {"A-B", "0-5000"},
    {"DAYS", "30"},
    {"DIR", "out/"},
    {"FILE", "name.json"},
    {"KIND|USD", "1.50"},
    {"LABEL=RANK", "sigilo=secret"},
    {"METRIC=BOUND", "cost=+20%"},
    {"MINUTES", "30"},
    {"MS", "500"},
    {"N", "10"},
    {"OLD=NEW", "/home/me=~"},
    {"P", "0.95"},
    {"REGEX", "'ticket-[0-9]+'"},
    {"SECONDS", "5"},
    {"T", "2h"},
    {"TIME", "2026-03-01T09:30:00Z"},
    {"USD", "0.50"},
};

/// CLI11 speaks of types and counts; users think of options and their values.
std::string what_is_wrong(const CLI::ParseError& error, const OptionList& options) {
  std::string_view said = error.what();
  std::string_view name = said.substr(0, said.find_first_of(": "));
  if (dynamic_cast<const CLI::ArgumentMismatch*>(&error) != nullptr)
    for (const OptionSpec& spec : options.specs()) {
      if (!spec.long_name().ends_with(name)) continue;  // of a switch it leaves out the dashes
      if (spec.is_switch()) return fmt::format("{} takes no value", spec.long_name());
      const bool lists = !spec.words.empty() && spec.words.size() <= kMostListed;
      if (lists) return fmt::format("{} needs a value: {}", name, fmt::join(spec.words, ", "));
      const auto* example = std::ranges::find(kExamples, spec.placeholder, &ValueExample::first);
      return fmt::format("{} needs a value, such as {} {}", name, name,
                         example == std::end(kExamples) ? spec.placeholder : example->second);
    }
  return printable(said);
}

Status check_count(const CLI::App& app, const OptionSpec& spec) {
  if (spec.is_switch() || spec.takes_many()) return {};
  size_t times = app.get_option(std::string(spec.long_name()))->count();
  if (times < 2) return {};
  return fail(Exit::usage, fmt::format("{}: given {} times; use it once", spec.long_name(), times));
}

/// What people say for a value that is called otherwise and written nothing like it.
constexpr std::pair<std::string_view, std::string_view> kOtherWords[] = {
    {"failed", "error"},       {"failed", "tool_error"}, {"failure", "error"},
    {"failure", "tool_error"}, {"success", "ok"},        {"done", "ok"},
    {"md", "markdown"},        {"graphviz", "dot"},      {"plain", "text"},
    {"table", "text"},         {"verbose", "full"},      {"minimal", "basic"},
    {"spreadsheet", "csv"},    {"price", "cost"},        {"dollars", "cost"},
    {"duration", "time"},      {"latency", "time"},      {"daily", "day"},
    {"weekly", "week"},        {"monthly", "month"},     {"blocks", "block"},
};

/// Words that answers print in place of a value (man/glossary.md).
constexpr std::pair<std::string_view, std::string_view> kGlossary[] = {
    {"spawn", "subagent_spawn"},
    {"report", "subagent_report"},
};

/// The one of `words` that `value` says as they are spelled, as people write it (`Tool error`,
/// `tool-error`), or as answers print it; empty: none.
std::string_view find_word(std::string_view value, std::span<const std::string_view> words) {
  if (const auto exact = std::ranges::find(words, value); exact != words.end()) return *exact;
  std::string plain = lower(value);
  std::ranges::replace_if(
      plain, [](char c) { return c == ' ' || c == '-'; }, '_');
  for (std::string_view word : words) {
    std::string known = lower(word);
    std::ranges::replace(known, '-', '_');
    if (known == plain) return word;
  }
  for (const auto& [printed, word] : kGlossary)
    if (plain == printed && is_one_of(word, words)) return word;
  return {};
}

Status settle_words_of(const OptionSpec& spec) {
  if (spec.words.empty()) return {};
  std::span<std::string> values;
  if (std::string* const* one = std::get_if<std::string*>(&spec.target);
      one != nullptr && !(*one)->empty())
    values = {*one, 1};
  if (std::vector<std::string>* const* many = std::get_if<std::vector<std::string>*>(&spec.target))
    values = **many;
  for (std::string& value : values) {
    if (const std::string_view word = find_word(value, spec.words); !word.empty()) {
      value = word;
      continue;
    }
    std::string meant = did_you_mean(value, spec.words);
    std::vector<std::string> others;
    for (const auto& [said, word] : kOtherWords)
      if (meant.empty() && value == said && is_one_of(word, spec.words))
        others.push_back(fmt::format("'{}'", word));
    if (!others.empty()) meant = fmt::format("; did you mean {}?", fmt::join(others, " or "));
    if (spec.long_name() == "--by" && value == "provider")  // needs no option
      meant = "; stats always reports each provider";
    const std::string known =
        spec.words.size() > kMostListed
            ? fmt::format("its {} values; `xtrace help options` lists them", spec.words.size())
            : fmt::format("{}", fmt::join(spec.words, ", "));
    return fail(Exit::usage, fmt::format("{}: '{}' is not one of {}{}", spec.long_name(),
                                         printable(value), known, meant));
  }
  return {};
}

}  // namespace

Result<OptionsRead> read_options(std::vector<std::string> words, const OptionList& options) {
  CLI::App app;
  app.set_help_flag();
  app.allow_extras();
  OptionsRead read;
  app.add_flag("-h,--help", read.help);
  for (const OptionSpec& spec : options.specs()) bind(app, spec);
  std::reverse(words.begin(), words.end());  // as CLI11 wants them
  try {
    app.parse(words);
  } catch (const CLI::ParseError& error) {
    return fail(Exit::usage, what_is_wrong(error, options));
  }
  for (const OptionSpec& spec : options.specs())
    if (Status checked = check_count(app, spec); !checked) return tl::unexpected(checked.error());
  for (const OptionSpec& spec : options.specs())
    if (std::string name(spec.long_name()); app.count(name) > 0)
      read.given.push_back(std::move(name));
  read.rest = app.remaining();
  return read;
}

Status settle_words(const OptionList& options) {
  for (const OptionSpec& spec : options.specs())
    if (Status settled = settle_words_of(spec); !settled) return settled;
  return {};
}

}  // namespace xtrace
