#include "cli/reproduction.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/one_of.h"
#include "base/overloaded.h"
#include "base/sha256.h"
#include "base/text.h"

namespace xtrace {

namespace {

/// Options of other groups that say nothing of what an answer holds either.
constexpr std::string_view kElsewhere[] = {
    "--jobs", "--quiet", "--verbose", "--strict", "--query", "--all", "--index", "--verify",
    "--output-dir", "--audit-log", "--share",
    // The places of parts, of missing parts and of their logs on the machine that asked.
    "--key", "--root", "--manifest", "--allow-missing",
    // What they say that has a say is recorded as the options that say the same.
    "--config", "--set"};

/// Adds an option, if it is set, and its values as `word_for` has them.
template <class WordFor>
void add_words(const OptionSpec& spec, const WordFor& word_for, std::vector<std::string>& words) {
  const std::string name(spec.long_name());
  std::visit(Overloaded{[&](const bool* is_set) {
                          if (*is_set) words.push_back(name);
                        },
                        [&](const double* number) {
                          if (*number != 0)
                            words.insert(words.end(), {name, fmt::format("{}", *number)});
                        },
                        [&](const std::string* text) {
                          if (!text->empty())
                            words.insert(words.end(), {name, word_for(name, *text)});
                        },
                        [&](const std::vector<std::string>* texts) {
                          for (const std::string& text : *texts)
                            words.insert(words.end(), {name, word_for(name, text)});
                        }},
             spec.target);
}

bool has_a_say(const OptionSpec& spec) {
  return spec.group != kOutputOptions && !is_one_of(spec.long_name(), kElsewhere);
}

}  // namespace

std::string recorded(std::string_view option, const std::string& value) {
  if (option == kPatternOption) return std::string(kDigestPrefix) + sha256_of(value);
  if (option != kRulesOption && option != kPricesOption) return value;
  Result<std::string> digest = sha256_of_file(value, UINT64_MAX);
  return digest ? std::string(kDigestPrefix) + *digest : value;
}

std::vector<std::string> answer_options(const OptionList& options) {
  std::vector<std::string> words;
  for (const OptionSpec& spec : options.specs())
    if (has_a_say(spec)) add_words(spec, recorded, words);
  return words;
}

std::vector<std::string> given_options(const OptionList& options) {
  std::vector<std::string> words;
  for (const OptionSpec& spec : options.specs())
    if (!is_one_of(spec.long_name(), {"--jobs", "--no-pager", "--no-cache"}))
      add_words(
          spec, [](std::string_view, const std::string& value) { return value; }, words);
  return words;
}

Status check_answer_options(const std::vector<std::string>& words, const OptionList& options) {
  for (size_t i = 0; i < words.size(); ++i) {
    auto spec = std::find_if(options.specs().begin(), options.specs().end(),
                             [&](const OptionSpec& one) { return one.long_name() == words[i]; });
    bool is_query = words[i] == "--query";
    // Older commands contain it, and it changes no trace.
    const bool is_harmless = is_one_of(words[i], {"--utc", "--no-pager"});
    if (spec == options.specs().end() || (!has_a_say(*spec) && !is_query && !is_harmless))
      return fail(Exit::input,
                  fmt::format("its command contains '{}', which is not an option of trace",
                              printable(words[i])));
    if (!spec->is_switch() && ++i == words.size())
      return fail(Exit::input, fmt::format("its command has no value for {}", spec->long_name()));
  }
  return {};
}

}  // namespace xtrace
