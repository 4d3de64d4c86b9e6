#pragma once

#include <string>
#include <vector>

#include "base/result.h"
#include "cli/option_list.h"

namespace xtrace {

/// The words of a command line that are not options.
struct OptionsRead {
  bool help = false;
  std::vector<std::string> given;  ///< the long names of the options that were set
  std::vector<std::string> rest;   ///< inputs, and options that nobody knows
};

/// Sets what `options` point to. An Error names the option and what is wrong with its value.
Result<OptionsRead> read_options(std::vector<std::string> words, const OptionList& options);

/// Writes the values of options that take words of a list as the list spells them: `Tool error` is
/// `tool_error`, and `spawn`, the glossary's word, `subagent_spawn`. An Error names a value that is
/// none of them.
Status settle_words(const OptionList& options);

}  // namespace xtrace
