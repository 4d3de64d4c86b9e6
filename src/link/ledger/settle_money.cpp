#include "link/ledger/settle_money.h"

#include <algorithm>

namespace xtrace {

void settle_half_counted(PartsMoney& parts, UnplacedUsage& row) {
  row.settles_partly = std::max<int64_t>(parts.half_counted, 0);
  parts.partly -= row.settles_partly;
  parts.half_counted = 0;
}

PartsMoney settle_money(int64_t total, const PartsMoney& parts, UnplacedUsage& row,
                        Ledger& ledger) {
  const int64_t known = at_least_none(parts.known());
  row.cost = kNoCount;
  row.is_unpriced = row.cost_is_partial = false;
  const bool is_computed = parts.computed >= 0;
  // What is beyond priced tokens may be tokens that nobody states; a difference of prices is one of
  // parts that are all known. A total below a lower bound contradicts that too.
  const bool is_bound = parts.partly > 0 && total > known;
  if (is_computed && parts.unpriced == 0 && !is_bound && total_of(row.tokens) <= 0 &&
      is_worth_a_warning(total, known))
    ledger.disagreements.push_back({row.at, total, known});
  // Parts that state more than their total are not all in it.
  const bool is_rounding = !differ_by_more_than_rounding(total, known);
  if (!is_rounding && total < known && !is_computed) return parts;
  row.settles_unpriced += parts.unpriced;
  row.settles_partly += parts.partly;
  if (is_rounding) return {parts.stated, parts.computed, 0, 0};
  if (total > known) {
    row.cost = total - known;
    row.cost_is_recorded = true;
    return {total, kNoCount, 0, 0};
  }
  row.uncharged = std::min(known - total, parts.computed);
  return {known - row.uncharged, kNoCount, 0, 0};
}

}  // namespace xtrace
