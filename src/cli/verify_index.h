#pragma once

#include <functional>
#include <map>
#include <nlohmann/json_fwd.hpp>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "keep/query_index.h"

namespace xtrace {

/// An index of queries, held against the traces that it notes.
class IndexCheck {
 public:
  using Show = std::function<std::string(const nlohmann::json&)>;  ///< a value, made safe

  /// `folders` are those that its references start from.
  static Result<IndexCheck> open(const std::string& path, const std::vector<std::string>& folders);

  /// What its row says otherwise than the trace in `path`, a line each.
  std::vector<std::string> differences(const std::string& path, const nlohmann::json& trace,
                                       const Show& show);
  /// Rows below whose reference no trace was found, of those whose folders were looked through.
  std::vector<std::string> unmatched(const Show& show) const;
  size_t rows() const { return rows_.size(); }

 private:
  using Key = std::pair<std::string, std::string>;  ///< project, query
  const QueryRow* find(const std::string& path, const nlohmann::json& trace);

  bool has_folders_ = false;
  std::vector<QueryRow> rows_;
  std::map<std::string, size_t> by_place_;  ///< of the trace
  std::map<Key, size_t> by_key_;
  std::set<size_t> found_;
};

}  // namespace xtrace
