#include "render/property_name.h"

#include "base/text.h"

namespace xtrace {

namespace {

// A name is no place to keep a text; a shorter one that is taken gets a mark.
constexpr size_t kNameBytes = 100;

bool is_capital(char c) {
  return c >= 'A' && c <= 'Z';
}
bool is_small(char c) {
  return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9');
}

}  // namespace

std::string property_name(std::string_view key) {
  std::string name;
  char before = '_';
  for (char c : head(key, kNameBytes)) {
    if (is_capital(c) && is_small(before)) name += '_';
    name += is_capital(c) ? static_cast<char>(c - 'A' + 'a') : is_small(c) ? c : '_';
    before = c;
  }
  bool starts_well = !name.empty() && (name[0] < '0' || name[0] > '9');
  return starts_well ? name : '_' + name;
}

}  // namespace xtrace
