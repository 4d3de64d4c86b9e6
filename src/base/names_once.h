#pragma once

#include <string>
#include <string_view>
#include <unordered_set>
#include <utility>
#include <vector>

namespace xtrace {

/// Names in the order of their first occurrence, each once.
class NamesOnce {
 public:
  void add(std::string_view name) {
    if (!name.empty() && known_.emplace(name).second) names_.emplace_back(name);
  }

  std::vector<std::string> take() { return std::move(names_); }

 private:
  std::vector<std::string> names_;
  std::unordered_set<std::string> known_;
};

}  // namespace xtrace
