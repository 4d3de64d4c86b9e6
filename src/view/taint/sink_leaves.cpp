#include "view/taint/sink_leaves.h"

#include "base/one_of.h"
#include "settings/arguments.h"

namespace xtrace {

namespace {

constexpr int kDeepest = 4;  // JSON in a text in JSON

void add_leaves(const std::string& name, const std::string& text, int depth,
                std::vector<SinkLeaf>& leaves) {
  const bool may_hold = text.starts_with('{') || text.starts_with('[');
  if (may_hold && depth < kDeepest) {
    const Arguments parts(text);
    if (parts.is_json()) {
      for (const auto& [path, value] : parts.values())
        if (!parts.holds(path)) add_leaves(name, value, depth + 1, leaves);
      return;
    }
  }
  if (!text.empty()) leaves.push_back({name, text});
}

}  // namespace

std::vector<SinkLeaf> leaves_of(const std::string& arguments,
                                const std::vector<std::string>& only) {
  std::vector<SinkLeaf> leaves;
  if (!is_json_object(arguments)) {
    if (only.empty()) add_leaves({}, arguments, 0, leaves);
    return leaves;
  }
  for (const auto& [name, value] : members_of(arguments))
    if (only.empty() || is_one_of(name, only)) add_leaves(name, value, 0, leaves);
  return leaves;
}

}  // namespace xtrace
