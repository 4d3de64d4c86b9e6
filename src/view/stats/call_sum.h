#pragma once

#include "link/activities/bill.h"
#include "view/calls/spending.h"

namespace xtrace {

/// What some calls cost and what for, and beside it what is estimated of the output that the log
/// has no count of.
struct CallSum {
  int64_t calls = 0;
  Usage usage;
  Paid paid;
  int64_t missing_output = 0;  ///< estimated tokens, see estimate_output()
  int64_t missing_cost = 0;    ///< estimated, in billionths of a dollar

  void add(const CallSum& other) {
    calls += other.calls;
    usage.add(other.usage);
    paid.add(other.paid);
    missing_output = sum_of_known({missing_output, other.missing_output});
    missing_cost = sum_of_known({missing_cost, other.missing_cost});
  }
};

}  // namespace xtrace
