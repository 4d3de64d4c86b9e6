#pragma once

#include <string>
#include <vector>

#include "base/result.h"
#include "cli/option_list.h"

namespace xtrace {

/// The options that name a file of rules or prices, or a pattern that may itself contain what is to
/// be hidden, and what replaces such a value in a recorded command.
inline constexpr std::string_view kPatternOption = "--redact";
inline constexpr std::string_view kRulesOption = "--redact-patterns";
inline constexpr std::string_view kPricesOption = "--prices";
inline constexpr std::string_view kDigestPrefix = "sha256:";

/// What replaces the value of an option in a recorded command: such a file may be elsewhere next
/// time, or have other contents, so its contents count.
std::string recorded(std::string_view option, const std::string& value);

/// Of the options that were set, those that have a say in what an answer holds, as words of a
/// command line: not where it is written to, how it looks, or which query it is about.
std::vector<std::string> answer_options(const OptionList& options);

/// All options that were set, as words: what else than the inputs an answer depends on.
std::vector<std::string> given_options(const OptionList& options);

/// Are these words of a recorded command such options, and nothing else? An answer may come from
/// anybody, and must not make us write files.
Status check_answer_options(const std::vector<std::string>& words, const OptionList& options);

}  // namespace xtrace
