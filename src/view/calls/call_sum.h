#pragma once

#include <cmath>

#include "link/activities/bill.h"
#include "view/calls/spending.h"
#include "view/common/field.h"

namespace xtrace {

/// Four digits: more would be noise in a diff. Unknown of nothing.
inline Cell rate(int64_t part, int64_t whole) {
  if (whole <= 0) return {};
  const double share = static_cast<double>(part) / static_cast<double>(whole);
  return static_cast<double>(std::llround(share * 10000)) / 10000;
}

/// What adds up of some calls, or of other pieces of work: how many there are, how they ended, what
/// they cost and what for. Beside it what is estimated of the output that the log has no count of.
/// All of a measure stands in this file: how it adds up, and how tables show it.
struct CallSum {
  int64_t calls = 0;
  int64_t errors = 0, unknown = 0;  ///< unknown: without an outcome on record, so in no rate
  int64_t retries = 0;
  int64_t compactions = 0;  ///< calls that some of what was said before was left out of
  Usage usage{};
  Paid paid{};
  int64_t missing_output = 0;  ///< estimated tokens, see estimate_output()
  int64_t missing_cost = 0;    ///< estimated, in billionths of a dollar

  /// Of one piece of work that ended so, without what it used.
  static CallSum of(Outcome outcome) {
    return {.calls = 1, .errors = outcome == Outcome::error, .unknown = !is_known(outcome)};
  }
  /// Of usage without a call.
  static CallSum of(const UnplacedRow& row, const Bill& bill) {
    return {.calls = row.calls,
            .errors = row.errors,
            .unknown = row.unknown,
            .retries = row.retries,
            .usage = usage_of(row.usage),
            .paid = bill.of(row.usage)};
  }
  void add(const CallSum& other) {
    calls += other.calls;
    errors += other.errors;
    unknown += other.unknown;
    retries += other.retries;
    compactions += other.compactions;
    usage.add(other.usage);
    paid.add(other.paid);
    missing_output = sum_of_known({missing_output, other.missing_output});
    missing_cost = sum_of_known({missing_cost, other.missing_cost});
  }
  int64_t known() const { return calls - unknown; }
  Cell error_rate() const { return rate(errors, known()); }
  Cell success_rate() const { return rate(known() - errors, known()); }
};

/// Absent where no cost is known: the parts of an unknown cost are not 0.
template <PaidKind kKind>
Cell paid_part(const CallSum& sum) {
  return sum.usage.cost >= 0 ? dollars(sum.paid[kKind]) : Cell();
}

inline constexpr Field<CallSum> kCallCount[] = {
    {{"calls", "model calls", CellKind::integer, true}, member<&CallSum::calls>},
};

inline constexpr Field<CallSum> kErrorCount[] = {
    {{"errors", "failed calls", Role::errors, true}, member<&CallSum::errors>},
};
inline constexpr Field<CallSum> kErrorRate[] = {
    {{"error_rate", "share of failed calls among the calls with a recorded outcome",
      CellKind::number},
     [](const CallSum& sum) { return sum.error_rate(); }},
};
inline constexpr Field<CallSum> kRetryCount[] = {
    {{"unknown_calls", "calls without a recorded outcome; not included in any rate",
      CellKind::integer},
     [](const CallSum& sum) { return some(sum.unknown); }},
    {{"retries", "calls that repeat a failed or unanswered request", CellKind::integer, true},
     member<&CallSum::retries>},
    {{"retry_rate", "retries per call", CellKind::number},
     [](const CallSum& sum) { return rate(sum.retries, sum.calls); }},
};

inline constexpr auto kOutcomes = joined_fields(kErrorCount, kErrorRate, kRetryCount);

inline constexpr auto kUsageTokens = fields_in<&Usage::tokens, kTokens>;
inline constexpr auto kTokensSum = fields_in<&CallSum::usage, kUsageTokens>;
inline constexpr Field<CallSum> kCostSum[] = {
    {{"cost_usd", "cost of the calls whose cost is known", Role::cost},
     [](const CallSum& sum) { return dollars(sum.usage.cost); }},
    {{"unpriced_calls", "calls without a known cost; not included in the sum", CellKind::integer},
     [](const CallSum& sum) { return some(sum.usage.unpriced); }},
    {{"partly_priced_calls", "calls whose cost is only partly known; the known part is included",
      CellKind::integer},
     [](const CallSum& sum) { return some(sum.usage.partly); }},
};
inline constexpr Field<CallSum> kPaidParts[] = {
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
};
inline constexpr Field<CallSum> kLowOutput[] = {
    {{"low_output_calls",
      "calls for which the log kept only the output count written when the reply began; real "
      "output "
      "and cost are higher",
      CellKind::integer},
     [](const CallSum& sum) { return some(sum.usage.low); }},
};
inline constexpr Field<CallSum> kMissing[] = {
    {{"missing.output_estimated",
      "further output tokens of these calls, estimated from the length of their replies; not "
      "included in any sum",
      CellKind::integer},
     [](const CallSum& sum) { return some(sum.missing_output); }},
    {{"missing.cost_usd_estimated", "estimated cost of these tokens; not included in any sum",
      CellKind::number},
     [](const CallSum& sum) { return sum.missing_cost > 0 ? dollars(sum.missing_cost) : Cell(); }},
};
inline constexpr auto kSpent = joined_fields(kCostSum, kPaidParts, kLowOutput, kMissing);
/// Tokens and cost of some calls.
inline constexpr auto kSums = joined_fields(kTokensSum, kSpent);

inline constexpr Field<CallSum> kCompactions[] = {
    {{"compactions",
      "calls whose earlier conversation is summarized or shortened; also calls that request a "
      "summary, if no recorded call continues from that summary",
      CellKind::integer, true},
     member<&CallSum::compactions>},
};

/// The measures in the tables of bills, and all those of groups of calls.
inline constexpr auto kCountedSums = joined_fields(kCallCount, kSums);
inline constexpr auto kCallMeasures = joined_fields(kCallCount, kOutcomes, kSums);

}  // namespace xtrace
