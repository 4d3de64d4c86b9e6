#pragma once

#include "link/activities/bill.h"
#include "view/calls/spending.h"
#include "view/common/field.h"

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

/// Absent where no cost is known: the parts of an unknown cost are not 0.
template <PaidKind kKind>
Cell paid_part(const CallSum& sum) {
  return sum.usage.cost >= 0 ? dollars(sum.paid[kKind]) : Cell();
}

inline constexpr Field<CallSum> kCallCount[] = {
    {{"calls", "model calls", CellKind::integer, true}, member<&CallSum::calls>},
};

/// Of what some calls sent, put out and cost.
inline constexpr Field<CallSum> kSums[] = {
    {{"tokens.input", "uncached input tokens", CellKind::integer},
     [](const CallSum& sum) { return known(sum.usage.tokens.input); }},
    {{"tokens.output", "", CellKind::integer},
     [](const CallSum& sum) { return known(sum.usage.tokens.output); }},
    {{"tokens.total", "the sum of all four token counts", CellKind::integer},
     [](const CallSum& sum) { return known(total_of(sum.usage.tokens)); }},
    {{"tokens.cache_read", "", CellKind::integer},
     [](const CallSum& sum) { return known(sum.usage.tokens.cache_read); }},
    {{"tokens.cache_creation", "", CellKind::integer},
     [](const CallSum& sum) { return known(sum.usage.tokens.cache_creation); }},
    {{"cost_usd", "cost of the calls whose cost is known", CellKind::number},
     [](const CallSum& sum) { return dollars(sum.usage.cost); }},
    {{"unpriced_calls", "calls without a known cost; not included in the sum", CellKind::integer},
     [](const CallSum& sum) { return some(sum.usage.unpriced); }},
    {{"partly_priced_calls", "calls whose cost is only partly known; the known part is included",
      CellKind::integer},
     [](const CallSum& sum) { return some(sum.usage.partly); }},
    {{"paid.input_usd", "part of the cost for uncached input tokens", CellKind::number},
     paid_part<PaidKind::input>},
    {{"paid.cache_write_usd", "", CellKind::number}, paid_part<PaidKind::cache_write>},
    {{"paid.cache_read_usd", "", CellKind::number}, paid_part<PaidKind::cache_read>},
    {{"paid.output_usd", "part of the cost for output, including reasoning", CellKind::number},
     paid_part<PaidKind::output>},
    {{"paid.fees_usd", "part of the cost for tools run by vendors, such as searches",
      CellKind::number},
     [](const CallSum& sum) {
       return sum.paid[PaidKind::fees] > 0 ? paid_part<PaidKind::fees>(sum) : Cell();
     }},
    {{"paid.unsplit_usd", "recorded costs that the price list cannot explain", CellKind::number},
     [](const CallSum& sum) { return sum.paid.unsplit > 0 ? dollars(sum.paid.unsplit) : Cell(); }},
    {{"low_output_calls",
      "calls for which the log kept only the output count from the start of the reply; real output "
      "and cost are higher",
      CellKind::integer},
     [](const CallSum& sum) { return some(sum.usage.low); }},
    {{"missing.output_estimated",
      "further output tokens of these calls, estimated from the length of their replies; not "
      "included in any sum",
      CellKind::integer},
     [](const CallSum& sum) { return some(sum.missing_output); }},
    {{"missing.cost_usd_estimated", "estimated cost of these tokens; not included in any sum",
      CellKind::number},
     [](const CallSum& sum) { return sum.missing_cost > 0 ? dollars(sum.missing_cost) : Cell(); }},
};

}  // namespace xtrace
