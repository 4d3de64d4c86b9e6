#include "link/blame/likeness.h"

#include <algorithm>
#include <cstdint>
#include <vector>

#include "base/trimmed.h"

namespace xtrace {

namespace {

/// Of longer texts the beginning is compared.
constexpr size_t kCompared = 2000;
/// Shorter ones are contained in others by chance.
constexpr size_t kFewestCharacters = 8;
/// `npm test` and `npm run test` have 0.78, `ls src` and `ls docs` 0.5.
constexpr double kAlike = 0.75;

std::vector<uint16_t> pairs_in(std::string_view text) {
  std::vector<uint16_t> pairs;
  for (size_t i = 0; i + 1 < text.size(); ++i)
    pairs.push_back(static_cast<uint16_t>(static_cast<unsigned char>(text[i]) << 8U |
                                          static_cast<unsigned char>(text[i + 1])));
  std::ranges::sort(pairs);
  return pairs;
}

}  // namespace

bool are_alike(std::string_view a, std::string_view b) {
  a = trimmed(a.substr(0, kCompared));
  b = trimmed(b.substr(0, kCompared));
  if (a.empty() || b.empty()) return false;
  if (a.size() > b.size()) std::swap(a, b);
  if (a == b || (a.size() >= kFewestCharacters && b.find(a) != b.npos)) return true;
  const std::vector<uint16_t> in_a = pairs_in(a), in_b = pairs_in(b);
  std::vector<uint16_t> in_both;
  std::ranges::set_intersection(in_a, in_b, std::back_inserter(in_both));
  return 2.0 * static_cast<double>(in_both.size()) >=
         kAlike * static_cast<double>(in_a.size() + in_b.size());
}

}  // namespace xtrace
