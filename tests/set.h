#pragma once

#include <map>
#include <string>
#include <vector>

#include "view/common/view.h"

namespace xtrace {

/// Options from a map, as the command line would set them.
class Set final : public Options {
 public:
  explicit Set(std::multimap<std::string, std::string> values) : values_(std::move(values)) {}
  void add(std::string_view name, bool& value, std::string_view) override {
    value = values_.contains(std::string(name));
  }
  void add(std::string_view name, std::string& value, std::string_view, std::string_view,
           std::vector<std::string_view>) override {
    if (auto set = values_.find(std::string(name)); set != values_.end()) value = set->second;
  }
  void add(std::string_view name, std::vector<std::string>& values, std::string_view,
           std::string_view, std::vector<std::string_view>) override {
    auto [begin, end] = values_.equal_range(std::string(name));
    for (auto at = begin; at != end; ++at) values.push_back(at->second);
  }
  void add(std::string_view name, double& value, std::string_view, std::string_view) override {
    if (auto set = values_.find(std::string(name)); set != values_.end())
      value = std::stod(set->second);
  }

 private:
  std::multimap<std::string, std::string> values_;
};

}  // namespace xtrace
