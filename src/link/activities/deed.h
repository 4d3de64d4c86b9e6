#pragma once

#include <cstdint>
#include <string_view>

namespace xtrace {

/// What a tool does, as people say it.
enum class Deed : uint8_t { used, read, searched, wrote, edited, ran, fetched, opened, started };
inline constexpr std::string_view kDeedWords[] = {"used", "read",    "searched", "wrote",  "edited",
                                                  "ran",  "fetched", "opened",   "started"};
inline std::string_view word(Deed deed) {
  return kDeedWords[static_cast<size_t>(deed)];
}

/// By the names that agents give their own tools; `used` of any other.
Deed deed_of(std::string_view tool);

/// Does it put something to the person: a question, or a plan to be approved? Nobody works until
/// they answer.
bool asks_a_person(std::string_view tool);
/// The first of these, surely: the answer is a word of the user's on what was asked. A plan that is
/// approved says nothing of each step.
bool puts_a_question(std::string_view tool);

/// Does it change what it works on?
inline bool changes(Deed deed) {
  return deed == Deed::wrote || deed == Deed::edited;
}

}  // namespace xtrace
