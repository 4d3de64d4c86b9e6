#pragma once

#include <string>
#include <vector>

#include "link/graph/queries.h"
#include "view/calls/spending.h"
#include "view/common/view.h"

namespace xtrace {

/// What totals are made of.
enum class Metric : uint8_t { latency, tokens_in, tokens_out, cost };
constexpr std::string_view word(Metric metric) {
  constexpr std::string_view kWords[] = {"latency_ms", "tokens_in", "tokens_out", "cost_usd"};
  return kWords[static_cast<size_t>(metric)];
}

/// A figure of a step that the totals leave out, for they have it from elsewhere.
struct NotCounted {
  enum class Why : uint8_t {
    within,          ///< its time is part of that step's
    retried,         ///< that step is the next attempt at the same
    told_within,     ///< that step, a part of it, and others state the same tokens
    told_around,     ///< that step, of which it is a part, counts
    told_elsewhere,  ///< a record of the same call counts that is no step of this query
  };
  Metric metric = Metric::latency;
  Why why = Why::within;
  size_t step = 0;     ///< index into QueryTrace::steps; SIZE_MAX: elsewhere
  int64_t counts = 0;  ///< what of the figure is in the totals all the same
};
constexpr std::string_view word(NotCounted::Why why) {
  constexpr std::string_view kWords[] = {"within", "retried", "told_within", "told_around",
                                         "told_elsewhere"};
  return kWords[static_cast<size_t>(why)];
}

/// One thing that was done to answer a query.
struct Step {
  static constexpr size_t kNone = SIZE_MAX;
  SpanId span;  ///< exactly one of the two is valid
  CallId call;
  StepRecord record;
  Extent at;
  std::string node;                  ///< what was done; empty: it states facts about its query
  std::string_view model, provider;  ///< that was asked
  Tokens tokens{};                   ///< as its record, or another one of the same, states them
  int64_t cost = kNoCount;           ///< likewise, in billionths of a dollar
  std::string_view service;          ///< that did it
  std::string_view from, to;         ///< who called whom, where the step is a call between actors
  Moment start;
  Duration took = kNoDuration;
  Outcome outcome = Outcome::unknown;
  size_t parent = kNone;        ///< the step it is a part of, or that led to it
  std::vector<size_t> joins{};  ///< further steps that led to it: what they did meets here
  const Link* cause = nullptr;  ///< of a call: why it belongs to the query
  int64_t records = 1;          ///< equal records of this step
  size_t retried_as = kNone;    ///< the next attempt at the same
  std::vector<NotCounted> not_counted{};
  Usage counted{};                 ///< what the totals count of it
  int64_t retries = 0;             ///< attempts after a failed one that it is, or that it counts
  bool is_call = false;            ///< it is a call of a model, and the record that counts for it
  bool repeats_elsewhere = false;  ///< a record counts for it that is no step of this query
  bool cost_from_table = false;    ///< what its tokens cost; else its record says so
  bool output_is_low = false;    ///< its tokens and cost are lower bounds (Activity::output_is_low)
  bool cost_is_partial = false;  ///< so is its cost (ComputedCost::is_partial)

  bool counts(Metric metric) const;
};

/// What decides the order of steps, where it can; else the next does. Ids never do.
enum class OrderedBy : uint8_t {
  order,    ///< the log numbers all of them
  time,     ///< by start, parents before children
  parents,  ///< parents before children; there are no times
  input,    ///< in the order of the inputs and their records
};
constexpr std::string_view word(OrderedBy by) {
  constexpr std::string_view kWords[] = {"order", "time", "parents", "input"};
  return kWords[static_cast<size_t>(by)];
}

struct QuerySteps {
  std::vector<Step> steps;   ///< in order
  std::vector<Step> others;  ///< records of the query as a whole
  OrderedBy by = OrderedBy::time;
};
QuerySteps steps_of(const Question& question, const Query& query);

}  // namespace xtrace
