#pragma once

#include <cstdint>
#include <map>
#include <nlohmann/json.hpp>
#include <string>
#include <string_view>
#include <tuple>

namespace xtrace {

/// Stands in for Neo4j: runs the statements that our scripts are made of, and no others. Whatever
/// else is in a script, between the literals or in them, is refused.
class CypherBase {
 public:
  /// Throws std::runtime_error, which says what is wrong and where.
  void run(std::string_view script);

  std::map<std::string, nlohmann::json> nodes;  ///< properties by key; labels as `labels`
  using Ends = std::tuple<std::string, std::string, std::string, int64_t>;
  std::map<Ends, nlohmann::json>
      edges;  ///< properties by from, type, to and number; of RELATED, its type behind it
  size_t statements = 0, most_rows = 0;

  bool operator==(const CypherBase&) const = default;
};

/// What Neo4j 5 does before all else, outside of literals and in them: \u0022 becomes a quote.
std::string with_escapes_replaced(std::string_view script);

}  // namespace xtrace
