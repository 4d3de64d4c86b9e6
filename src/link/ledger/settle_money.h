#pragma once

#include "link/ledger/amounts.h"
#include "link/ledger/ledger.h"

namespace xtrace {

/// What parts of a total cost, in billionths of a dollar.
struct PartsMoney {
  int64_t stated = kNoCount;    ///< by their records
  int64_t computed = kNoCount;  ///< by the prices of those whose records state nothing
  int64_t unpriced = 0;         ///< parts whose cost nobody knows
  int64_t partly = 0;           ///< parts whose computed cost is a lower bound, …
  int64_t half_counted = 0;     ///< … of these, parts that state only input or only output

  int64_t known() const { return sum_of_known({stated, computed}); }
  void add(const PartsMoney& more) {
    stated = sum_of_known({stated, more.stated});
    computed = sum_of_known({computed, more.computed});
    unpriced += more.unpriced;
    partly += more.partly;
    half_counted += more.half_counted;
  }
  /// A part by itself: an Activity or an UnplacedUsage.
  template <class Part>
  void add_part(const Part& part) {
    int64_t& sum = part.cost_is_recorded ? stated : computed;
    sum = sum_of_known({sum, part.cost});
    unpriced += part.is_unpriced;
    partly += part.cost_is_partial;
    half_counted +=
        part.cost_is_partial && !is_complete(part.tokens) && !part.tokens.server_tools.any();
  }
  /// One of the parts turned out to cost something else.
  void replace(const PartsMoney& before, const PartsMoney& after) {
    for (int64_t PartsMoney::*sum : {&PartsMoney::stated, &PartsMoney::computed}) {
      const int64_t rest = at_least_none(this->*sum) - at_least_none(before.*sum);
      this->*sum = rest == 0 && before.*sum >= 0 ? after.*sum : sum_of_known({rest, after.*sum});
    }
    unpriced += after.unpriced - before.unpriced;
    partly += after.partly - before.partly;
    half_counted += after.half_counted - before.half_counted;
  }
};

/// Makes a row settle parts of whose tokens it has the rest: their cost is whole with it.
void settle_half_counted(PartsMoney& parts, UnplacedUsage& row);

/// Makes the parts and `row` come to what their total states: stated money takes precedence over
/// computed money, and is never less than what the parts state themselves. Reports a disagreement
/// that is worth it. Returns what all of it cost now.
PartsMoney settle_money(int64_t total, const PartsMoney& parts, UnplacedUsage& row, Ledger& ledger);

}  // namespace xtrace
