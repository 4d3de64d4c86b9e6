#include "view/query/clearance.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>

#include "base/lower.h"
#include "base/text.h"

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

}  // namespace

Status LabelRanks::add(const std::vector<std::string>& meanings) {
  for (const std::string& meaning : meanings) {
    const size_t equals = meaning.find('=');
    const std::string label = lower(meaning.substr(0, equals));
    const size_t rank =
        equals == std::string::npos ? std::size(kClearances) : rank_of(meaning.substr(equals + 1));
    if (label.empty() || rank == std::size(kClearances))
      return fail(
          Exit::usage,
          fmt::format("--label: '{}' is not LABEL=MEANING, such as sigilo=secret; meanings: {}",
                      printable(meaning), fmt::join(kClearances, ", ")));
    own_[label] = rank;
  }
  return {};
}

size_t LabelRanks::rank_of(std::string_view label) const {
  std::string word = lower(label);
  if (auto own = own_.find(word); own != own_.end()) return own->second;
  for (const Alias& alias : kAliases)
    if (word == alias.label) word = alias.rank;
  return static_cast<size_t>(std::find(std::begin(kClearances), std::end(kClearances), word) -
                             std::begin(kClearances));
}

bool LabelRanks::is_beyond(std::string_view sensitivity, std::string_view clearance) const {
  return !clearance.empty() && !sensitivity.empty() && rank_of(sensitivity) > rank_of(clearance);
}

const std::string& LabelRanks::more_sensitive(const std::string& a, const std::string& b) const {
  if (a.empty() || b.empty()) return a.empty() ? b : a;
  return rank_of(b) > rank_of(a) ? b : a;
}

std::span<const std::string_view> clearances() {
  return kClearances;
}

}  // namespace xtrace
