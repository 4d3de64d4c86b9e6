#pragma once

#include <functional>
#include <span>
#include <string>
#include <string_view>

#include "doc/document.h"

namespace xtrace {

/// The tables of a document one after another, as formats that know nothing but rows and columns
/// need them. A record is a table of one row. Of several answers of one shape (a Group), the tables
/// of one name become one, with the number of the answer in a column before the others.
struct FlatTable {
  std::string_view name;   ///< empty: the top level of an answer
  std::string_view group;  ///< of which answers it is; empty: there is only the one
  std::span<const Column> columns;
  bool is_record = false;  ///< of each answer it has exactly one row
  /// `nth`: of the answers of its group, from 1.
  using Write = std::function<void(size_t nth, std::span<const Cell> row)>;
  std::function<void(const Write& write)> rows;
};

/// Calls `each` with one after another.
void flat_tables(const Document& document, const std::function<void(const FlatTable&)>& each);

/// Does the table describe the answer itself, and not what was asked?
bool is_preface(std::string_view table);

/// What a cell says, in one line and free of any format: numbers with all their digits, moments as
/// RFC 3339, lists and objects as JSON. Empty where it is not known.
std::string flat_text(const Cell& cell);
/// Does it say so in words of its own, and not as a number?
bool is_text(const Cell& cell);

}  // namespace xtrace
