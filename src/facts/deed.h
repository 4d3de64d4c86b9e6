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

/// Does it change what it works on?
inline bool changes(Deed deed) {
  return deed == Deed::wrote || deed == Deed::edited;
}

}  // namespace xtrace
