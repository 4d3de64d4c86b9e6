#include "facts/agent_type.h"

#include <cctype>

#include "base/hash.h"
#include "base/hex.h"
#include "base/text.h"

namespace xtrace {

std::string agent_type_key(std::string_view type) {
  if (type.empty()) return {};
  // As Shard::intern() keeps it, which shortens names without end.
  const std::string kept = type.size() <= kMostNameBytes ? std::string(type) : shortened_name(type);
  std::string letters;
  for (char c : kept)
    if (c != ' ' && c != '-' && c != '_')
      letters += static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  return hex(hash_of(letters.empty() ? kept : letters));
}

}  // namespace xtrace
