#pragma once

#include <bitset>
#include <cstdint>
#include <initializer_list>
#include <string_view>

#include "link/waste/program_rule.h"

namespace xtrace {

/// An act of a command whose result shows whether work is sound, or where it went.
enum class CommandAct : uint8_t {
  tests,
  builds,
  checks_types,
  lints,
  commits,
  pushes,
  opens_request  ///< a pull request, or a merge request
};
inline constexpr size_t kCommandActs = 7;
using CommandActs = std::bitset<kCommandActs>;
constexpr CommandActs act_set(std::initializer_list<CommandAct> some) {
  unsigned long bits = 0;
  for (CommandAct one : some) bits |= 1UL << static_cast<unsigned>(one);
  return bits;
}

/// The acts of a command, as far as its words show them.
CommandActs acts_of_command(CommandWords words);
/// Does it test or build something, which it does again the same way?
bool tests_or_builds(CommandWords words);

/// The name of a program of one of these acts, in the words of their table; empty: it has none.
std::string_view find_acting_program(std::string_view name);

/// May a change of the file alter what tests and builds report? Not of documentation, logs and
/// temporary files.
bool is_source_file(std::string_view path);

}  // namespace xtrace
