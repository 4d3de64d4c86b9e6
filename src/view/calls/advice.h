#pragma once

#include <string>
#include <vector>

#include "link/waste/waste.h"
#include "view/calls/call_fields.h"

namespace xtrace {

/// What to do about a kind of waste: a row of one table.
struct Advice {
  WasteKind kind;
  bool (*fits)(const Waste&);  ///< null: fits what no row above fits
  std::string_view words;      ///< for people, in a sentence
  /// For the instructions of an agent (CLAUDE.md, AGENTS.md); `{}` is what the finding is about.
  /// Empty: instructions do not help.
  std::string_view instruction;
  /// What to set, for people; `{}` is the list of tools. Empty: no setting helps. One of the two
  /// helps in each row.
  std::string_view setting;
};
const Advice& advice_for(const Waste& waste);

/// The instruction, ready to paste; empty: there is none. The first words of a command are in it
/// only where the Door shows first words.
Text instruction_for(const CallScene& scene, const Waste& waste);
/// The setting to change; empty: there is none. Names at most `most` tools.
Text setting_for(const CallScene& scene, const Waste& waste, size_t most);
/// What the agent tried already, and the error that it got: `Bash 4 times, with the same result`.
/// Empty: the finding is about no use of tools.
Text tried_words(const CallScene& scene, const Waste& waste);
/// What the tool of the finding was given, as far as the Door shows it: `$ go test ./…`.
Text command_words(const CallScene& scene, const Waste& waste);

/// The instructions and settings of all findings, each once, as lines of Markdown. Settings are
/// comments: they are for people. `first`: an instruction before them; empty: none.
std::vector<Text> texts_to_paste(const CallScene& scene, std::span<const Waste> found,
                                 std::string_view first);

}  // namespace xtrace
