#include "link/ledger/settle_money.h"

#include <algorithm>

#include "link/ledger/amounts.h"

namespace xtrace {

PartsMoney settle_money(int64_t total, const PartsMoney& parts, UnplacedUsage& row,
                        Ledger& ledger) {
  const int64_t known = at_least_none(parts.known());
  row.cost = kNoCount;
  row.is_unpriced = false;
  const bool is_computed = parts.computed >= 0;
  // What is beyond priced tokens may be tokens that nobody states; a difference of prices is one of
  // parts that are all known.
  if (is_computed && parts.unpriced == 0 && total_of(row.tokens) <= 0 &&
      is_worth_a_warning(total, known))
    ledger.disagreements.push_back({row.at, total, known});
  if (!differ_by_more_than_rounding(total, known)) {
    row.settles_unpriced += parts.unpriced;
    return {parts.stated, parts.computed, 0};
  }
  if (total > known) {
    row.cost = total - known;
    row.cost_is_recorded = true;
    row.settles_unpriced += parts.unpriced;
    return {total, kNoCount, 0};
  }
  // Parts that state more than their total are not all in it.
  if (!is_computed) return parts;
  row.uncharged = std::min(known - total, parts.computed);
  row.settles_unpriced += parts.unpriced;
  return {known - row.uncharged, kNoCount, 0};
}

}  // namespace xtrace
