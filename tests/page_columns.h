#pragma once

#include <cstdint>
#include <map>
#include <nlohmann/json.hpp>
#include <string>
#include <string_view>
#include <vector>

namespace xtrace {

/// What is in a page between `begin` and `end`. Requires that both are in it.
std::string text_between(const std::string& page, std::string_view begin, std::string_view end);

std::string gunzipped(const std::string& packed);

/// The columns of a page, as its script reads them.
class PageData {
 public:
  struct Edge {
    std::string source, target, type;
    double confidence = 1;  ///< to four decimals
  };

  explicit PageData(const std::string& page);
  const std::vector<int64_t>& operator[](const std::string& name) const {
    return columns_.at(name);
  }
  /// As its pane of causes and effects draws them: by target.
  std::vector<Edge> edges() const;

  nlohmann::json head;
  std::string texts;

 private:
  std::map<std::string, std::vector<int64_t>> columns_;
};

}  // namespace xtrace
