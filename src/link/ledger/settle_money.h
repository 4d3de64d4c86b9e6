#pragma once

#include "link/ledger/ledger.h"

namespace xtrace {

/// What parts of a total cost, in billionths of a dollar.
struct PartsMoney {
  int64_t stated = kNoCount;    ///< by their records
  int64_t computed = kNoCount;  ///< by the prices of those whose records state nothing
  int64_t unpriced = 0;         ///< parts whose cost nobody knows

  int64_t known() const { return sum_of_known({stated, computed}); }
  void add(const PartsMoney& more) {
    stated = sum_of_known({stated, more.stated});
    computed = sum_of_known({computed, more.computed});
    unpriced += more.unpriced;
  }
  /// A part by itself.
  void add(int64_t cost, bool is_stated, bool is_unpriced) {
    int64_t& sum = is_stated ? stated : computed;
    sum = sum_of_known({sum, cost});
    unpriced += is_unpriced;
  }
  /// One of the parts turned out to cost something else.
  void replace(const PartsMoney& before, const PartsMoney& after) {
    for (int64_t PartsMoney::*sum : {&PartsMoney::stated, &PartsMoney::computed}) {
      const int64_t rest = at_least_none(this->*sum) - at_least_none(before.*sum);
      this->*sum = rest == 0 && before.*sum >= 0 ? after.*sum : sum_of_known({rest, after.*sum});
    }
    unpriced += after.unpriced - before.unpriced;
  }
};

/// Makes the parts and `row` come to what their total states: stated money takes precedence over
/// computed money, and is never less than what the parts state themselves. Reports a disagreement
/// that is worth it. Returns what all of it cost now.
PartsMoney settle_money(int64_t total, const PartsMoney& parts, UnplacedUsage& row, Ledger& ledger);

}  // namespace xtrace
