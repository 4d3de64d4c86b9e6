#pragma once

#include <limits>
#include <set>
#include <string>
#include <vector>

#include "link/queries.h"
#include "view/names.h"
#include "view/visited.h"

namespace xtrace {

/// How much of a trace is shown, and to whom.
struct TraceLimits {
  size_t nodes = SIZE_MAX;     ///< of the subgraph
  size_t evidence = SIZE_MAX;  ///< of each step
  std::string clearance;       ///< what is more sensitive is withheld; empty: nothing is
};

/// Is something with this label (`confidential`) beyond that clearance? A label that is not known
/// is beyond all of them.
bool is_beyond(std::string_view sensitivity, std::string_view clearance);
/// The labels that are known, the least sensitive first.
std::span<const std::string_view> clearances();

/// A figure of a step that the totals leave out, for they have it from elsewhere.
struct NotCounted {
  enum class Why : uint8_t {
    within,       ///< its time is part of that step's
    retried,      ///< that step is the next attempt at the same
    told_within,  ///< that step, a part of it, tells of the same tokens
  };
  std::string_view metric;
  Why why = Why::within;
  size_t step = 0;  ///< index into QueryTrace::steps
};
constexpr std::string_view word(NotCounted::Why why) {
  constexpr std::string_view kWords[] = {"within", "retried", "told_within"};
  return kWords[static_cast<size_t>(why)];
}

/// One thing that was done to answer a query.
struct Step {
  static constexpr size_t kNone = SIZE_MAX;
  SpanId span;  ///< one of the two tells of it
  EventId call;
  StepRecord record;
  Extent at;
  std::string_view service;   ///< that did it
  std::string_view from, to;  ///< who called whom, where the step is a call between actors
  Moment start;
  Duration took = kNoDuration;
  Outcome outcome = Outcome::unknown;
  size_t parent = kNone;        ///< the step it is a part of, or that led to it
  const Link* cause = nullptr;  ///< of a call: why it belongs to the query
  int64_t records = 1;          ///< equal records of this step
  size_t retried_as = kNone;    ///< the next attempt at the same
  std::vector<NotCounted> not_counted{};

  bool counts(std::string_view metric) const;
};

/// Sums over the steps that count; -1 or unknown where no step tells.
struct TraceTotals {
  Moment started;
  Duration latency = kNoDuration;
  Duration wall = kNoDuration;  ///< from the first start to the last end
  Tokens tokens;
  int64_t cost = kNoCount;  ///< in billionths of a dollar
  int64_t failed = 0, retried = 0, repeated = 0;
};

/// Everything that is on record of one query, before limits.
struct QueryTrace {
  const Query& query;
  std::vector<Step> steps;  ///< in order
  Visited visited;          ///< the subgraph
  std::vector<EvidenceRef> citations;
  std::set<std::string> modes, graph_versions, snapshots;
  TraceTotals totals;

  QueryTrace(const Question& question, const Query& of);

  /// Ids that the answer cites; where it cites nothing, what the last step rests on.
  std::set<std::string> cited() const;
};

}  // namespace xtrace
