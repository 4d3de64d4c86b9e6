#include "view/query/clearance.h"

#include <algorithm>

namespace xtrace {

namespace {

constexpr std::string_view kClearances[] = {"public", "internal", "confidential", "restricted",
                                            "secret"};

/// The same ranks in Portuguese and Spanish.
struct Alias {
  std::string_view label, rank;
};
constexpr Alias kAliases[] = {{"público", "public"},
                              {"publico", "public"},
                              {"interno", "internal"},
                              {"interna", "internal"},
                              {"confidencial", "confidential"},
                              {"restrito", "restricted"},
                              {"restringido", "restricted"},
                              {"secreto", "secret"}};

size_t rank_of(std::string_view label) {
  std::string lower(label);
  for (char& c : lower)
    if (c >= 'A' && c <= 'Z') c = static_cast<char>(c | 0x20);
  for (const Alias& alias : kAliases)
    if (lower == alias.label) lower = alias.rank;
  return static_cast<size_t>(std::find(std::begin(kClearances), std::end(kClearances), lower) -
                             std::begin(kClearances));
}

}  // namespace

bool is_beyond(std::string_view sensitivity, std::string_view clearance) {
  return !clearance.empty() && !sensitivity.empty() && rank_of(sensitivity) > rank_of(clearance);
}

std::span<const std::string_view> clearances() {
  return kClearances;
}

const std::string& more_sensitive(const std::string& a, const std::string& b) {
  if (a.empty() || b.empty()) return a.empty() ? b : a;
  return rank_of(b) > rank_of(a) ? b : a;
}

}  // namespace xtrace
