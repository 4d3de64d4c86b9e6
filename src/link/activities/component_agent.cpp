#include "link/activities/component_agent.h"

#include <algorithm>
#include <iterator>

namespace xtrace {

namespace {

/// Any other text stays as it is: a secret that is written otherwise is not known for one.
bool is_plain_name(std::string_view component) {
  constexpr size_t kLongest = 40;
  return component.size() <= kLongest &&
         std::all_of(component.begin(), component.end(), [](char c) {
           return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '-';
         });
}

}  // namespace

bool is_agent_component(std::string_view component) {
  constexpr std::string_view kKinds[] = {"-agent", "-adapter", "-engine"};
  return std::any_of(std::begin(kKinds), std::end(kKinds),
                     [&](std::string_view kind) { return component.ends_with(kind); });
}

std::string agent_name_of(std::string_view component) {
  if (!is_agent_component(component) || !is_plain_name(component)) return std::string(component);
  std::string name;
  bool is_first = true;
  for (char c : component) {
    if (c == '-') {
      is_first = true;
      continue;
    }
    name += is_first && c >= 'a' && c <= 'z' ? static_cast<char>(c & ~0x20) : c;
    is_first = false;
  }
  return name;
}

}  // namespace xtrace
